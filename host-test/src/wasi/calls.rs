//! The calls of the cases.

use tuckaway::Error;

use super::WasiSession;
use crate::histories::{Run, outcome};
use crate::subject::{Answer, answer};
use crate::{Call, Extraction, Histories, Planning};

/// Calls an export. Converts a trap to an error, as `tuckaway-host` does.
macro_rules! call {
    ($self:ident.$export:ident($($argument:expr),*)) => {{
        let WasiSession { exports, wasm, .. } = $self;
        exports.$export(wasm, ($($argument,)*)).await
            .map_err(|trap| Error::limit(format!("trapped: {trap:#}")))
    }};
}

impl WasiSession {
    pub(super) async fn make(&mut self, call: &Call) -> Answer {
        match call {
            Call::Decide { output, turn, policy } => {
                answer(call!(self.offload_decide(output, turn, policy)).flatten())
            }
            Call::Process { output, turn, policy } => {
                answer(call!(self.offload_process(output, turn, policy)).flatten())
            }
            Call::ProcessTurn { outputs, turn, policy } => {
                answer(call!(self.offload_process_turn(outputs, turn, policy)).flatten())
            }
            Call::InferShape { content, max_bytes } => {
                answer(call!(self.reduce_infer_shape(content, *max_bytes)).flatten())
            }
            Call::Truncate { content, max_bytes } => {
                answer(call!(self.reduce_truncate(content, *max_bytes)).flatten())
            }
            Call::Read { id, range, line_numbers, max_bytes } => {
                answer(call!(self.artifacts_read(id, range, *line_numbers, *max_bytes)).flatten())
            }
            Call::Grep { id, query, max_bytes } => {
                answer(call!(self.artifacts_grep(id, query, *max_bytes)).flatten())
            }
            Call::GrepAll { query, max_bytes } => {
                answer(call!(self.artifacts_grep_all(query, *max_bytes)).flatten())
            }
            Call::Jq { id, query, max_bytes } => {
                answer(call!(self.artifacts_jq(id, query, *max_bytes)).flatten())
            }
            Call::ListArtifacts => answer(call!(self.artifacts_list_artifacts()).flatten()),
            Call::DefaultPolicy { dialect } => answer(call!(self.offload_default_policy(*dialect))),
            Call::Definitions { tools, dialect, is_final_turn, is_detailed } => {
                answer(call!(self.tools_definitions(tools, *dialect, *is_final_turn, *is_detailed)))
            }
            Call::Call { name, arguments, max_bytes } => {
                answer(call!(self.tools_call(name, arguments, *max_bytes)).flatten())
            }
            Call::Planning(planning) => self.planning(planning).await,
            Call::Extraction(extraction) => self.extraction(extraction).await,
            Call::Histories(histories) => self.histories(histories).await,
        }
    }

    async fn planning(&mut self, call: &Planning) -> Answer {
        match call {
            Planning::CacheView { text, artifact, config } => {
                answer(call!(self.cache_view(text, artifact.as_deref(), config)).flatten())
            }
            Planning::Unreferenced { texts } => answer(call!(self.cache_unreferenced(texts)).flatten()),
            Planning::ShouldCompact { usage, config } => {
                answer(call!(self.compaction_should_compact(usage, config)).flatten())
            }
            Planning::BudgetPreset { preset, total_window } => {
                answer(call!(self.budget_preset_config(*preset, *total_window)).flatten())
            }
            Planning::CheckBudget { config } => answer(call!(self.budget_check(config)).flatten()),
            Planning::ReadRefusal { error } => answer(call!(self.planning_read_refusal(error))),
            Planning::Plan(plan) => answer(
                call!(self.planning_plan(&plan.conversation, &plan.task, &plan.answers, &plan.state))
                    .flatten(),
            ),
        }
    }

    async fn extraction(&mut self, call: &Extraction) -> Answer {
        match call {
            Extraction::Config { context_tokens } => {
                answer(call!(self.extraction_default_config(*context_tokens)).flatten())
            }
            Extraction::ParseCall { arguments } => {
                answer(call!(self.extraction_parse_call(arguments)).flatten())
            }
            Extraction::Estimate { question, config } => {
                answer(call!(self.extraction_estimate(question, config)).flatten())
            }
            Extraction::Start { question, config } => {
                answer(call!(self.extraction_start(question, config)).flatten())
            }
            Extraction::Step { state, event } => answer(call!(self.extraction_step(state, event)).flatten()),
        }
    }

    async fn histories(&mut self, call: &Histories) -> Answer {
        match call {
            Histories::Detect { json } => answer(call!(self.histories_detect_format(json)).flatten()),
            Histories::ReadUsage { usage } => answer(call!(self.histories_read_usage(usage)).flatten()),
            Histories::Manage(run) => self.manage(run).await,
        }
    }

    async fn manage(&mut self, run: &Run) -> Answer {
        let Run { input, task, .. } = run;
        let mut step = call!(self.histories_start(input, run.memory.as_deref(), task)).flatten()?;
        for given in &run.answers {
            if step.request.is_none() {
                break;
            }
            step = call!(self.histories_step(input, task, &step.state, given)).flatten()?;
        }
        Ok(outcome(step))
    }
}
