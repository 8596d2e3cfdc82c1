//! Room shared between values of different length.

/// The most that each may take so that all together take at most `room`:
/// max-min fairness. Everything if it fits.
pub fn fair_share(mut lengths: Vec<usize>, room: usize) -> usize {
    lengths.sort();
    let mut left = room;
    let mut share = usize::MAX;
    for (index, &length) in lengths.iter().enumerate() {
        share = left / (lengths.len() - index);
        if length > share {
            return share;
        }
        left -= length;
        share = usize::MAX;
    }
    share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_fair() {
        assert_eq!(fair_share(vec![1, 100, 2, 100], 43), 20);
        assert_eq!(fair_share(vec![1, 2], 3), usize::MAX);
        assert_eq!(fair_share(vec![], 3), usize::MAX);
    }
}
