//! The headroom gate: all outputs of a turn share the remaining tokens of the conversation, and the
//! largest are reduced first.

use tuckaway_contract::{Action, Error, MIN_VIEW_BYTES, ToolOutput};

use super::envelope_limit;
use super::gate::Gated;
use super::tokens::{Counter, ViewLimits};
use crate::policy::Rules;
use crate::ports::Store;
use std::cmp::Reverse;
use tuckaway_text::{fair, order};

/// An output with its final decision.
pub struct Planned<'a> {
    /// The output, measured and decided.
    pub gated: Gated<'a>,
    /// The limits of its view if it is truncated; an envelope obeys the token limit, too.
    pub limits: ViewLimits,
}

/// Decides all outputs of a turn.
///
/// Outputs that no other gate offloads, and truncated outputs, share the headroom by max-min
/// fairness: small outputs get all they need, large outputs get equal shares. An output over its
/// share is truncated to it or, if offloading means an artifact, stored, largest first, until the
/// others fit.
pub fn plan<'a>(
    store: &dyn Store,
    counter: Counter<'_>,
    rules: &Rules<'a>,
    outputs: &'a [ToolOutput],
) -> Result<Vec<Planned<'a>>, Error> {
    let mut all = Vec::new();
    for output in outputs {
        all.push(Gated::new(store, counter, rules, output)?);
    }
    let shares = match rules.headroom_limit() {
        None => vec![None; all.len()],
        Some(limit) => {
            let kept: i128 = all.iter().filter_map(|gated| gated.decision.kept_tokens).map(i128::from).sum();
            let left = limit as i128 - rules.turn().used_tokens as i128 - kept;
            share(store, counter, rules, &mut all, left)?
        }
    };
    let planned = all.into_iter().zip(shares).map(|(gated, share)| {
        let limits = view_limits(rules, &gated, share);
        Planned { gated, limits }
    });
    Ok(planned.collect())
}

/// Applies the headroom gate to outputs that share `left` tokens. Returns the maximum tokens of
/// each output's view.
fn share(
    store: &dyn Store,
    counter: Counter<'_>,
    rules: &Rules<'_>,
    outputs: &mut [Gated<'_>],
    left: i128,
) -> Result<Vec<Option<u64>>, Error> {
    // A token is at least one byte. If all the bytes would fit as tokens, or if
    // nothing fits anyway, no count can change the decision.
    let most: i128 = outputs.iter().map(|gated| i128::from(max_tokens(rules, gated))).sum();
    if most > left && left > 0 && outputs.iter().any(is_elastic) {
        for gated in outputs.iter_mut().filter(|gated| gated.decision.action != Action::Artifact) {
            gated.count_tokens(store, counter)?;
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

    /// Returns the outputs that can become artifacts, the largest first, and the earliest first
    /// among equals.
    fn largest_storable(&self) -> Vec<usize> {
        let is_storable = |gated: &Gated<'_>| gated.is_undecided() && gated.rules.offload == Action::Artifact;
        let mut largest: Vec<usize> =
            (0..self.outputs.len()).filter(|&index| is_storable(&self.outputs[index])).collect();
        order::sort_by_key(&mut largest, |&index| Reverse(self.needs[index]));
        largest
    }

    /// Returns the fair share of the elastic outputs if the `stored` outputs become artifacts; it
    /// exceeds the need of each of them if all fit.
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

    /// Records each output's headroom in its decision, and returns the maximum tokens of its view:
    /// the tokens it needs and, if it is reduced, an equal share of the unused tokens.
    fn into_shares(self) -> Vec<Option<u64>> {
        let total: i128 = self.needs.iter().sum();
        let of = |action: Action| {
            let all = self.outputs.iter().zip(&self.needs);
            all.filter(|(gated, _)| gated.decision.action == action)
                .fold((0, 0), |(number, sum), (_, need)| (number + 1, sum + need))
        };
        let (artifacts, envelopes) = of(Action::Artifact);
        let (truncated, _) = of(Action::Truncate);
        let spare = (self.left - total).max(0) / (artifacts + truncated).max(1);
        // Envelopes get the rest. So does an artifact that cannot be stored and is truncated
        // instead.
        let others = total - envelopes + truncated * spare;
        let envelope = (self.left - others).max(0) / artifacts.max(1);
        let mut shares = Vec::new();
        for (gated, need) in self.outputs.iter_mut().zip(self.needs) {
            let left = (self.left - (total - need)).clamp(i64::MIN.into(), i64::MAX.into());
            gated.decision.headroom_tokens = Some(left as i64);
            let share = match gated.decision.action {
                Action::Artifact => envelope,
                Action::Truncate => need + spare,
                Action::Inline => need,
            };
            shares.push(Some(share.clamp(0, u64::MAX.into()) as u64));
        }
        shares
    }
}

/// Returns whether this gate can still make an output smaller.
fn is_elastic(gated: &Gated<'_>) -> bool {
    gated.is_undecided() || gated.decision.action == Action::Truncate
}

/// Returns the maximum tokens that an output's view can have, as decided so far.
fn max_tokens(rules: &Rules<'_>, gated: &Gated<'_>) -> u64 {
    match gated.decision.action {
        Action::Inline => gated.body.size_bytes,
        Action::Artifact => envelope_tokens(rules, gated),
        Action::Truncate => {
            let limits = view_limits(rules, gated, None);
            rules.estimate_tokens(limits.expected_bytes.clamp(MIN_VIEW_BYTES, limits.max_bytes) as u64)
        }
    }
}

fn envelope_tokens(rules: &Rules<'_>, gated: &Gated<'_>) -> u64 {
    rules.estimate_tokens(envelope_limit(rules, &gated.body, gated.rules.threshold) as u64)
}

/// Returns the limits of a truncated view: in bytes, the policy's; in tokens, the cap and the
/// output's share of the headroom.
fn view_limits(rules: &Rules<'_>, gated: &Gated<'_>, share: Option<u64>) -> ViewLimits {
    let policy = rules.policy();
    // No view needs more than its output; each byte of it may be shown as three.
    let allowed = policy.max_view_bytes.unwrap_or(gated.rules.threshold);
    let max_bytes = allowed.min(gated.body.size_bytes.saturating_mul(3));
    let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX).max(MIN_VIEW_BYTES);
    let max_tokens = [share, gated.rules.max_output_tokens].into_iter().flatten().min();
    let expected_bytes = max_tokens.map_or(usize::MAX, |tokens| {
        // Counted tokens give the average length of a token in this output.
        let bytes_per_token = match gated.decision.token_count {
            Some(count) if count > 0 => gated.body.size_bytes as f64 / count as f64,
            _ => policy.bytes_per_token,
        };
        (tokens as f64 * bytes_per_token) as usize
    });
    ViewLimits { max_bytes, max_tokens, expected_bytes }
}
