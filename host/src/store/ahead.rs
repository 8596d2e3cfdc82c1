//! Reading ahead in files: while a query inspects a part, the next one is read on another thread.

use std::collections::VecDeque;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;
use tuckaway_contract::StoreError;

use crate::fork::Step;

type Bytes = Result<Vec<u8>, StoreError>;

/// The artifacts whose last read is remembered: more than that are rarely read at the same time.
const MAX_READERS: usize = 16;

/// How long a part that was read ahead may be used: whoever asks later sees the file as it is then.
const MAX_AGE: Duration = Duration::from_secs(1);

/// Reads parts of artifacts on tokio's blocking threads. If the same artifact is read twice in a row, with the same
/// length and the second part behind the first, the third is read before it is requested. A part that was
/// read ahead is used within a second or not at all. At most 16 such parts stay in memory; the engine reads at
/// most 1 MiB at once.
///
/// Cheap to clone; clones share what they remember. Needs a tokio runtime.
#[derive(Clone, Debug, Default)]
pub struct ReadAhead(Arc<Mutex<VecDeque<Reader>>>);

/// The last read of an artifact, and the one that probably follows.
#[derive(Debug)]
struct Reader {
    id: String,
    end: u64,
    length: u32,
    next: Option<Ahead>,
}

/// A part that is being read before it is requested.
#[derive(Debug)]
struct Ahead {
    part: JoinHandle<Bytes>,
    started: Instant,
    /// In a child of the process that started it, no thread reads it.
    process: u32,
}

impl Ahead {
    fn start(read: impl FnOnce() -> Bytes + Send + 'static) -> Ahead {
        Ahead { part: spawn(read), started: Instant::now(), process: process::id() }
    }

    fn is_current(&self) -> bool {
        self.started.elapsed() < MAX_AGE && self.process == process::id()
    }
}

impl ReadAhead {
    /// Reads `length` bytes of an artifact from `offset`, or fewer at its end, with a function that may block.
    pub async fn read<F>(&self, id: &str, offset: u64, length: u32, read: F) -> Bytes
    where
        F: Fn(&str, u64, u32) -> Bytes + Clone + Send + 'static,
    {
        let before = self.take(id).filter(|reader| reader.end == offset && reader.length == length);
        let follows = before.is_some();
        let ahead = before.and_then(|reader| reader.next).filter(Ahead::is_current);
        let at = |offset| {
            let (read, id) = (read.clone(), id.to_owned());
            move || read(&id, offset, length)
        };
        let part = finished(ahead.map_or_else(|| spawn(at(offset)), |ahead| ahead.part)).await?;
        if part.len() == length as usize
            && let Some(end) = offset.checked_add(u64::from(length))
        {
            let next = follows.then(|| Ahead::start(at(end)));
            self.remember(Reader { id: id.to_owned(), end, length, next });
        }
        Ok(part)
    }

    /// Forgets what was read ahead of an artifact.
    pub fn forget(&self, id: &str) {
        self.take(id);
    }

    fn take(&self, id: &str) -> Option<Reader> {
        let _step = Step::begin();
        let mut readers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = readers.iter().position(|reader| reader.id == id)?;
        readers.remove(found)
    }

    fn remember(&self, reader: Reader) {
        let _step = Step::begin();
        let mut readers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        readers.truncate(MAX_READERS - 1);
        readers.push_front(reader);
    }
}

/// Runs work that waits for the disk on a blocking thread.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    finished(spawn(work)).await
}

fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> JoinHandle<Result<T, StoreError>> {
    tokio::task::spawn_blocking(move || {
        let _step = Step::begin();
        work()
    })
}

async fn finished<T>(work: JoinHandle<Result<T, StoreError>>) -> Result<T, StoreError> {
    match work.await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(StoreError::Other("the runtime is shutting down".to_owned())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a file of 100 bytes by 10, each with the value of its position, and writes down the reads.
    async fn read(ahead: &ReadAhead, reads: &Arc<Mutex<Vec<u64>>>, offset: u64) -> Vec<u8> {
        let reads = Arc::clone(reads);
        let file = move |_: &str, offset: u64, length: u32| {
            reads.lock().unwrap().push(offset);
            Ok((offset..(offset + u64::from(length)).min(100)).map(|byte| byte as u8).collect())
        };
        ahead.read("art_1", offset, 10, file).await.unwrap()
    }

    #[tokio::test]
    async fn consecutive_parts_are_read_once_each() {
        let (ahead, reads) = (ReadAhead::default(), Arc::default());
        for offset in (0..=100).step_by(10) {
            let expected: Vec<u8> = (offset as u8..100.min(offset as u8 + 10)).collect();
            assert_eq!(read(&ahead, &reads, offset).await, expected, "from {offset}");
        }
        assert_eq!(*reads.lock().unwrap(), (0..=100).step_by(10).collect::<Vec<u64>>());
    }

    #[tokio::test]
    async fn other_parts_are_read_as_requested() {
        let (ahead, reads) = (ReadAhead::default(), Arc::default());
        for offset in [0, 10, 20, 50, 0, 90, 95, 30] {
            let expected: Vec<u8> = (offset as u8..100.min(offset as u8 + 10)).collect();
            assert_eq!(read(&ahead, &reads, offset).await, expected, "from {offset}");
        }
    }

    #[tokio::test]
    async fn a_part_that_was_forgotten_or_has_waited_is_read_again() {
        let (ahead, reads) = (ReadAhead::default(), Arc::<Mutex<Vec<u64>>>::default());
        let count = |offset: u64| reads.lock().unwrap().iter().filter(|read| **read == offset).count();
        read(&ahead, &reads, 0).await;
        read(&ahead, &reads, 10).await;
        ahead.forget("art_1");
        read(&ahead, &reads, 20).await;
        assert_eq!(count(20), 2);
        read(&ahead, &reads, 30).await;
        for reader in ahead.0.lock().unwrap().iter_mut() {
            reader.next.as_mut().unwrap().started -= MAX_AGE;
        }
        read(&ahead, &reads, 40).await;
        assert_eq!(count(40), 2);
    }

    #[tokio::test]
    async fn few_artifacts_are_remembered() {
        let ahead = ReadAhead::default();
        for n in 0..100 {
            ahead.read(&format!("art_{n}"), 0, 4, |_, _, _| Ok(vec![0; 4])).await.unwrap();
        }
        assert_eq!(ahead.0.lock().unwrap().len(), MAX_READERS);
    }
}
