//! The open containers, one bit each.

/// The open containers, with a bit each that is set for an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Containers {
    /// Up to 64 innermost containers, the last in the lowest bit.
    inner: u64,
    /// The containers around them, 64 in a word.
    outer: Vec<u64>,
    depth: usize,
}

impl Containers {
    /// Returns their number.
    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    #[inline]
    pub(super) fn push(&mut self, object: bool) {
        if self.depth.is_multiple_of(64) && self.depth > 0 {
            self.outer.push(self.inner);
        }
        self.inner = self.inner << 1 | u64::from(object);
        self.depth += 1;
    }

    pub(super) fn pop(&mut self) {
        self.depth -= 1;
        match self.depth % 64 {
            0 => self.inner = self.outer.pop().unwrap_or(0),
            _ => self.inner >>= 1,
        }
    }

    #[inline]
    pub(super) fn in_object(&self) -> bool {
        self.inner & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_containers_is_remembered() {
        let is_object = |depth: usize| depth.is_multiple_of(3) || depth.is_multiple_of(64);
        let mut open = Containers::default();
        for _ in 0..2 {
            (0..300).for_each(|depth| open.push(is_object(depth)));
            for depth in (0..300).rev() {
                assert_eq!((open.depth(), open.in_object()), (depth + 1, is_object(depth)));
                open.pop();
            }
        }
    }
}
