//! The gates that inspect each output by itself, in the order of `wit/offload.wit`. The headroom
//! gate needs all outputs of a turn; it is in the module `turn`.

use tuckaway_contract::{Action, Decision, Dialect, Error, Gate, ToolOutput};

use super::body::Body;
use super::tokens::Counter;
use crate::policy::{Rules, ToolRules};
use crate::ports::Store;

/// An output that passes through the gates.
pub struct Gated<'a> {
    /// The output as the host passed it.
    pub output: &'a ToolOutput,
    /// Its content, measured.
    pub body: Body<'a>,
    /// The policy for its tool.
    pub rules: ToolRules<'a>,
    /// The decision so far; its gate is `Fits` until another gate applies.
    pub decision: Decision,
}

impl<'a> Gated<'a> {
    /// Measures an output and applies all gates up to the token cap.
    pub fn new(
        store: &dyn Store,
        counter: Counter<'_>,
        rules: &Rules<'a>,
        output: &'a ToolOutput,
    ) -> Result<Self, Error> {
        let body = Body::of(store, output)?;
        let tool_rules = rules.for_tool(&output.tool);
        let decision = Decision {
            action: Action::Inline,
            gate: Gate::Fits,
            size_bytes: body.size_bytes,
            line_count: body.line_count,
            token_count: None,
            tokens_estimated: false,
            min_threshold_bytes: tool_rules.floor,
            threshold_bytes: tool_rules.threshold,
            max_threshold_bytes: tool_rules.ceiling,
            max_output_tokens: tool_rules.max_output_tokens,
            headroom_tokens: None,
            kept_tokens: rules.kept_tokens(body.kept.len()),
            matched_override: tool_rules.matched.map(str::to_owned),
            failures: Vec::new(),
        };
        let mut gated = Gated { output, body, rules: tool_rules, decision };
        gated.decision.gate = gated.first_gate(store, rules.policy().dialect)?;
        // A token is at least one byte: an output of fewer bytes than the cap is below it with any
        // tokenizer.
        if gated.is_undecided()
            && let Some(cap) = gated.rules.max_output_tokens
            && gated.body.size_bytes > cap
            && gated.count_tokens(store, counter)? > cap
        {
            gated.decision.gate = Gate::TokenCap;
        }
        if matches!(gated.decision.gate, Gate::Ceiling | Gate::PerOutput | Gate::TokenCap) {
            gated.decision.action = gated.rules.offload;
        }
        Ok(gated)
    }

    fn first_gate(&self, store: &dyn Store, dialect: Dialect) -> Result<Gate, Error> {
        if self.rules.disabled {
            return Ok(Gate::Disabled);
        }
        if self.rules.exempt {
            return Ok(Gate::Exempt);
        }
        if dialect.has_tool(&self.output.tool) {
            return Ok(Gate::ArtifactTool);
        }
        let size = self.body.text_bytes(store, self.rules.floor..=self.rules.ceiling)?;
        Ok(match size {
            _ if size < self.rules.floor || size == 0 => Gate::BelowFloor,
            _ if size > self.rules.ceiling => Gate::Ceiling,
            _ if size > self.rules.threshold => Gate::PerOutput,
            _ => Gate::Fits,
        })
    }

    /// Returns whether no gate has applied yet.
    pub fn is_undecided(&self) -> bool {
        self.decision.gate == Gate::Fits
    }

    /// Offloads the output because the headroom is too small.
    pub fn offload_for_headroom(&mut self) {
        self.decision.gate = Gate::Headroom;
        self.decision.action = self.rules.offload;
    }

    /// Returns the number of tokens, counting them only once. If the host's tokenizer fails,
    /// estimates it from the bytes and records the failure in the decision.
    pub fn count_tokens(&mut self, store: &dyn Store, counter: Counter<'_>) -> Result<u64, Error> {
        if let Some(count) = self.decision.token_count {
            return Ok(count);
        }
        let counted = counter.count(&self.body.text(store)?);
        let count = counted.unwrap_or_else(|failure| {
            self.decision.tokens_estimated = true;
            self.decision.failures.push(failure);
            counter.estimate(self.body.size_bytes)
        });
        self.decision.token_count = Some(count);
        Ok(count)
    }
}
