//! The gates that look at one output alone, in the order that `wit/offload.wit`
//! gives.
//! The ninth, headroom, looks at all outputs of a turn: see [`super::turn`].

use super::body::Body;
use crate::error::{Error, ErrorKind};
use crate::model::{Action, ArtifactTool, Decision, Gate, ToolOutput};
use crate::policy::{Rules, ToolRules};
use crate::ports::{CountTokens, Store};
use tuckaway_text::number;

/// An output that is on its way through the gates.
pub struct Gated<'a> {
    /// What it is.
    pub output: &'a ToolOutput,
    /// Its bytes and their measure.
    pub body: Body<'a>,
    /// What the policy says for its tool.
    pub rules: ToolRules<'a>,
    /// The decision so far: `Fits` where no gate has held yet.
    pub decision: Decision,
}

impl<'a> Gated<'a> {
    /// Asks the gates that need nothing but the output, up to the token cap.
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
        // A token is at least one byte: no count can pass a cap that bytes do not.
        if gated.is_open()
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

    /// Whether no gate has held yet.
    pub fn is_open(&self) -> bool {
        self.decision.gate == Gate::Fits
    }

    /// Offloads for want of headroom.
    pub fn give_way(&mut self) {
        self.decision.gate = Gate::Headroom;
        self.decision.action = self.rules.offload;
    }

    /// Its tokens, counted once; estimated from its bytes where the host's
    /// tokenizer fails, which the decision says.
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
