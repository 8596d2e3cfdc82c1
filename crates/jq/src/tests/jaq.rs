//! Checks the internals of jaq-core on which metering depends (see [`crate::run`]), so that a version
//! with different ones does not go unnoticed.

use std::cell::Cell;

use jaq_core::data::HasLut;
use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, DataT, Lut, Vars};

use super::give;
use crate::limits::{self, Limit};
use crate::run::{Run, Surroundings};
use crate::value::Val;

/// The meaning of a failure.
const WHY: &str = "jaq-core runs terms in another way than the metering expects. Read `run.rs`: if its \
    assumptions still hold, the new numbers go into this table; if not, filters may run without a bound";

/// The types of a run that is only observed.
struct Observed;

impl DataT for Observed {
    type V<'a> = Val;
    type Data<'a> = Observer<'a>;
}

/// Counts over all contexts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Look-ups.
    lookups: u32,
    /// Maximum look-ups of one context, including those of the contexts that it was cloned from.
    deepest: u32,
    /// The live contexts, and their maximum.
    alive: u32,
    max_alive: u32,
}

/// The data of a context, as in [`run`] but without limits.
struct Observer<'a> {
    table: &'a Lut<Observed>,
    depth: Cell<u32>,
    counts: &'a Cell<Counts>,
}

impl<'a> Observer<'a> {
    fn new(table: &'a Lut<Observed>, depth: u32, counts: &'a Cell<Counts>) -> Self {
        let mut now = counts.get();
        now.alive += 1;
        now.max_alive = now.max_alive.max(now.alive);
        counts.set(now);
        Observer { table, depth: Cell::new(depth), counts }
    }
}

impl Clone for Observer<'_> {
    fn clone(&self) -> Self {
        Observer::new(self.table, self.depth.get(), self.counts)
    }
}

impl Drop for Observer<'_> {
    fn drop(&mut self) {
        let now = self.counts.get();
        self.counts.set(Counts { alive: now.alive - 1, ..now });
    }
}

impl<'a> HasLut<'a, Observed> for Observer<'a> {
    fn lut(&self) -> &'a Lut<Observed> {
        self.depth.set(self.depth.get() + 1);
        let now = self.counts.get();
        let deepest = now.deepest.max(self.depth.get());
        self.counts.set(Counts { lookups: now.lookups + 1, deepest, ..now });
        self.table
    }
}

/// Runs a filter on `[0, 1, …]` for this many outputs. Returns the counts by then, the number of
/// outputs, and the number of contexts alive after the run is dropped.
fn observe(filter: &str, length: usize, outputs: usize) -> (Counts, usize, u32) {
    let arena = Arena::default();
    let file = File { code: filter, path: () };
    let modules =
        Loader::new(jaq_core::defs()).load(&arena, file).unwrap_or_else(|_| panic!("{filter} is not loaded"));
    let compiled = Compiler::default().with_funs(jaq_core::funs::<Observed>()).compile(modules);
    let compiled = compiled.unwrap_or_else(|_| panic!("{filter} is not compiled"));
    let input = Val::array((0..length).map(|n| Val::int(n as i128)).collect::<Vec<_>>()).unwrap();
    let counts = Cell::new(Counts::default());
    let context = Ctx::new(Observer::new(&compiled.lut, 0, &counts), Vars::new([]));
    let mut run = compiled.id.run::<Observed>((context, input));
    let count = run.by_ref().take(outputs).filter(Result::is_ok).count();
    let at_last = counts.get();
    drop(run);
    (at_last, count, counts.get().alive)
}

/// Filters, each with its look-ups on `[0, 1, 2]`, the nesting of its terms, and the maximum number
/// of live contexts.
const TABLE: &[(&str, u32, u32, u32)] = &[
    (".", 1, 1, 1),
    ("1 | 2 | 3", 5, 3, 2),
    ("1, 2, 3", 5, 3, 3),
    (".[]", 2, 2, 1),
    (".[0] + .[1]", 7, 3, 4),
    ("[.[] | . + 1]", 13, 4, 3),
    ("[[[[.]]]]", 5, 5, 1),
    ("{a: .[], b: .[]}", 17, 4, 3),
    (".[] as $x | $x", 6, 3, 2),
    (". as [$a, $b] | $a", 5, 2, 4),
    ("if .[0] then 1 else 2 end", 5, 3, 4),
    (".[] // 1", 3, 3, 2),
    ("try error catch 1", 6, 5, 5),
    (".[] and true", 15, 4, 4),
    ("reduce .[] as $x (0; . + $x)", 13, 3, 3),
    ("foreach .[] as $x (0; . + $x; [.])", 19, 3, 4),
    ("label $out | (1, break $out)", 4, 3, 2),
    ("path(.[])", 4, 4, 2),
    ("..", 1, 1, 1),
    ("def f: .[0]; f", 4, 3, 4),
    ("def f(g): g | g; f(.)", 6, 4, 4),
    ("def f($x): $x; f(.[])", 6, 3, 4),
    ("def f: if . > 9 then . else . + 1 | f end; 0 | f", 98, 6, 4),
    ("def f: if . > 9 then . else 1 + (. + 1 | f) end; 0 | f", 118, 45, 14),
];

#[test]
fn each_term_is_looked_up() {
    let mut wrong = String::new();
    for &(filter, lookups, deepest, max_alive) in TABLE {
        let (counts, ..) = observe(filter, 3, usize::MAX);
        if (counts.lookups, counts.deepest, counts.max_alive) != (lookups, deepest, max_alive) {
            wrong +=
                &format!("    ({filter:?}, {}, {}, {}),\n", counts.lookups, counts.deepest, counts.max_alive);
        }
    }
    assert!(wrong.is_empty(), "{WHY}. What is otherwise:\n{wrong}");
}

#[test]
fn each_round_of_a_loop_is_looked_up() {
    for filter in [
        "reduce .[] as $x (0; . + $x)",
        "last_of(foreach .[] as $x (0; . + $x; .))",
        "[.[] | . + 1]",
        "[.[] | select_(. > 1)]",
        "[path(.[] | .)]",
    ] {
        let filter = format!(
            "def select_(f): if f then . else [] end; def last_of(g): reduce g as $x ([]; $x); {filter}"
        );
        let [few, some, many] = [10, 20, 1_020].map(|length| observe(&filter, length, usize::MAX).0);
        let per_round = (some.lookups - few.lookups) / 10;
        assert!(per_round >= 1, "{WHY}. {filter} goes on for nothing");
        // A thousand more rounds take at least a hundred times the look-ups of ten more.
        assert!(many.lookups - some.lookups >= per_round * 1_000, "{WHY}. {filter}: {some:?}, {many:?}");
        assert_eq!(some.deepest, many.deepest, "{WHY}. {filter} nests deeper the more rounds it has");
    }
}

#[test]
fn calls_that_wait_nest_deeper() {
    for filter in [
        "def f: if . >= $n then . else 1 + (. + 1 | f) end; 0 | f",
        "def f: if . >= $n then . else [. + 1 | f] end; 0 | f",
        "def f: if . >= $n then . else . + 1 | f | . end; 0 | f",
        "def f(g): if . >= $n then g else . + 1 | f(g | g) end; 0 | f(.)",
    ] {
        let [few, many] = ["4", "12"].map(|calls| observe(&filter.replace("$n", calls), 1, 1).0);
        assert!(many.deepest >= few.deepest + 8, "{WHY}. {filter}: {few:?}, {many:?}");
    }
}

#[test]
fn iterators_that_wait_own_a_context() {
    for levels in 1..20 {
        let filter = format!(".{}", " | (.[] as $x | [$x, $x])".repeat(levels));
        let (counts, outputs, left) = observe(&filter, 3, 1);
        assert_eq!(outputs, 1, "{filter}");
        assert!(counts.alive as usize >= levels, "{WHY}. {filter}: {counts:?}");
        assert_eq!(left, 0, "{WHY}. {filter} keeps contexts of a run that is over");
    }
    // The first branch takes no stack, but the second one waits.
    let calls = |number: u32| format!("def f: if . >= {number} then . else (. + 1 | f), 1 end; 0 | f");
    let [few, many] = [4, 12].map(|number| observe(&calls(number), 1, 1).0);
    assert!(many.alive >= few.alive + 8, "{WHY}. What waits is not held: {few:?}, {many:?}");
    let (few, ..) = observe("def f: ., (. + 1 | f); 0 | f", 1, 10);
    let (many, ..) = observe("def f: ., (. + 1 | f); 0 | f", 1, 500);
    assert!(many.lookups >= few.lookups + 490, "{WHY}. An output without a look-up: {few:?}, {many:?}");
}

/// Filters whose run must end at any of their terms.
const ENDED: &[&str] = &[
    "[.[] | . + 1] | map(select(. > 1)) | add",
    "reduce .[] as $x (0; . + $x), foreach .[] as $x (0; . + $x; [.])",
    "[.[] as $a | [$a, -$a, \"\\($a)\"]] | .[] as [$a, $b] | {a: $a, b: $b}",
    "try error(\"x\") catch ., (.[] // 1), (.[9]? // 2)",
    "label $out | foreach .[] as $x (0; . + 1; if . > 1 then ., break $out else . end)",
    "def f: if . > 5 then . else . + 1 | f end; .[0] | f | [., (try f catch 0)]",
    "to_entries | from_entries? // [paths] | tojson | fromjson | length",
    "(.[] |= . + 1), (.[0] = 5), (.[1] += 1), (.[2] //= 3), del(.[0]), [limit(2; .[])]",
    "[.. | numbers] | sort_by(-.) | group_by(. > 1) | @json | ltrimstr(\"[\") | test(\"1\")",
    "first(range(10; 0; -1)), ([recurse(if . < 2 then . + 1 else empty end; true)] | length)?",
    "{a: .[], b: 2} | .a as $x | with_entries(.value += $x) | (.a, .b) |= tostring",
];

#[test]
fn a_run_without_steps_ends_at_any_term() {
    let input = || Val::array((0..4).map(Val::int).collect::<Vec<_>>()).unwrap();
    for text in ENDED {
        let filter = crate::compile::compile(text, crate::compile::parse(text).unwrap(), &[]).unwrap();
        let mut steps = 1;
        loop {
            limits::start(Some(steps), None, 0);
            let run = Run::new(&filter, Surroundings::default());
            let mut outputs = run.outputs(input());
            let mut is_over = || limits::exceeded().is_some() || outputs.next().is_none();
            while !is_over() {}
            let Some(limit) = limits::exceeded() else { break };
            assert_eq!(limit, Limit::Steps, "{text} in {steps} steps");
            // Callers stop here. If the run is continued, it ends soon.
            let rest = outputs.take(100).count();
            assert!(rest < 100, "{WHY}. {text} goes on behind {steps} steps");
            steps += 1;
        }
        assert!(steps > 20, "{WHY}. {text} takes {steps} steps");
    }
}

#[test]
fn tostream_has_the_events_of_its_definition() {
    let defined =
        "path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q])";
    for json in ["1", "[]", "{}", "[[]]", r#"[{"a":[1,{}],"b":{"c":[[2],[]]}},null]"#] {
        give(json, &format!("[tostream] == [{defined}]"), &["true"]);
    }
}
