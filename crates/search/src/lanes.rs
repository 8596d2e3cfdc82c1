//! Sixteen bytes that are compared and combined together.

/// The number of bytes in [`Lanes`].
pub const LANES: usize = 16;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use vector::Lanes;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use array::Lanes;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod vector {
    use core::arch::wasm32::{
        u8x16_bitmask, u8x16_eq, u8x16_le, u8x16_shr, u8x16_splat, u8x16_swizzle, u64x2, v128, v128_and,
        v128_andnot, v128_any_true, v128_or,
    };

    use super::LANES;

    /// One vector.
    #[derive(Clone, Copy, Debug)]
    pub struct Lanes(v128);

    impl Lanes {
        /// Returns the same byte in all lanes.
        #[inline(always)]
        pub fn splat(byte: u8) -> Self {
            Lanes(u8x16_splat(byte))
        }

        /// Returns the sixteen bytes as lanes. They are loaded as two words because safe code
        /// cannot read a vector; the compiler merges the loads into one instruction.
        #[inline(always)]
        pub fn load(bytes: &[u8; LANES]) -> Self {
            let word = |n: usize| u64::from_le_bytes(std::array::from_fn(|at| bytes[n + at]));
            Lanes(u64x2(word(0), word(8)))
        }

        /// Sets all bits of lanes that are equal in both, and clears the others.
        #[inline(always)]
        pub fn equal(self, other: Self) -> Self {
            Lanes(u8x16_eq(self.0, other.0))
        }

        /// Sets all bits of lanes that are at most the other's, and clears the others.
        #[inline(always)]
        pub fn at_most(self, other: Self) -> Self {
            Lanes(u8x16_le(self.0, other.0))
        }

        /// Returns the bits that are set in either.
        #[inline(always)]
        pub fn or(self, other: Self) -> Self {
            Lanes(v128_or(self.0, other.0))
        }

        /// Returns the bits that are set in both.
        #[inline(always)]
        pub fn and(self, other: Self) -> Self {
            Lanes(v128_and(self.0, other.0))
        }

        /// Returns the bits that are not set in the other.
        #[inline(always)]
        pub fn and_not(self, other: Self) -> Self {
            Lanes(v128_andnot(self.0, other.0))
        }

        /// Returns the lanes with the numbers `indices`, which are below 16.
        #[inline(always)]
        pub fn at(self, indices: Self) -> Self {
            Lanes(u8x16_swizzle(self.0, indices.0))
        }

        /// Returns the high four bits of each lane as its low ones.
        #[inline(always)]
        pub fn high_half(self) -> Self {
            Lanes(u8x16_shr(self.0, 4))
        }

        /// Returns whether any bit of any lane is set.
        #[inline(always)]
        pub fn any(self) -> bool {
            v128_any_true(self.0)
        }

        /// Returns the highest bit of each lane, the first lane's lowest.
        #[inline(always)]
        pub fn bits(self) -> u16 {
            u8x16_bitmask(self.0)
        }
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod array {
    use super::LANES;

    /// An array, which compilers vectorize where they can.
    #[derive(Clone, Copy, Debug)]
    pub struct Lanes([u8; LANES]);

    impl Lanes {
        /// Returns the same byte in all lanes.
        #[inline(always)]
        pub fn splat(byte: u8) -> Self {
            Lanes([byte; LANES])
        }

        /// Returns the sixteen bytes as lanes.
        #[inline(always)]
        pub fn load(bytes: &[u8; LANES]) -> Self {
            Lanes(*bytes)
        }

        /// Sets all bits of lanes that are equal in both, and clears the others.
        #[inline(always)]
        pub fn equal(self, other: Self) -> Self {
            self.with(other, |a, b| if a == b { 0xFF } else { 0 })
        }

        /// Sets all bits of lanes that are at most the other's, and clears the others.
        #[inline(always)]
        pub fn at_most(self, other: Self) -> Self {
            self.with(other, |a, b| if a <= b { 0xFF } else { 0 })
        }

        /// Returns the bits that are set in either.
        #[inline(always)]
        pub fn or(self, other: Self) -> Self {
            self.with(other, |a, b| a | b)
        }

        /// Returns the bits that are set in both.
        #[inline(always)]
        pub fn and(self, other: Self) -> Self {
            self.with(other, |a, b| a & b)
        }

        /// Returns the bits that are not set in the other.
        #[inline(always)]
        pub fn and_not(self, other: Self) -> Self {
            self.with(other, |a, b| a & !b)
        }

        /// Returns the lanes with the numbers `indices`, which are below 16.
        #[inline(always)]
        pub fn at(self, indices: Self) -> Self {
            Lanes(indices.0.map(|index| self.0[usize::from(index) % LANES]))
        }

        /// Returns the high four bits of each lane as its low ones.
        #[inline(always)]
        pub fn high_half(self) -> Self {
            Lanes(self.0.map(|lane| lane >> 4))
        }

        /// Returns whether any bit of any lane is set.
        #[inline(always)]
        pub fn any(self) -> bool {
            u128::from_le_bytes(self.0) != 0
        }

        /// Returns the highest bit of each lane, the first lane's lowest.
        #[inline(always)]
        pub fn bits(self) -> u16 {
            self.0.iter().rev().fold(0, |bits, lane| bits << 1 | u16::from(lane >> 7))
        }

        #[inline(always)]
        fn with(self, other: Self, each: impl Fn(u8, u8) -> u8) -> Self {
            Lanes(std::array::from_fn(|lane| each(self.0[lane], other.0[lane])))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lanes_are_what_their_bytes_are(a: [u8; LANES], small: [bool; LANES], byte: u8) {
            let b: [u8; LANES] = std::array::from_fn(|n| if small[n] { a[n] } else { a[n].wrapping_mul(7) });
            let (x, y) = (Lanes::load(&a), Lanes::load(&b));
            let bits = |holds: &dyn Fn(usize) -> bool| (0..LANES).fold(0, |bits, n| bits | u16::from(holds(n)) << n);
            prop_assert_eq!(x.bits(), bits(&|n| a[n] >= 0x80));
            prop_assert_eq!(x.equal(y).bits(), bits(&|n| a[n] == b[n]));
            prop_assert_eq!(x.at_most(y).bits(), bits(&|n| a[n] <= b[n]));
            prop_assert_eq!(x.at_most(Lanes::splat(byte)).bits(), bits(&|n| a[n] <= byte));
            prop_assert_eq!(x.or(y).bits(), bits(&|n| a[n] | b[n] >= 0x80));
            prop_assert_eq!(x.and(y).bits(), bits(&|n| a[n] & b[n] >= 0x80));
            prop_assert_eq!(x.and_not(y).bits(), bits(&|n| a[n] & !b[n] >= 0x80));
            prop_assert_eq!(x.any(), a != [0; LANES]);
            prop_assert_eq!(x.high_half().bits(), 0);
            prop_assert_eq!(x.at(y.high_half()).bits(), bits(&|n| a[usize::from(b[n] >> 4)] >= 0x80));
        }
    }

    #[test]
    fn a_single_lane_counts() {
        for n in 0..LANES {
            let mut bytes = [0; LANES];
            bytes[n] = 1;
            assert!(Lanes::load(&bytes).any());
            assert_eq!(Lanes::load(&bytes).equal(Lanes::splat(1)).bits(), 1 << n);
        }
        assert!(!Lanes::splat(0).any());
    }
}
