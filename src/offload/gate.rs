//! The gates that inspect each output by itself, in the order of
//! `wit/offload.wit`. The headroom gate needs all outputs of a turn and has a
//! module of its own, `turn`.

use super::body::Body;
use crate::error::{Error, ErrorKind};
use crate::model::{Action, ArtifactTool, Decision, Gate, ToolOutput};
use crate::policy::{Rules, ToolRules};
use crate::ports::{CountTokens, Store};
use tuckaway_text::number;

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
        tokens: &dyn CountTokens,
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
        gated.decision.gate = gated.first_gate();
        // A token is at least one byte: an output of fewer bytes than the cap is
        // below it however it is tokenized.
        if gated.is_undecided()
            && let Some(cap) = gated.rules.max_output_tokens
            && gated.body.size_bytes > cap
            && gated.count_tokens(store, tokens, rules)? > cap
        {
            gated.decision.gate = Gate::TokenCap;
        }
        if matches!(gated.decision.gate, Gate::Ceiling | Gate::PerOutput | Gate::TokenCap) {
            gated.decision.action = gated.rules.offload;
        }
        Ok(gated)
    }

    fn first_gate(&self) -> Gate {
        let size = self.body.size_bytes;
        if self.rules.disabled {
            Gate::Disabled
        } else if self.rules.exempt {
            Gate::Exempt
        } else if ArtifactTool::from_name(&self.output.tool).is_some() {
            Gate::ArtifactTool
        } else if size < self.rules.floor || size == 0 {
            Gate::BelowFloor
        } else if size > self.rules.ceiling {
            Gate::Ceiling
        } else if size > self.rules.threshold {
            Gate::PerOutput
        } else {
            Gate::Fits
        }
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

    /// Returns the number of tokens, which is counted once. If the host's tokenizer
    /// fails, estimates it from the bytes and records the failure in the decision.
    pub fn count_tokens(
        &mut self,
        store: &dyn Store,
        tokens: &dyn CountTokens,
        rules: &Rules<'_>,
    ) -> Result<u64, Error> {
        if let Some(count) = self.decision.token_count {
            return Ok(count);
        }
        let size = self.body.size_bytes;
        let text = self.body.text(store)?;
        let counted = match tokens.count(&text) {
            Ok(count) if count <= text.len() as u64 => Ok(count),
            Ok(count) => Err(format!("it counted {count} tokens in {} bytes", text.len())),
            Err(why) => Err(why),
        };
        drop(text);
        let count = counted.unwrap_or_else(|why| {
            self.decision.tokens_estimated = true;
            self.decision.failures.push(Error::new(
                ErrorKind::Tokens,
                format!(
                    "The tokenizer failed ({why}); {} bytes per token were assumed instead.",
                    number(rules.policy().bytes_per_token)
                ),
            ));
            rules.estimate_tokens(size)
        });
        self.decision.token_count = Some(count);
        Ok(count)
    }
}
