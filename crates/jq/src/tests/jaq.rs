//! The inner ways of jaq-core that metering rests on (`run` says which), observed: a version
//! that has others must not go unnoticed.

use std::cell::Cell;

use jaq_core::data::HasLut;
use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, DataT, Lut, Vars};

use crate::limits::{self, Limit};
use crate::run;
use crate::value::Val;

/// What a failure here means.
const WHY: &str = "jaq-core runs terms in another way than the metering counts on. Read `run.rs`: if its \
    assumptions still hold, the new numbers go into this table; if not, filters may run without a bound";

/// Data that only watches.
struct Watched;

impl DataT for Watched {
    type V<'a> = Val;
    type Data<'a> = Watch<'a>;
}

/// What was seen of all contexts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    /// How often any was asked for the look-up table.
    asked: u32,
    /// How often the one was that was asked most, copies counted from what they copy.
    deepest: u32,
    /// Contexts that are alive, and that were at once.
    alive: u32,
    most_alive: u32,
}

/// A context as [`run`] has it, without limits.
struct Watch<'a> {
    table: &'a Lut<Watched>,
    depth: Cell<u32>,
    seen: &'a Cell<Seen>,
}

impl<'a> Watch<'a> {
    fn new(table: &'a Lut<Watched>, depth: u32, seen: &'a Cell<Seen>) -> Self {
        let mut now = seen.get();
        now.alive += 1;
        now.most_alive = now.most_alive.max(now.alive);
        seen.set(now);
        Watch { table, depth: Cell::new(depth), seen }
    }
}

impl Clone for Watch<'_> {
    fn clone(&self) -> Self {
        Watch::new(self.table, self.depth.get(), self.seen)
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        let now = self.seen.get();
        self.seen.set(Seen { alive: now.alive - 1, ..now });
    }
}

impl<'a> HasLut<'a, Watched> for Watch<'a> {
    fn lut(&self) -> &'a Lut<Watched> {
        self.depth.set(self.depth.get() + 1);
        let now = self.seen.get();
        let deepest = now.deepest.max(self.depth.get());
        self.seen.set(Seen { asked: now.asked + 1, deepest, ..now });
        self.table
    }
}

/// Runs a filter on `[0, 1, …]`, takes so many outputs, and returns what was seen by then,
/// how many outputs there were, and how many contexts are alive when the run is dropped.
fn watch(filter: &str, length: usize, outputs: usize) -> (Seen, usize, u32) {
    let arena = Arena::default();
    let file = File { code: filter, path: () };
    let modules =
        Loader::new(jaq_core::defs()).load(&arena, file).unwrap_or_else(|_| panic!("{filter} is not loaded"));
    let compiled = Compiler::default().with_funs(jaq_core::funs::<Watched>()).compile(modules);
    let compiled = compiled.unwrap_or_else(|_| panic!("{filter} is not compiled"));
    let input = Val::array((0..length).map(|n| Val::int(n as i128)).collect::<Vec<_>>()).unwrap();
    let seen = Cell::new(Seen::default());
    let context = Ctx::new(Watch::new(&compiled.lut, 0, &seen), Vars::new([]));
    let mut run = compiled.id.run::<Watched>((context, input));
    let given = run.by_ref().take(outputs).filter(Result::is_ok).count();
    let at_last = seen.get();
    drop(run);
    (at_last, given, seen.get().alive)
}

/// Filters, each with how often a table is asked for on `[0, 1, 2]`, how deep its terms nest,
/// and how many contexts are alive at most.
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
fn tables_are_asked_for_as_often_as_terms_are_run() {
    let mut wrong = String::new();
    for &(filter, asked, deepest, most_alive) in TABLE {
        let (seen, ..) = watch(filter, 3, usize::MAX);
        if (seen.asked, seen.deepest, seen.most_alive) != (asked, deepest, most_alive) {
            wrong += &format!("    ({filter:?}, {}, {}, {}),\n", seen.asked, seen.deepest, seen.most_alive);
        }
    }
    assert!(wrong.is_empty(), "{WHY}. What is otherwise:\n{wrong}");
}

#[test]
fn loops_ask_for_each_round_and_nest_no_deeper() {
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
        let [few, some, many] = [10, 20, 1_020].map(|length| watch(&filter, length, usize::MAX).0);
        let a_round = (some.asked - few.asked) / 10;
        assert!(a_round >= 1, "{WHY}. {filter} goes on for nothing");
        // Twice what ten more rounds take, a hundred times.
        assert!(many.asked - some.asked >= a_round * 1_000, "{WHY}. {filter}: {some:?}, {many:?}");
        assert_eq!(some.deepest, many.deepest, "{WHY}. {filter} nests deeper the more rounds it has");
    }
}

#[test]
fn calls_that_wait_nest_deeper_than_their_number() {
    for filter in [
        "def f: if . >= $n then . else 1 + (. + 1 | f) end; 0 | f",
        "def f: if . >= $n then . else [. + 1 | f] end; 0 | f",
        "def f: if . >= $n then . else . + 1 | f | . end; 0 | f",
        "def f(g): if . >= $n then g else . + 1 | f(g | g) end; 0 | f(.)",
    ] {
        let [few, many] = ["4", "12"].map(|calls| watch(&filter.replace("$n", calls), 1, 1).0);
        assert!(many.deepest >= few.deepest + 8, "{WHY}. {filter}: {few:?}, {many:?}");
    }
}

#[test]
fn what_waits_for_its_next_output_holds_a_context() {
    for levels in 1..20 {
        let filter = format!(".{}", " | (.[] as $x | [$x, $x])".repeat(levels));
        let (seen, given, left) = watch(&filter, 3, 1);
        assert_eq!(given, 1, "{filter}");
        assert!(seen.alive as usize >= levels, "{WHY}. {filter}: {seen:?}");
        assert_eq!(left, 0, "{WHY}. {filter} keeps contexts of a run that is over");
    }
    // The first of two branches takes no stack, but the second one waits.
    let calls = |number: u32| format!("def f: if . >= {number} then . else (. + 1 | f), 1 end; 0 | f");
    let [few, many] = [4, 12].map(|number| watch(&calls(number), 1, 1).0);
    assert!(many.alive >= few.alive + 8, "{WHY}. What waits is not held: {few:?}, {many:?}");
    let (few, ..) = watch("def f: ., (. + 1 | f); 0 | f", 1, 10);
    let (many, ..) = watch("def f: ., (. + 1 | f); 0 | f", 1, 500);
    assert!(many.asked >= few.asked + 490, "{WHY}. An output without a look-up: {few:?}, {many:?}");
}

/// Filters of which each term has to end the run where it is.
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
fn a_run_without_steps_ends_wherever_it_is() {
    let input = || Val::array((0..4).map(Val::int).collect::<Vec<_>>()).unwrap();
    for text in ENDED {
        let filter = crate::compile::compile(text, crate::compile::parse(text).unwrap()).unwrap();
        let mut steps = 1;
        loop {
            limits::start(Some(steps), None, 0);
            let mut outputs = run::run(&filter, input(), None);
            let mut is_over = || limits::passed().is_some() || outputs.next().is_none();
            while !is_over() {}
            let Some(limit) = limits::passed() else { break };
            assert_eq!(limit, Limit::Steps, "{text} in {steps} steps");
            // Whoever runs it stops here; what goes on all the same is soon at its end.
            let rest = outputs.take(100).count();
            assert!(rest < 100, "{WHY}. {text} goes on behind {steps} steps");
            steps += 1;
        }
        assert!(steps > 20, "{WHY}. {text} takes {steps} steps");
    }
}
