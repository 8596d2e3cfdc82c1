//! Decides which step starts next. It starts nothing itself, so that it can be tested.
//!
//! ```text
//! waiting ─► every need has passed, its lock is free, a place is free ─► running ─► passed | failed
//! ```

use super::steps::{Lock, Step};

/// The state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It was not started.
    Waiting,
    /// It runs.
    Running,
    /// It ended without an error.
    Passed,
    /// It ended with an error.
    Failed,
}

/// The steps of a run, in order of priority, with their states.
pub struct Schedule<'a> {
    steps: Vec<(&'a Step, State)>,
    /// How many steps may run at the same time.
    places: usize,
}

impl<'a> Schedule<'a> {
    /// Creates a schedule. A step that another one waits for counts as passed if it is not among
    /// the steps: it was omitted on purpose.
    pub fn new(steps: &[&'a Step], places: usize) -> Self {
        let steps = steps.iter().map(|step| (*step, State::Waiting)).collect();
        Schedule { steps, places: places.max(1) }
    }

    /// Returns the step to start now, and marks it as running. Returns `None` if all places are
    /// taken, nothing is ready, or a step has failed.
    pub fn start(&mut self) -> Option<&'a Step> {
        let running = self.running();
        if self.has_failed() || running.len() >= self.places {
            return None;
        }
        let is_locked = |lock: Lock| lock != Lock::None && running.iter().any(|step| step.lock == lock);
        let next = self.steps.iter().position(|(step, state)| {
            *state == State::Waiting
                && !is_locked(step.lock)
                && step.needs.iter().chain(step.after).all(|name| self.is_met(name))
        })?;
        self.steps[next].1 = State::Running;
        Some(self.steps[next].0)
    }

    /// Marks a step as ended.
    pub fn end(&mut self, name: &str, has_passed: bool) {
        if let Some(entry) = self.steps.iter_mut().find(|(step, _)| step.name == name) {
            entry.1 = if has_passed { State::Passed } else { State::Failed };
        }
    }

    /// Returns the steps that run.
    pub fn running(&self) -> Vec<&'a Step> {
        self.in_state(State::Running)
    }

    /// Returns the steps that were not started.
    pub fn waiting(&self) -> Vec<&'a Step> {
        self.in_state(State::Waiting)
    }

    /// Returns whether a step has failed.
    pub fn has_failed(&self) -> bool {
        !self.in_state(State::Failed).is_empty()
    }

    fn in_state(&self, wanted: State) -> Vec<&'a Step> {
        self.steps.iter().filter(|(_, state)| *state == wanted).map(|(step, _)| *step).collect()
    }

    fn is_met(&self, need: &str) -> bool {
        self.steps.iter().all(|(step, state)| step.name != need || *state == State::Passed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps::STEP;
    use super::*;

    fn step(name: &'static str, needs: &'static [&'static str], lock: Lock) -> Step {
        Step { name, needs, lock, ..STEP }
    }

    fn started<'a>(schedule: &mut Schedule<'a>) -> Vec<&'a str> {
        std::iter::from_fn(|| schedule.start()).map(|step| step.name).collect()
    }

    #[test]
    fn needs_locks_and_places_are_respected() {
        let steps = [
            step("component", &[], Lock::Cargo),
            step("lints", &["component"], Lock::Cargo),
            step("install", &[], Lock::None),
            step("build", &["component"], Lock::Cargo),
            step("node", &["build", "install"], Lock::None),
        ];
        let all: Vec<&Step> = steps.iter().collect();
        let mut schedule = Schedule::new(&all, 2);
        assert_eq!(started(&mut schedule), ["component", "install"]);
        schedule.end("component", true);
        assert_eq!(started(&mut schedule), ["lints"], "two steps with one lock");
        schedule.end("install", true);
        assert_eq!(started(&mut schedule), [""; 0]);
        schedule.end("lints", true);
        assert_eq!(started(&mut schedule), ["build"]);
        schedule.end("build", true);
        assert_eq!(started(&mut schedule), ["node"]);
        assert_eq!(schedule.running().len(), 1);
        schedule.end("node", true);
        assert!(schedule.waiting().is_empty() && !schedule.has_failed());
    }

    #[test]
    fn nothing_starts_after_a_failure() {
        let steps =
            [step("one", &[], Lock::None), step("two", &["one"], Lock::None), step("three", &[], Lock::None)];
        let all: Vec<&Step> = steps.iter().collect();
        let mut schedule = Schedule::new(&all, 1);
        assert_eq!(started(&mut schedule), ["one"]);
        schedule.end("one", false);
        assert_eq!(started(&mut schedule), [""; 0]);
        assert!(schedule.has_failed());
        assert_eq!(schedule.waiting().len(), 2);
    }

    #[test]
    fn a_step_waits_for_those_that_it_would_disturb() {
        let steps = [
            Step { after: &["node", "absent"], ..step("packages", &[], Lock::None) },
            step("node", &[], Lock::None),
        ];
        let all: Vec<&Step> = steps.iter().collect();
        let mut schedule = Schedule::new(&all, 2);
        assert_eq!(started(&mut schedule), ["node"]);
        schedule.end("node", true);
        assert_eq!(started(&mut schedule), ["packages"]);
    }

    #[test]
    fn a_need_that_was_omitted_is_met() {
        let steps = [step("wasi", &["build"], Lock::None)];
        let mut schedule = Schedule::new(&[&steps[0]], 1);
        assert_eq!(started(&mut schedule), ["wasi"]);
    }
}
