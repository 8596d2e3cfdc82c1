//! Max-min fair shares of a budget: small needs are met, and the rest is divided equally
//! among the large ones.

use crate::order;

/// Returns the limit of each share such that all shares together are at most `budget`;
/// `u64::MAX` if all needs are met.
pub fn share(needs: impl IntoIterator<Item = u64>, budget: u64) -> u64 {
    let mut needs: Vec<u64> = needs.into_iter().collect();
    order::sort(&mut needs);
    let mut left = budget;
    for (index, &need) in needs.iter().enumerate() {
        let level = left / (needs.len() - index) as u64;
        if need > level {
            return level;
        }
        left -= need;
    }
    u64::MAX
}

/// Returns the [`share`] of lengths in bytes.
pub fn share_of_bytes(lengths: impl IntoIterator<Item = usize>, budget: usize) -> usize {
    let lengths = lengths.into_iter().map(|length| length as u64);
    usize::try_from(share(lengths, budget as u64)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn large_needs_get_equal_shares() {
        for (needs, budget, level) in [
            (&[10, 20][..], 30, u64::MAX),
            (&[10, 90, 100], 120, 55),
            (&[100, 10, 90], 120, 55),
            (&[1, 100, 2, 100], 43, 20),
            (&[10, 20], 0, 0),
            (&[u64::MAX, u64::MAX], u64::MAX, u64::MAX / 2),
            (&[], 0, u64::MAX),
        ] {
            assert_eq!(share(needs.iter().copied(), budget), level, "{needs:?} of {budget}");
        }
    }

    proptest! {
        #[test]
        fn shares_use_the_budget_up(needs in prop::collection::vec(0u64..100, 0..12), budget in 0u64..600) {
            let level = share(needs.iter().copied(), budget);
            let taken = |level: u64| needs.iter().map(|&need| need.min(level)).sum::<u64>();
            prop_assert!(taken(level) <= budget);
            prop_assert!(level == u64::MAX || taken(level + 1) > budget);
            let lengths = needs.iter().map(|&need| need as usize);
            prop_assert_eq!(share_of_bytes(lengths, budget as usize) as u64, level);
        }
    }
}
