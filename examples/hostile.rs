use std::time::Instant;
use tuckaway::*;
struct One(Vec<u8>);
impl One {
    fn a(&self) -> Artifact {
        Artifact {
            id: "art".into(),
            tool: "t".into(),
            media_type: "application/json".into(),
            size_bytes: self.0.len() as u64,
            line_count: 1,
            created_at: 0,
        }
    }
}
impl Store for One {
    fn create(&self, _: &str, _: &str) -> Result<String, StoreError> {
        Err(StoreError::QuotaExceeded)
    }
    fn append(&self, _: &str, _: &[u8]) -> Result<(), StoreError> {
        Err(StoreError::NotFound)
    }
    fn seal(&self, _: &str, _: u64) -> Result<Artifact, StoreError> {
        Err(StoreError::NotFound)
    }
    fn stat(&self, _: &str) -> Result<Artifact, StoreError> {
        Ok(self.a())
    }
    fn read(&self, _: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let s = (offset as usize).min(self.0.len());
        let e = (s + length as usize).min(self.0.len());
        Ok(self.0[s..e].to_vec())
    }
    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        Ok(vec![self.a()])
    }
    fn delete(&self, _: &str) -> Result<(), StoreError> {
        Ok(())
    }
}
struct T;
impl CountTokens for T {
    fn count(&self, t: &str) -> Result<u64, String> {
        Ok(t.len() as u64)
    }
}
fn rss() -> u64 {
    std::fs::read_to_string("/proc/self/status")
        .unwrap()
        .lines()
        .find(|l| l.starts_with("VmHWM"))
        .unwrap()
        .split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<u64>()
        .unwrap()
        / 1024
}
fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let doc = args.next().map_or(b"null".to_vec(), |p| std::fs::read(p).unwrap());
    let store = One(doc);
    let engine = Engine::new(&store, &T);
    for filter in std::fs::read_to_string(file).unwrap().lines() {
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let q = JqQuery { filter: filter.into(), compact: true, ..Default::default() };
        eprintln!("> {filter}");
        let t = Instant::now();
        let r = engine.jq("art", &q, 256);
        let d = t.elapsed().as_millis();
        let s = match r {
            Ok(o) => format!(
                "ok {:?} {} {:?}",
                o.text.chars().take(40).collect::<String>(),
                o.next.is_some(),
                o.failure.map(|e| (e.kind, e.message.chars().take(100).collect::<String>()))
            ),
            Err(e) => format!("{:?} {}", e.kind, e.message.chars().take(110).collect::<String>()),
        };
        println!("{d:6} ms {:5} MB  {filter}\n            {s}", rss());
    }
}
