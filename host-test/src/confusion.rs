//! The kind detected for each sample of `cases/kinds`, whole and changed as outputs are in
//! practice: cut at random places, with other line ends, colours, and lines before or after
//! it. Random bytes too, which have no kind.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::fs;

use anyhow::{Context, Result};
use serde_json::{Map, Value};
use tuckaway_content::Kind;
use tuckaway_text::encoding::Encoding;

use crate::{Call, workspace};

/// How many random byte strings are detected.
pub const RANDOM_STRINGS: usize = 1_000;
/// The lengths up to which random byte strings are made.
const RANDOM_LENGTHS: [u64; 5] = [16, 128, 1 << 10, 8 << 10, 80 << 10];
/// The name of their row.
const RANDOM_BYTES: &str = "random bytes";
/// How often each sample is cut.
const CUTS: usize = 6;
/// Cuts leave at least this many bytes: fewer do not show the kind.
const MIN_CUT_BYTES: usize = 200;

/// Lines that tools and shells print in front of an output.
const LEADS: [&str; 6] = [
    "$ cat output\n",
    "ada@example:~/work$ ./run --all\n",
    "npm warn deprecated inflight@1.0.6: This module is not supported\n",
    "Warning: the configuration is deprecated and will be ignored.\n",
    "Picked up JAVA_TOOL_OPTIONS: -Xmx512m\nNote: a new release is available.\n",
    "> example@1.0.0 list\n> node list.js\n\n",
];
/// Lines that follow an output.
const TRAILS: [&str; 3] =
    ["\nDone in 1.24s.\n", "\nada@example:~/work$ \n", "\nnpm notice New version available\n"];

/// A sample of a known kind.
pub struct Labelled {
    /// The file and the name of its case.
    pub name: String,
    /// Its kind, as the reports name it.
    pub kind: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Reads the samples of all kinds. A sample is of the kind that names its file, unless
/// its case names another.
pub fn samples() -> Result<Vec<Labelled>> {
    let mut files: Vec<_> = fs::read_dir(workspace().join("cases/kinds"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    let mut samples: Vec<Labelled> = Vec::new();
    for path in files {
        let stem = path.file_stem().unwrap_or_default().display().to_string();
        let file: Value = serde_json::from_slice(&fs::read(&path)?)?;
        for case in file["cases"].as_array().context("the list of cases is missing")? {
            let name = format!("{stem}: {}", case["name"].as_str().unwrap_or_default());
            let kind = case["kind"].as_str().map(str::to_owned);
            let input = case["input"].as_object().cloned().unwrap_or_else(Map::new);
            let inputs = match Call::parse(case["call"].as_str().unwrap_or_default(), &input) {
                Ok(Call::InferShape { content, .. } | Call::Truncate { content, .. }) => vec![content],
                Ok(call) => call.outputs(),
                Err(_) => Vec::new(),
            };
            for bytes in inputs.into_iter().filter(|bytes| !bytes.is_empty()) {
                if samples.iter().any(|sample| sample.bytes == bytes) {
                    continue;
                }
                let kind = kind.clone().unwrap_or_else(|| kind_of_file(&stem, &bytes));
                samples.push(Labelled { name: name.clone(), kind, bytes });
            }
        }
    }
    Ok(samples)
}

/// Returns the kind that a file of cases is about. Media are of the kind that their
/// signature names.
fn kind_of_file(stem: &str, bytes: &[u8]) -> String {
    match stem {
        "media" => name_of(detect(bytes)),
        "ndjson" => name_of(Kind::JsonSequence),
        "json-in-string" => name_of(Kind::Json),
        _ => stem.to_owned(),
    }
}

/// Detects the kind of bytes as the engine does: text is decoded first.
pub fn detect(bytes: &[u8]) -> Kind {
    match Encoding::of(bytes) {
        Some(encoding) => tuckaway_content::detect(encoding.decode(bytes).as_bytes(), None),
        None => tuckaway_content::detect(bytes, None),
    }
}

/// Returns the name of a kind as reports show it.
pub fn name_of(kind: Kind) -> String {
    format!("{kind:?}").to_lowercase()
}

/// How a sample was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Unchanged.
    Whole,
    /// Its end is cut off.
    Head,
    /// Its start is cut off, between lines.
    Tail,
    /// Its lines end with CR LF.
    CrLf,
    /// Some of its lines are coloured.
    Colours,
    /// A prompt or messages come before it.
    Lead,
    /// A message follows it.
    Trail,
}

impl Change {
    /// Returns the change in words.
    pub fn name(self) -> &'static str {
        match self {
            Change::Whole => "whole",
            Change::Head => "cut at the end",
            Change::Tail => "cut at the start",
            Change::CrLf => "with CR LF",
            Change::Colours => "with colours",
            Change::Lead => "behind a prompt or messages",
            Change::Trail => "before a message",
        }
    }
}

/// Returns a sample whole and changed in every way, the same ones each time.
pub fn changed(bytes: &[u8], seed: u64) -> Vec<(Change, Vec<u8>)> {
    let mut random = Random(seed ^ bytes.len() as u64);
    let mut all = vec![(Change::Whole, bytes.to_vec())];
    if bytes.len() > 2 * MIN_CUT_BYTES {
        for _ in 0..CUTS {
            let at = MIN_CUT_BYTES + random.below((bytes.len() - 2 * MIN_CUT_BYTES) as u64) as usize;
            all.push((Change::Head, bytes[..at].to_vec()));
            let line = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
            if line > 0 {
                all.push((Change::Tail, bytes[line..].to_vec()));
            }
        }
    }
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    if std::str::from_utf8(bytes).is_ok() && lines.len() > 2 {
        if !bytes.contains(&b'\r') {
            all.push((Change::CrLf, lines.join(&b"\r\n"[..])));
        }
        let coloured = lines.iter().map(|line| match !line.is_empty() && random.below(3) == 0 {
            true => [b"\x1b[33m", *line, b"\x1b[0m"].concat(),
            false => line.to_vec(),
        });
        all.push((Change::Colours, coloured.collect::<Vec<_>>().join(&b'\n')));
        all.extend(LEADS.iter().map(|lead| (Change::Lead, [lead.as_bytes(), bytes].concat())));
        all.extend(TRAILS.iter().map(|trail| (Change::Trail, [bytes, trail.as_bytes()].concat())));
    }
    all
}

/// Returns [`RANDOM_STRINGS`] random byte strings of many lengths.
pub fn random_strings() -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random(14);
    (0..RANDOM_STRINGS).map(move |index| {
        let length = 1 + random.below(RANDOM_LENGTHS[index % RANDOM_LENGTHS.len()]);
        (0..length).map(|_| random.below(256) as u8).collect()
    })
}

/// Returns as many random strings of printable ASCII with line feeds.
pub fn random_texts() -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random(41);
    (0..RANDOM_STRINGS).map(move |index| {
        let length = 1 + random.below(RANDOM_LENGTHS[index % 4]);
        let character = |random: &mut Random| match random.below(96) {
            95 => b'\n',
            byte => b' ' + byte as u8,
        };
        (0..length).map(|_| character(&mut random)).collect()
    })
}

/// Returns the seed of a sample's changes (FNV-1a of its name): they stay the same if other
/// samples are added.
fn seed(name: &str) -> u64 {
    name.bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

/// A generator of numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }
}

/// How often content of a kind was detected as each kind.
#[derive(Default)]
pub struct Matrix {
    cells: BTreeMap<(String, String), usize>,
}

impl Matrix {
    /// Counts one detection.
    pub fn add(&mut self, kind: &str, detected: Kind) {
        *self.cells.entry((kind.to_owned(), name_of(detected))).or_default() += 1;
    }

    /// Returns how much content of a kind was detected as this kind, as no kind, and as
    /// another kind.
    pub fn of_kind(&self, kind: &str) -> Outcome {
        let mut outcome = Outcome::default();
        for ((_, detected), count) in self.cells.iter().filter(|((of, _), _)| of == kind) {
            match &**detected {
                detected if detected == kind => outcome.right += count,
                "text" => outcome.text += count,
                // A part of a picture is bytes.
                "binary" if ["image", "audio", "video", RANDOM_BYTES].contains(&kind) => {
                    outcome.text += count
                }
                _ => outcome.wrong += count,
            }
        }
        outcome
    }

    /// Returns the kinds of the rows.
    pub fn kinds(&self) -> Vec<String> {
        let mut kinds: Vec<String> = self.cells.keys().map(|(kind, _)| kind.clone()).collect();
        kinds.dedup();
        kinds
    }
}

/// The detection results for content of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Detected as this kind.
    pub right: usize,
    /// Detected as no kind.
    pub text: usize,
    /// Detected as another kind.
    pub wrong: usize,
}

impl Outcome {
    /// Returns the number of samples.
    pub fn all(&self) -> usize {
        self.right + self.text + self.wrong
    }
}

impl Display for Matrix {
    /// Writes a row for each true kind, a column for each detected one. The heads of columns
    /// are the first letters of the kinds, in the order in which the rows name them.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut columns: Vec<&str> = self.cells.keys().map(|(_, detected)| &**detected).collect();
        columns.sort_unstable();
        columns.dedup();
        write!(f, "{:<13}", "kind")?;
        for column in &columns {
            write!(f, "{:>7}", &column[..column.len().min(6)])?;
        }
        writeln!(f, "{:>7}{:>7}", "all", "wrong")?;
        for kind in self.kinds() {
            write!(f, "{kind:<13}")?;
            for column in &columns {
                match self.cells.get(&(kind.clone(), (*column).to_owned())) {
                    Some(count) => write!(f, "{count:>7}")?,
                    None => write!(f, "{:>7}", "·")?,
                }
            }
            let outcome = self.of_kind(&kind);
            writeln!(f, "{:>7}{:>7}", outcome.all(), outcome.wrong)?;
        }
        Ok(())
    }
}

/// Detects all samples, whole and changed, and random strings. Returns the matrix of each
/// change, and the matrix of all changes; calls `wrong` for each wrong detection.
pub fn matrices(wrong: &mut dyn FnMut(&str, Change, Kind)) -> Result<(BTreeMap<Change, Matrix>, Matrix)> {
    let (mut by_change, mut all) = (BTreeMap::<Change, Matrix>::new(), Matrix::default());
    for sample in samples()? {
        for (change, bytes) in changed(&sample.bytes, seed(&sample.name)) {
            let detected = detect(&bytes);
            by_change.entry(change).or_default().add(&sample.kind, detected);
            all.add(&sample.kind, detected);
            if name_of(detected) != sample.kind {
                wrong(&sample.name, change, detected);
            }
        }
    }
    for (kind, strings) in [
        (RANDOM_BYTES, Box::new(random_strings()) as Box<dyn Iterator<Item = Vec<u8>>>),
        ("random text", Box::new(random_texts())),
    ] {
        for bytes in strings {
            all.add(kind, detect(&bytes));
        }
    }
    Ok((by_change, all))
}
