//! The policy, validated once by [`Rules::parse`].

use tuckaway_contract::{
    Action, ArtifactTool, Error, FILE_THRESHOLD_TOKENS, Mode, Policy, ToolOverride, Turn,
};
use tuckaway_text::glob;

/// Returns the maximum characters of a preview in [`Dialect::File`](tuckaway_contract::Dialect::File):
/// half the threshold.
pub fn preview_characters(policy: &Policy) -> usize {
    usize::try_from(policy.max_output_tokens.unwrap_or(FILE_THRESHOLD_TOKENS) / 2).unwrap_or(usize::MAX)
}

/// A valid policy, and the turn to which it is applied.
#[derive(Debug)]
pub struct Rules<'a> {
    policy: &'a Policy,
    turn: &'a Turn,
}

/// The rules for one tool.
#[derive(Debug, PartialEq)]
pub struct ToolRules<'a> {
    /// Every output passes, and none is stored.
    pub disabled: bool,
    /// Every output of this tool passes.
    pub exempt: bool,
    /// How large outputs are reduced.
    pub offload: Action,
    /// The floor: smaller outputs pass.
    pub floor: u64,
    /// The per-output gate.
    pub threshold: u64,
    /// The ceiling: larger outputs never pass.
    pub ceiling: u64,
    /// The cap in tokens, if any.
    pub max_output_tokens: Option<u64>,
    /// The applied override.
    pub matched: Option<&'a str>,
}

impl<'a> Rules<'a> {
    /// Validates policy and turn.
    ///
    /// Errors: `invalid-input`, with one sentence for each violation.
    pub fn parse(policy: &'a Policy, turn: &'a Turn) -> Result<Self, Error> {
        policy.check(turn.context_window)?;
        Ok(Rules { policy, turn })
    }

    /// Returns the rules for one tool.
    pub fn for_tool(&self, tool: &str) -> ToolRules<'a> {
        let policy = self.policy;
        let matched = policy.overrides.iter().find(|over| glob::matches(&over.tools, tool));
        let ceiling = matched.and_then(|over| over.max_threshold_bytes).unwrap_or(policy.max_threshold_bytes);
        let floor = policy.min_threshold_bytes.min(ceiling);
        // A float is precise enough for a fraction of the window in bytes, and its conversion
        // saturates for absurd windows.
        let window_bytes =
            self.turn.context_window as f64 * policy.context_percentage * policy.bytes_per_token;
        ToolRules {
            disabled: !policy.enabled,
            exempt: matched.is_some_and(|over| over.exempt),
            offload: offload_action(
                matched.and_then(|over| over.mode).unwrap_or(policy.mode),
                &self.turn.tools,
            ),
            floor,
            threshold: (window_bytes as u64).clamp(floor, ceiling),
            ceiling,
            max_output_tokens: policy.max_output_tokens,
            matched: matched.map(|over: &ToolOverride| &*over.tools),
        }
    }

    /// Returns the input tokens up to which outputs may fill the conversation; `None` if
    /// the gate is off.
    pub fn headroom_limit(&self) -> Option<u64> {
        let fraction = self.policy.headroom_percentage;
        (fraction < 1.0).then_some((self.turn.context_window as f64 * fraction) as u64)
    }

    /// Estimates the tokens of a number of bytes.
    pub fn estimate_tokens(&self, bytes: u64) -> u64 {
        (bytes as f64 / self.policy.bytes_per_token).ceil() as u64
    }

    /// Returns the tokens of the blocks that are passed on; `None` if there are none.
    pub fn kept_tokens(&self, blocks: usize) -> Option<u64> {
        (blocks > 0).then_some(blocks as u64 * u64::from(self.policy.image_tokens))
    }

    /// Returns the policy, for values that need no interpretation.
    pub fn policy(&self) -> &'a Policy {
        self.policy
    }

    /// Returns the turn to which the rules are applied.
    pub fn turn(&self) -> &'a Turn {
        self.turn
    }
}

fn offload_action(mode: Mode, tools: &[ArtifactTool]) -> Action {
    match mode {
        Mode::Auto if tools.is_empty() => Action::Truncate,
        Mode::Auto | Mode::Artifact => Action::Artifact,
        Mode::Truncate => Action::Truncate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn() -> Turn {
        Turn { context_window: 200_000, used_tokens: 0, tools: Vec::new() }
    }

    fn violation(change: impl FnOnce(&mut Policy)) -> String {
        let mut policy = Policy::default();
        change(&mut policy);
        Rules::parse(&policy, &turn()).expect_err("a violation").message
    }

    fn over(tools: &str) -> ToolOverride {
        ToolOverride { tools: tools.to_owned(), exempt: false, mode: None, max_threshold_bytes: None }
    }

    #[test]
    fn each_violation_has_its_own_message() {
        assert_eq!(
            violation(|p| p.context_percentage = 1.5),
            "context_percentage is 1.5; it must be a fraction from 0 to 1. 1.5 % is 0.015."
        );
        assert_eq!(
            violation(|p| p.headroom_percentage = f64::NAN),
            "headroom_percentage is NaN; it must be a fraction from 0 to 1."
        );
        assert_eq!(
            violation(|p| p.bytes_per_token = 0.0),
            "bytes_per_token is 0; it must be above 0 and at most 1024."
        );
        assert_eq!(
            violation(|p| p.bytes_per_token = f64::INFINITY),
            "bytes_per_token is inf; it must be above 0 and at most 1024."
        );
        assert_eq!(
            violation(|p| p.min_threshold_bytes = 2_000_000),
            "min_threshold_bytes (2000000) is above max_threshold_bytes (1048576); lower the floor or raise the ceiling."
        );
        assert_eq!(
            violation(|p| p.max_output_tokens = Some(0)),
            "max_output_tokens is 0; omit it for no cap."
        );
        assert_eq!(
            violation(|p| p.overrides = vec![over("*"), over("")]),
            "Override 2: its glob is empty; write * for all tools."
        );
        assert_eq!(
            violation(|p| p.overrides = vec![over(&"x".repeat(257))]),
            "Override 1: its glob has 257 bytes; at most 256 are allowed."
        );
        assert!(violation(|p| p.overrides = vec![over("*"); 1_001]).starts_with("There are 1001 overrides;"));
        let both = violation(|p| (p.context_percentage, p.headroom_percentage) = (-1.0, 2.0));
        assert_eq!(both.matches("fraction").count(), 2);
        let window = Rules::parse(&Policy::default(), &Turn { context_window: 0, ..turn() }).unwrap_err();
        assert_eq!(window.message, "context_window is 0; pass the model's context window in tokens.");
    }

    #[test]
    fn the_threshold_is_clamped_between_floor_and_ceiling() {
        let threshold = |context_window| {
            let turn = Turn { context_window, ..turn() };
            Rules::parse(&Policy::default(), &turn).unwrap().for_tool("t").threshold
        };
        assert_eq!(threshold(200_000), 200_000);
        assert_eq!(threshold(1_000), 4_096);
        assert_eq!(threshold(2_000_000), 1_048_576);
        assert_eq!(threshold(u64::MAX), 1_048_576);
    }

    #[test]
    fn the_first_override_that_matches_is_applied() {
        let policy = Policy {
            overrides: vec![
                ToolOverride { max_threshold_bytes: Some(1_000), ..over("sql_*") },
                ToolOverride { exempt: true, ..over("*") },
            ],
            ..Policy::default()
        };
        let turn = turn();
        let rules = Rules::parse(&policy, &turn).unwrap();
        let sql = rules.for_tool("sql_query");
        assert_eq!((sql.exempt, sql.floor, sql.threshold, sql.ceiling), (false, 1_000, 1_000, 1_000));
        assert_eq!(sql.matched, Some("sql_*"));
        assert!(rules.for_tool("skill").exempt);
    }

    #[test]
    fn auto_is_artifact_if_any_artifact_tool_is_callable() {
        let (none, grep) = ([], [ArtifactTool::Grep]);
        assert_eq!(offload_action(Mode::Auto, &none), Action::Truncate);
        assert_eq!(offload_action(Mode::Auto, &grep), Action::Artifact);
        assert_eq!(offload_action(Mode::Artifact, &none), Action::Artifact);
        assert_eq!(offload_action(Mode::Truncate, &grep), Action::Truncate);
    }
}
