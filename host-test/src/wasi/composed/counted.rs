//! Random numbers and a clock with which a store mints the ids and times of a case's world.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rand::TryRng;
use wasmtime_wasi::HostWallClock;

use crate::world::EPOCH;

/// The value of a random byte for the digit 0 of an id, whose characters are `a` to `z` and `0` to `9`.
const ZERO: u8 = 26;

/// A source of random numbers that counts the artifacts, and a clock that shows a second for each.
#[derive(Clone)]
pub struct Counted(Arc<Mutex<Count>>);

struct Count {
    /// The artifacts begun so far.
    minted: u64,
    /// The numbers that are drawn next.
    drawn: Vec<u64>,
    /// Whether a number is drawn for the seal of an artifact, too.
    with_seals: bool,
    /// How often the clock was read since an artifact was begun that is not sealed.
    reads: Option<u64>,
}

impl Counted {
    /// Creates the numbers of a new world. With `with_seals`, an artifact takes numbers when it is
    /// begun, before its store reads the clock, and again when it is sealed, after a second reading.
    pub fn new(with_seals: bool) -> Self {
        Counted(Arc::new(Mutex::new(Count { minted: 0, drawn: Vec::new(), with_seals, reads: None })))
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Count {
    fn next(&mut self) -> u64 {
        if self.drawn.is_empty() {
            let is_seal = self.with_seals && self.reads.is_some_and(|reads| reads >= 2);
            self.reads = (!is_seal).then_some(0);
            self.minted += u64::from(!is_seal);
            // 16 bytes: the digits are the first ten.
            let mut bytes = [ZERO; 16];
            let digits = format!("{:010}", self.minted);
            for (byte, digit) in bytes.iter_mut().zip(digits.bytes()) {
                *byte = ZERO + (digit - b'0');
            }
            let halves =
                bytes.chunks_exact(8).map(|half| u64::from_le_bytes(half.try_into().expect("8 bytes")));
            self.drawn = halves.rev().collect();
        }
        self.drawn.pop().expect("two numbers were made")
    }
}

impl TryRng for Counted {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.lock().next() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.lock().next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for part in bytes.chunks_mut(8) {
            let number = self.lock().next().to_le_bytes();
            part.copy_from_slice(&number[..part.len()]);
        }
        Ok(())
    }
}

impl HostWallClock for Counted {
    fn resolution(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn now(&self) -> Duration {
        let mut count = self.lock();
        count.reads = count.reads.map(|reads| reads + 1);
        Duration::from_secs(EPOCH + count.minted)
    }
}
