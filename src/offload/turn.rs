//! The headroom gate: all outputs of a turn share the tokens that the conversation
//! has left, and the largest are reduced first.

use super::gate::Gated;
use super::{MIN_VIEW_BYTES, envelope_limit};
use crate::error::Error;
use crate::model::{Action, ToolOutput};
use crate::policy::Rules;
use crate::ports::{CountTokens, Store};
use tuckaway_text::fair;

/// An output with its final decision.
pub struct Planned<'a> {
    /// The output, measured and decided.
    pub gated: Gated<'a>,
    /// The most bytes of its view if it is truncated.
    pub view_limit: usize,
}

/// Decides all outputs of a turn.
///
/// The outputs that no other gate offloads, and those that are truncated, share the
/// headroom by max-min fairness: small ones get all they need, large ones get
/// equal shares. An output over its share is truncated to it, or, if offloading
/// means an artifact, stored: the largest first, until the others fit.
pub fn plan<'a>(
    store: &dyn Store,
    tokens: &dyn CountTokens,
    rules: &Rules<'a>,
    outputs: &'a [ToolOutput],
) -> Result<Vec<Planned<'a>>, Error> {
    let mut all = Vec::new();
    for output in outputs {
        all.push(Gated::new(store, tokens, rules, output)?);
    }
    let shares = match rules.headroom_limit() {
        None => vec![None; all.len()],
        Some(limit) => {
            let kept: i128 = all.iter().filter_map(|gated| gated.decision.kept_tokens).map(i128::from).sum();
            let left = limit as i128 - rules.turn().used_tokens as i128 - kept;
            share(store, tokens, rules, &mut all, left)?
        }
    };
    let planned = all.into_iter().zip(shares).map(|(gated, share)| {
        let view_limit = view_limit(rules, &gated, share);
        Planned { gated, view_limit }
    });
    Ok(planned.collect())
}

/// Applies the headroom gate to outputs that share `left` tokens. Returns the share
/// of each output in tokens.
fn share(
    store: &dyn Store,
    tokens: &dyn CountTokens,
    rules: &Rules<'_>,
    outputs: &mut [Gated<'_>],
    left: i128,
) -> Result<Vec<Option<u64>>, Error> {
    // A token is at least one byte. If all the bytes would fit as tokens, or if
    // nothing fits anyway, no count can change the decision.
    let most: i128 = outputs.iter().map(|gated| i128::from(max_tokens(rules, gated))).sum();
    if most > left && left > 0 && outputs.iter().any(is_elastic) {
        for gated in outputs.iter_mut().filter(|gated| gated.decision.action != Action::Artifact) {
            gated.count_tokens(store, tokens, rules)?;
        }
    }
    let mut headroom = Headroom::new(rules, outputs, left);
    headroom.offload();
    Ok(headroom.into_shares())
}

/// The outputs of a turn, and the tokens that they share.
struct Headroom<'t, 'a> {
    outputs: &'t mut [Gated<'a>],
    /// Tokens that each output's view needs, as decided so far.
    needs: Vec<i128>,
    /// Tokens that each output's envelope needs.
    envelopes: Vec<i128>,
    /// Tokens to share; negative if the conversation already exceeds its limit.
    left: i128,
}

impl<'t, 'a> Headroom<'t, 'a> {
    fn new(rules: &Rules<'_>, outputs: &'t mut [Gated<'a>], left: i128) -> Self {
        let need = |gated: &Gated<'_>| {
            i128::from(gated.decision.token_count.unwrap_or(u64::MAX).min(max_tokens(rules, gated)))
        };
        let needs = outputs.iter().map(need).collect();
        let envelopes = outputs.iter().map(|gated| i128::from(envelope_tokens(rules, gated))).collect();
        Headroom { outputs, needs, envelopes, left }
    }

    /// Offloads as few outputs as possible: first to artifacts, then every other
    /// output that is still over its fair share.
    fn offload(&mut self) {
        let candidates = self.largest_storable();
        // The fewest artifacts that bring all other outputs within their shares:
        // the more outputs are stored, the larger the shares.
        let (mut too_few, mut enough) = (0, candidates.len());
        while too_few < enough {
            let middle = (too_few + enough) / 2;
            let next = self.needs[candidates[middle]];
            match next > self.level_without(&candidates[..middle]) {
                true => too_few = middle + 1,
                false => enough = middle,
            }
        }
        let level = self.level_without(&candidates[..enough]);
        for &index in &candidates[..enough] {
            self.outputs[index].offload_for_headroom();
            self.needs[index] = self.envelopes[index];
        }
        self.limit_to(level);
    }

    /// Returns the outputs that can become artifacts, the largest first; of equal
    /// ones the earliest first.
    fn largest_storable(&self) -> Vec<usize> {
        let is_storable = |gated: &Gated<'_>| gated.is_undecided() && gated.rules.offload == Action::Artifact;
        let mut largest: Vec<usize> =
            (0..self.outputs.len()).filter(|&index| is_storable(&self.outputs[index])).collect();
        largest.sort_by(|&l, &r| self.needs[r].cmp(&self.needs[l]));
        largest
    }

    /// Returns the fair share of the elastic outputs if the `stored` ones become
    /// artifacts; more than any of them needs if all fit.
    fn level_without(&self, stored: &[usize]) -> i128 {
        let mut needs = self.needs.clone();
        let mut elastic: Vec<bool> = self.outputs.iter().map(is_elastic).collect();
        for &index in stored {
            needs[index] = self.envelopes[index];
            elastic[index] = false;
        }
        // Outputs that pass in any case take their tokens first.
        let fixed: i128 =
            needs.iter().zip(&elastic).filter(|(_, elastic)| !**elastic).map(|(need, _)| need).sum();
        let shared = needs.iter().zip(&elastic).filter(|(_, elastic)| **elastic);
        let shared = shared.map(|(&need, _)| u64::try_from(need).unwrap_or(u64::MAX));
        let budget = (self.left - fixed).clamp(0, u64::MAX.into()) as u64;
        i128::from(fair::share(shared, budget))
    }

    /// Reduces every elastic output that needs more than `level` tokens.
    fn limit_to(&mut self, level: i128) {
        for (gated, need) in self.outputs.iter_mut().zip(&mut self.needs) {
            if is_elastic(gated) && *need > level {
                if gated.is_undecided() {
                    gated.offload_for_headroom();
                }
                *need = level;
            }
        }
    }

    /// Records each output's headroom in its decision, and returns its share.
    fn into_shares(self) -> Vec<Option<u64>> {
        let total: i128 = self.needs.iter().sum();
        let is_artifact = |gated: &Gated<'_>| gated.decision.action == Action::Artifact;
        let (mut envelopes, mut artifacts) = (0, 0);
        for (_, need) in self.outputs.iter().zip(&self.needs).filter(|(gated, _)| is_artifact(gated)) {
            envelopes += need;
            artifacts += 1;
        }
        // An artifact that cannot be stored is truncated instead: to an equal share
        // of what the other outputs leave.
        let fallback = (self.left - (total - envelopes)).max(0) / artifacts.max(1);
        let mut shares = Vec::new();
        for (gated, need) in self.outputs.iter_mut().zip(self.needs) {
            let left = (self.left - (total - need)).clamp(i64::MIN.into(), i64::MAX.into());
            gated.decision.headroom_tokens = Some(left as i64);
            let share = if is_artifact(gated) { fallback } else { need };
            shares.push(Some(u64::try_from(share).unwrap_or(0)));
        }
        shares
    }
}

/// Returns whether this gate can still make an output smaller.
fn is_elastic(gated: &Gated<'_>) -> bool {
    gated.is_undecided() || gated.decision.action == Action::Truncate
}

/// Returns the most tokens that an output's view can have, as decided so far.
fn max_tokens(rules: &Rules<'_>, gated: &Gated<'_>) -> u64 {
    match gated.decision.action {
        Action::Inline => gated.body.size_bytes,
        Action::Artifact => envelope_tokens(rules, gated),
        Action::Truncate => rules.estimate_tokens(view_limit(rules, gated, None) as u64),
    }
}

fn envelope_tokens(rules: &Rules<'_>, gated: &Gated<'_>) -> u64 {
    rules.estimate_tokens(envelope_limit(rules, &gated.body, gated.rules.threshold) as u64)
}

/// Returns the most bytes of a truncated view: the least of the policy's limits and
/// the output's share of the headroom, but at least [`MIN_VIEW_BYTES`].
fn view_limit(rules: &Rules<'_>, gated: &Gated<'_>, share: Option<u64>) -> usize {
    let policy = rules.policy();
    let allowed = policy.max_view_bytes.unwrap_or(gated.rules.threshold);
    let tokens = [share, gated.rules.max_output_tokens].into_iter().flatten().min();
    let token_bytes = tokens.map_or(u64::MAX, |tokens| {
        // Counted tokens give the average length of a token in this output.
        let bytes_per_token = match gated.decision.token_count {
            Some(count) if count > 0 => gated.body.size_bytes as f64 / count as f64,
            _ => policy.bytes_per_token,
        };
        (tokens as f64 * bytes_per_token) as u64
    });
    usize::try_from(allowed.min(token_bytes)).unwrap_or(usize::MAX).max(MIN_VIEW_BYTES)
}
