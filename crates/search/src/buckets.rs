//! Which texts share a bucket of [`Fingerprints`](crate::fingerprints): those that together
//! let the least else pass.

use crate::byte::Byte;

/// Bytes of a text that are compared.
pub const BYTES: usize = 4;
/// Bytes of which the high half is compared, too. Those of the others tell little more: most
/// bytes are small letters.
pub const HIGH_BYTES: usize = 2;
/// As many as a byte has bits.
pub const BUCKETS: usize = 8;

/// How often bytes have each low half and each high half in the outputs of tools, per mille.
const LOW: [u16; 16] = [188, 63, 110, 67, 67, 81, 29, 28, 30, 51, 48, 64, 45, 37, 46, 49];
const HIGH: [u16; 16] = [13, 0, 236, 254, 34, 79, 238, 138, 3, 1, 1, 1, 1, 1, 3, 1];

/// Texts are moved from bucket to bucket at most so often.
const ROUNDS: usize = 4;

/// Which halves the first bytes of some texts have, as one bit for each of sixteen.
#[derive(Clone, Copy, Default)]
pub struct Halves {
    /// The low halves at each offset.
    pub low: [u16; BYTES],
    /// The high halves at the first offsets.
    pub high: [u16; HIGH_BYTES],
}

impl Halves {
    /// Returns those of one text. Whatever is behind its end fits.
    fn of(text: &[Byte]) -> Self {
        let mut halves = Halves { low: [u16::MAX; BYTES], high: [u16::MAX; HIGH_BYTES] };
        for (offset, byte) in text.iter().take(BYTES).enumerate() {
            let bits =
                |half: fn(u8) -> u8| byte.cases().into_iter().fold(0, |bits, byte| bits | 1 << half(byte));
            halves.low[offset] = bits(|byte| byte & 0x0F);
            if let Some(high) = halves.high.get_mut(offset) {
                *high = bits(|byte| byte >> 4);
            }
        }
        halves
    }

    /// Returns those of these texts together.
    fn of_all(texts: &[Halves], indices: impl Iterator<Item = usize>) -> Self {
        indices.fold(Halves::default(), |all, index| all.and(&texts[index]))
    }

    fn and(mut self, other: &Halves) -> Self {
        self.low.iter_mut().zip(other.low).for_each(|(bits, more)| *bits |= more);
        self.high.iter_mut().zip(other.high).for_each(|(bits, more)| *bits |= more);
        self
    }

    /// Estimates how likely it is that bytes fit which are of none of the texts.
    fn likelihood(&self) -> f32 {
        let of = |bits: u16, weights: &[u16; 16]| {
            let sum: u16 = (0..16).filter(|half| bits >> half & 1 == 1).map(|half| weights[half]).sum();
            f32::from(sum) / 1e3
        };
        let low = self.low.iter().map(|&bits| of(bits, &LOW));
        low.chain(self.high.iter().map(|&bits| of(bits, &HIGH))).product()
    }
}

/// Distributes sorted texts over buckets. Returns the indices of each bucket's, and the halves
/// that these have.
///
/// At first each bucket has as many that follow each other; then each text moves to the bucket
/// where it makes the least else fit.
pub fn distribute(texts: &[Vec<Byte>]) -> [(Vec<usize>, Halves); BUCKETS] {
    let halves: Vec<Halves> = texts.iter().map(|text| Halves::of(text)).collect();
    let mut bucket_of: Vec<usize> = (0..texts.len()).map(|index| index * BUCKETS / texts.len()).collect();
    for _ in 0..ROUNDS {
        let before = bucket_of.clone();
        for index in 0..texts.len() {
            let added = |bucket: usize| {
                let others = members(&bucket_of, bucket).filter(|&other| other != index);
                let others = Halves::of_all(&halves, others);
                others.and(&halves[index]).likelihood() - others.likelihood()
            };
            let least = (0..BUCKETS).min_by(|&a, &b| added(a).total_cmp(&added(b)));
            bucket_of[index] = least.unwrap_or(bucket_of[index]);
        }
        if bucket_of == before {
            break;
        }
    }
    std::array::from_fn(|bucket| {
        let halves = Halves::of_all(&halves, members(&bucket_of, bucket));
        (members(&bucket_of, bucket).collect(), halves)
    })
}

/// Returns the indices of the texts in a bucket.
fn members(bucket_of: &[usize], bucket: usize) -> impl Iterator<Item = usize> {
    let all = bucket_of.iter().enumerate();
    all.filter(move |&(_, other)| *other == bucket).map(|(index, _)| index)
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
        let sizes: Vec<usize> =
            buckets.iter().map(|(members, _)| members.len()).filter(|&len| len > 0).collect();
        assert_eq!(sizes.iter().sum::<usize>(), all.len());
        assert!(buckets.iter().any(|(members, _)| *members == [0, 1]), "{sizes:?}");
    }

    #[test]
    fn a_likelihood_is_that_of_the_bytes_that_fit() {
        assert_eq!(Halves::default().likelihood(), 0.0);
        let one = Halves::of(&texts(&["    "])[0]);
        assert!((one.likelihood() - 0.188f32.powi(4) * 0.236f32.powi(2)).abs() < 1e-6);
        let short = Halves::of(&texts(&["   "])[0]);
        assert!(short.likelihood() > 5.0 * one.likelihood());
    }
}
