//! The headroom gate: all outputs of a turn share what the conversation has
//! left, and the largest give way first.

use super::gate::Gated;
use super::{MIN_VIEW_BYTES, envelope_limit};
use crate::error::Error;
use crate::model::{Action, ToolOutput};
use crate::policy::Rules;
use crate::ports::{CountTokens, Store};

/// An output with its decision made.
pub struct Planned<'a> {
    /// The output, measured and decided.
    pub gated: Gated<'a>,
    /// The bound of its view, should it be truncated, in bytes.
    pub view_limit: usize,
}

/// Decides all outputs of a turn.
///
/// Those that no gate of their own offloads, and those that are truncated, take
/// their shares of the headroom by max-min fairness: the small ones all they
/// need, the large ones the same share each. One that is over its share is
/// truncated to it, or, where offloading means an artifact, put away, the
/// largest first, until the others fit.
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

/// Applies the headroom gate where `left` tokens are to be shared. Gives each
/// output's share in tokens.
fn share(
    store: &dyn Store,
    tokens: &dyn CountTokens,
    rules: &Rules<'_>,
    all: &mut [Gated<'_>],
    left: i128,
) -> Result<Vec<Option<u64>>, Error> {
    // A token is at least one byte. Where all the bytes would fit as tokens,
    // or nothing fits anyway, no count can change the decision.
    let most: i128 = all.iter().map(|gated| i128::from(most_tokens(rules, gated))).sum();
    if most > left && left > 0 && all.iter().any(is_elastic) {
        for gated in all.iter_mut().filter(|gated| gated.decision.action != Action::Artifact) {
            gated.count_tokens(store, tokens, rules)?;
        }
    }
    let mut needs: Vec<i128> = all
        .iter()
        .map(|gated| {
            i128::from(gated.decision.token_count.unwrap_or(u64::MAX).min(most_tokens(rules, gated)))
        })
        .collect();
    let envelopes: Vec<i128> = all.iter().map(|gated| i128::from(envelope_tokens(rules, gated))).collect();
    // Those that can be put away, the largest first; of equals the earliest.
    let mut largest: Vec<usize> =
        (0..all.len()).filter(|&i| all[i].is_open() && all[i].rules.offload == Action::Artifact).collect();
    largest.sort_by(|&l, &r| needs[r].cmp(&needs[l]));
    // The fewest of them that have to go, so that none of the others is over
    // its share: the more go, the larger the shares.
    let level_without = |gone: &[usize]| {
        let mut needs = needs.clone();
        gone.iter().for_each(|&i| needs[i] = envelopes[i]);
        let mut elastic: Vec<bool> = all.iter().map(is_elastic).collect();
        gone.iter().for_each(|&i| elastic[i] = false);
        // What passes whatever happens takes its share first.
        let fixed: i128 =
            needs.iter().zip(&elastic).filter(|(_, elastic)| !**elastic).map(|(need, _)| need).sum();
        let shared = needs.iter().zip(&elastic).filter(|(_, elastic)| **elastic).map(|(&need, _)| need);
        fair_level(shared.collect(), left - fixed)
    };
    let (mut too_few, mut enough) = (0, largest.len());
    while too_few < enough {
        let middle = (too_few + enough) / 2;
        let next = needs[largest[middle]];
        match level_without(&largest[..middle]) {
            Some(level) if next > level => too_few = middle + 1,
            _ => enough = middle,
        }
    }
    let level = level_without(&largest[..enough]);
    for &i in &largest[..enough] {
        all[i].give_way();
        needs[i] = envelopes[i];
    }
    if let Some(level) = level {
        for (gated, need) in all.iter_mut().zip(&mut needs).filter(|(gated, _)| is_elastic(gated)) {
            if *need > level {
                if gated.is_open() {
                    gated.give_way();
                }
                *need = level;
            }
        }
    }
    let total: i128 = needs.iter().sum();
    // Where an artifact can't be stored, a truncation stands in: of what the
    // others leave, each gets the same.
    let is_artifact = |gated: &Gated<'_>| gated.decision.action == Action::Artifact;
    let envelopes: i128 =
        all.iter().zip(&needs).filter(|(gated, _)| is_artifact(gated)).map(|(_, need)| need).sum();
    let artifacts = all.iter().filter(|gated| is_artifact(gated)).count().max(1) as i128;
    let stand_in = (left - (total - envelopes)).max(0) / artifacts;
    let mut shares = Vec::new();
    for (gated, need) in all.iter_mut().zip(needs) {
        let left = (left - (total - need)).clamp(i64::MIN.into(), i64::MAX.into());
        gated.decision.headroom_tokens = Some(left as i64);
        let share = if is_artifact(gated) { stand_in } else { need };
        shares.push(Some(u64::try_from(share).unwrap_or(0)));
    }
    Ok(shares)
}

/// Whether an output can still be made smaller by this gate.
fn is_elastic(gated: &Gated<'_>) -> bool {
    gated.is_open() || gated.decision.action == Action::Truncate
}

/// The most tokens that an output's view can come to as decided so far.
fn most_tokens(rules: &Rules<'_>, gated: &Gated<'_>) -> u64 {
    match gated.decision.action {
        Action::Inline => gated.body.size_bytes,
        Action::Artifact => envelope_tokens(rules, gated),
        Action::Truncate => rules.estimate_tokens(view_limit(rules, gated, None) as u64),
    }
}

fn envelope_tokens(rules: &Rules<'_>, gated: &Gated<'_>) -> u64 {
    rules.estimate_tokens(envelope_limit(rules, &gated.body, gated.rules.threshold) as u64)
}

/// The most that each may take so that all together take at most `left`; none
/// if all fit as they are.
pub fn fair_level(mut needs: Vec<i128>, left: i128) -> Option<i128> {
    needs.sort();
    let mut left = left.max(0);
    let count = needs.len() as i128;
    for (index, need) in needs.into_iter().enumerate() {
        let level = left / (count - index as i128);
        if need > level {
            return Some(level);
        }
        left -= need;
    }
    None
}

/// The bound of a truncated view: what the policy allows, in bytes and in tokens,
/// and the share of the headroom leaves, but never less than one can read.
fn view_limit(rules: &Rules<'_>, gated: &Gated<'_>, share: Option<u64>) -> usize {
    let policy = rules.policy();
    let allowed = policy.max_view_bytes.unwrap_or(gated.rules.threshold);
    let tokens = [share, gated.rules.max_output_tokens].into_iter().flatten().min();
    let token_bytes = tokens.map_or(u64::MAX, |tokens| {
        // Where the tokens were counted, they say how long one is here.
        let bytes_per_token = match gated.decision.token_count {
            Some(count) if count > 0 => gated.body.size_bytes as f64 / count as f64,
            _ => policy.bytes_per_token,
        };
        (tokens as f64 * bytes_per_token) as u64
    });
    usize::try_from(allowed.min(token_bytes)).unwrap_or(usize::MAX).max(MIN_VIEW_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_fair() {
        assert_eq!(fair_level(vec![10, 20], 30), None);
        assert_eq!(fair_level(vec![10, 90, 100], 120), Some(55));
        assert_eq!(fair_level(vec![10, 20], -5), Some(0));
        assert_eq!(fair_level(vec![], -5), None);
    }
}
