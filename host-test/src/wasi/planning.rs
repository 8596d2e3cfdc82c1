//! The calls about conversations.

use tuckaway::{Alarm, BudgetConfig, CacheView, Error, Step};

use super::bindings::convert;
use super::bindings::planning::{self, Directives, Lists};
use super::{WasiSession, call, record};
use crate::Planning;
use crate::planning::Plan;
use crate::subject::{Answer, answer};

impl WasiSession {
    pub(super) async fn planning(&mut self, call: &Planning) -> Answer {
        match call {
            Planning::CacheView { text, artifact, config } => {
                let tools = planning::texts(&config.protected_tools);
                let (artifact, config) = (artifact.as_deref(), planning::cache(config, &tools));
                record!(CacheView, call!(self, tuckaway_context_cache.call_view(text, artifact, config)))
            }
            Planning::Unreferenced { texts } => {
                let texts = planning::texts(texts);
                record!([String], call!(self, tuckaway_context_cache.call_unreferenced(&texts)))
            }
            Planning::ShouldCompact { usage, config } => {
                let directives = Directives::of(config);
                let (usage, config) = ((*usage).into(), planning::compaction(config, &directives));
                record!(bool, call!(self, tuckaway_context_compaction.call_should_compact(usage, config)))
            }
            Planning::BudgetPreset { preset, total_window } => record!(
                BudgetConfig,
                call!(self, tuckaway_context_budget.call_preset_config((*preset).into(), *total_window))
            ),
            Planning::CheckBudget { config } => {
                let layers = planning::layers(config);
                let config = planning::budget(config, &layers);
                record!([Alarm], call!(self, tuckaway_context_budget.call_check(config)))
            }
            Planning::Plan(plan) => self.plan(plan).await,
        }
    }

    async fn plan(&mut self, plan: &Plan) -> Answer {
        let parts = planning::parts(&plan.conversation);
        let messages = planning::messages(&plan.conversation, &parts);
        let specs = planning::specs(&plan.conversation);
        let conversation = planning::conversation(&plan.conversation, &messages, &specs);
        let (answers, lists) = (planning::texts(&plan.answers), Lists::of(&plan.task));
        let (task, state) = (planning::task(&plan.task, &lists), planning::state(&plan.state));
        record!(Step, call!(self, tuckaway_context_planning.call_plan(conversation, task, &answers, state)))
    }
}
