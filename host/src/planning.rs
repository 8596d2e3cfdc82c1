//! Plans for a conversation, as methods.

use tuckaway::{
    Account, Alarm, BudgetConfig, CacheConfig, CacheView, CompactionConfig, Conversation, Error, PlanState,
    Preset, Step, Task, TokenUsage,
};

use crate::bindings::convert;
use crate::bindings::planning::{self, Directives, Lists};
use crate::tuckaway::{Tuckaway, call};

impl Tuckaway {
    /// Truncates an output to its view in the conversation: first long lines, then the whole
    /// output. A note at the end names the artifact from which the rest can be read.
    pub async fn cache_view(
        &self,
        text: &str,
        artifact: Option<&str>,
        config: &CacheConfig,
    ) -> Result<CacheView, Error> {
        let tools = planning::texts(&config.protected_tools);
        let config = planning::cache(config, &tools);
        Ok(call!(self.tuckaway_context_cache.call_view(text, artifact, config))?.into())
    }

    /// Returns the artifacts of the store that none of the texts names. With the texts of a
    /// conversation, these are the artifacts to which nothing in the conversation refers.
    pub async fn unreferenced(&self, texts: &[String]) -> Result<Vec<String>, Error> {
        let texts = planning::texts(texts);
        Ok(call!(self.tuckaway_context_cache.call_unreferenced(&texts))?)
    }

    /// Returns whether the total of a usage has reached the threshold.
    pub async fn should_compact(&self, usage: &TokenUsage, config: &CompactionConfig) -> Result<bool, Error> {
        let directives = Directives::of(config);
        let config = planning::compaction(config, &directives);
        Ok(call!(self.tuckaway_context_compaction.call_should_compact((*usage).into(), config))?)
    }

    /// Returns the budget for a kind of agent, scaled to a window; if it is `None`, the budget
    /// keeps the window of the preset.
    pub async fn budget_preset(
        &self,
        preset: Preset,
        total_window: Option<u64>,
    ) -> Result<BudgetConfig, Error> {
        Ok(call!(self.tuckaway_context_budget.call_preset_config(preset.into(), total_window))?.into())
    }

    /// Returns alarms for unusual settings of a budget.
    pub async fn check_budget(&self, config: &BudgetConfig) -> Result<Vec<Alarm>, Error> {
        let layers = planning::layers(config);
        Ok(convert::all(call!(self.tuckaway_context_budget.call_check(planning::budget(config, &layers)))?))
    }

    /// Returns the tokens of a conversation by bucket.
    pub async fn account(&self, conversation: &Conversation) -> Result<Account, Error> {
        Ok(self.plan(conversation, &Task::Account, &[], &PlanState::default()).await?.plan.before)
    }

    /// Plans a task for a conversation. `answers` are the model's answers to the requests of
    /// earlier steps of the same task; empty at first. For a provider's history,
    /// [`manage_history`](Self::manage_history) takes all steps and applies the plans.
    ///
    /// A store that refuses an artifact causes an [`Alarm`], not an error.
    pub async fn plan(
        &self,
        conversation: &Conversation,
        task: &Task,
        answers: &[String],
        state: &PlanState,
    ) -> Result<Step, Error> {
        let parts = planning::parts(conversation);
        let messages = planning::messages(conversation, &parts);
        let specs = planning::specs(conversation);
        let (answers, lists) = (planning::texts(answers), Lists::of(task));
        Ok(call!(self.tuckaway_context_planning.call_plan(
            planning::conversation(conversation, &messages, &specs),
            planning::task(task, &lists),
            &answers,
            planning::state(state)
        ))?
        .into())
    }
}
