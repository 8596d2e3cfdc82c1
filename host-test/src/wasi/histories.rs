//! The calls about histories.

use tuckaway::{Error, HistoryFormat, HistoryStep, TokenUsage};

use super::bindings::planning::Lists;
use super::bindings::{histories, planning};
use super::{WasiSession, call, record};
use crate::Histories;
use crate::histories::{Run, outcome};
use crate::subject::{Answer, answer};

impl WasiSession {
    pub(super) async fn histories(&mut self, call: &Histories) -> Answer {
        match call {
            Histories::Detect { json } => {
                record!(HistoryFormat, call!(self, tuckaway_context_histories.call_detect_format(json)))
            }
            Histories::ReadUsage { usage } => {
                record!(TokenUsage, call!(self, tuckaway_context_histories.call_read_usage(usage)))
            }
            Histories::Manage(run) => self.manage(run).await,
        }
    }

    async fn manage(&mut self, run: &Run) -> Answer {
        let (artifacts, lists) = (histories::artifacts(&run.input), Lists::of(&run.task));
        let input = || histories::input(&run.input, &artifacts);
        let task = || planning::task(&run.task, &lists);
        let memory = run.memory.as_deref();
        let started = call!(self, tuckaway_context_histories.call_start(input(), memory, task()))?;
        let mut step = HistoryStep::from(started.map_err(Error::from)?);
        for answer in &run.answers {
            if step.request.is_none() {
                break;
            }
            let answer = histories::answer(answer);
            let next =
                call!(self, tuckaway_context_histories.call_step(input(), task(), &step.state, answer))?;
            step = HistoryStep::from(next.map_err(Error::from)?);
        }
        Ok(outcome(step))
    }
}
