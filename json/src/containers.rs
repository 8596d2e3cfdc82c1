//! Which containers are open, however many.

/// The open containers, a bit each: object or array.
#[derive(Clone, Debug, Default)]
pub(super) struct Containers {
    bits: Vec<u64>,
    depth: usize,
}

impl Containers {
    /// How many there are.
    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    #[inline]
    pub(super) fn push(&mut self, object: bool) {
        let (word, bit) = (self.depth / 64, self.depth % 64);
        if word == self.bits.len() {
            self.bits.push(0);
        }
        self.bits[word] = self.bits[word] & !(1 << bit) | (u64::from(object) << bit);
        self.depth += 1;
    }

    pub(super) fn pop(&mut self) {
        self.depth -= 1;
    }

    #[inline]
    pub(super) fn in_object(&self) -> bool {
        let last = self.depth - 1;
        self.bits[last / 64] >> (last % 64) & 1 == 1
    }
}
