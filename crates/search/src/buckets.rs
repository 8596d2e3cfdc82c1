//! Groups the texts of a multi-text search into buckets so that as few other bytes as possible
//! pass.

use crate::byte::Byte;

/// Bytes of a text that are compared.
pub const BYTES: usize = 4;
/// Bytes whose high half is compared, too. The high halves of the others add little: most bytes are
/// lower-case letters.
pub const HIGH_BYTES: usize = 2;
/// One for each bit of a byte.
pub const BUCKETS: usize = 8;

/// The frequencies of each low half and each high half in bytes of words and of JSON, per mille.
const LOW: [u16; 16] = [126, 66, 108, 76, 84, 100, 36, 38, 39, 66, 33, 17, 50, 36, 59, 66];
const HIGH: [u16; 16] = [12, 12, 178, 93, 44, 44, 348, 177, 12, 12, 12, 12, 12, 12, 12, 12];

/// The halves that occur in the first bytes of some texts, with one bit for each of sixteen.
#[derive(Clone, Copy, Default)]
pub struct Halves {
    /// The low halves at each offset.
    pub low: [u16; BYTES],
    /// The high halves.
    pub high: [u16; BYTES],
}

impl Halves {
    /// Returns the halves of one text. Anything may follow its end.
    fn of(text: &[Byte]) -> Self {
        let mut halves = Halves { low: [u16::MAX; BYTES], high: [u16::MAX; BYTES] };
        for (offset, byte) in text.iter().take(BYTES).enumerate() {
            let bits =
                |half: fn(u8) -> u8| byte.cases().into_iter().fold(0, |bits, byte| bits | 1 << half(byte));
            halves.low[offset] = bits(|byte| byte & 0x0F);
            halves.high[offset] = bits(|byte| byte >> 4);
        }
        halves
    }

    fn or(mut self, other: &Halves) -> Self {
        self.low.iter_mut().zip(other.low).for_each(|(bits, more)| *bits |= more);
        self.high.iter_mut().zip(other.high).for_each(|(bits, more)| *bits |= more);
        self
    }

    /// Estimates the probability that the search stops at bytes of none of the texts.
    fn likelihood(&self) -> f32 {
        let of = |bits: &u16, weights: &[u16; 16]| {
            let (mut left, mut sum) = (*bits, 0);
            while left != 0 {
                sum += weights[left.trailing_zeros() as usize];
                left &= left - 1;
            }
            f32::from(sum) / 1000.0
        };
        let low = self.low.iter().map(|bits| of(bits, &LOW));
        low.chain(self.high[..HIGH_BYTES].iter().map(|bits| of(bits, &HIGH))).product()
    }
}

/// Some texts, by their indices.
pub struct Bucket {
    /// The indices.
    pub texts: Vec<usize>,
    /// The halves of these texts.
    pub halves: Halves,
    likelihood: f32,
}

/// Distributes texts over at most [`BUCKETS`]. Each text starts in its own bucket; then the two
/// buckets whose union lets the fewest other bytes pass are joined, repeatedly.
pub fn distribute(texts: &[Vec<Byte>]) -> Vec<Bucket> {
    let alone = |(index, text): (usize, &Vec<Byte>)| {
        let halves = Halves::of(text);
        Bucket { texts: vec![index], halves, likelihood: halves.likelihood() }
    };
    let mut buckets: Vec<Bucket> = texts.iter().enumerate().map(alone).collect();
    while buckets.len() > BUCKETS {
        let (mut least, mut pair) = (f32::INFINITY, (0, 1));
        for (second, b) in buckets.iter().enumerate() {
            for (first, a) in buckets[..second].iter().enumerate() {
                let added = a.halves.or(&b.halves).likelihood() - a.likelihood - b.likelihood;
                if added < least {
                    (least, pair) = (added, (first, second));
                }
            }
        }
        let joined = buckets.swap_remove(pair.1);
        let bucket = &mut buckets[pair.0];
        bucket.texts.extend(joined.texts);
        bucket.halves = bucket.halves.or(&joined.halves);
        bucket.likelihood = bucket.halves.likelihood();
    }
    buckets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: &[&str]) -> Vec<Vec<Byte>> {
        all.iter().map(|text| text.bytes().map(Byte::exactly).collect()).collect()
    }

    #[test]
    fn texts_that_begin_alike_share_a_bucket() {
        let all = texts(&["aaaa", "aaab", "bbbb", "cccc", "dddd", "eeee", "ffff", "gggg", "zzzz"]);
        let buckets = distribute(&all);
        let mut indices: Vec<usize> = buckets.iter().flat_map(|bucket| bucket.texts.clone()).collect();
        indices.sort();
        assert_eq!((buckets.len(), indices), (BUCKETS, (0..all.len()).collect()));
        assert!(buckets.iter().any(|bucket| bucket.texts == [0, 1]));
        assert_eq!(distribute(&all[..3]).len(), 3);
    }

    #[test]
    fn a_likelihood_is_that_of_the_bytes_that_fit() {
        assert_eq!(Halves::default().likelihood(), 0.0);
        let one = Halves::of(&texts(&["    "])[0]);
        assert!((one.likelihood() - 0.126f32.powi(4) * 0.178f32.powi(2)).abs() < 1e-6);
        let short = Halves::of(&texts(&["   "])[0]);
        assert!(short.likelihood() > 5.0 * one.likelihood());
    }
}
