use std::time::Instant;
use tuckaway_content::*;
fn main() {
    let mut args = std::env::args().skip(1);
    let reps: usize = args.next().unwrap().parse().unwrap();
    let what = args.next().unwrap();
    for file in args {
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        let lines = text.lines().count() as u64;
        let best = |f: &mut dyn FnMut() -> usize| {
            let mut b = f64::MAX;
            let mut r = 0;
            for _ in 0..reps {
                let t = Instant::now();
                r = std::hint::black_box(f());
                b = b.min(t.elapsed().as_secs_f64() * 1e3);
            }
            (b, r)
        };
        let mut kind = Kind::Text;
        let name = file.rsplit('/').next().unwrap();
        let mut out =
            format!("{name:36} {:5} KB budget {:.2}", text.len() / 1000, 0.3 + 5.0 * text.len() as f64 / 1e6);
        if what.contains('d') {
            out += &format!(
                " detect {:.3}",
                best(&mut || {
                    kind = detect(text.as_bytes(), None);
                    0
                })
                .0
            );
        } else {
            kind = detect(text.as_bytes(), None);
        }
        if what.contains('i') {
            let mut h = 0usize;
            let r = best(&mut || {
                let i = inspect(text.as_bytes(), None, lines, false);
                kind = i.kind;
                let j = i.to_json(2048, &Layout::NESTED);
                h = j.bytes().fold(0usize, |h, b| h.wrapping_mul(31).wrapping_add(b as usize));
                h
            });
            out += &format!(" inspect {:.3} ({:x})", r.0, r.1);
        }
        if what.contains('c') {
            out += &format!(" clean {:.3}", best(&mut || clean(&text, kind).len()).0);
        }
        if what.contains('t') {
            let clean = clean(&text, kind);
            let mut all = Vec::new();
            for n in [1, 2] {
                all.push(best(&mut || {
                    let mut m = Middle::default();
                    let mut h = 0usize;
                    for i in 0..n {
                        let v = truncate_again(&clean, kind, 1000 - 40 * i, &mut m);
                        h = v.bytes().fold(h, |h, b| h.wrapping_mul(31).wrapping_add(b as usize));
                    }
                    h
                }));
            }
            out += &format!(" truncate {:.3} again {:.3} ({:x})", all[0].0, all[1].0 - all[0].0, all[1].1);
        }
        println!("{out}");
    }
}
