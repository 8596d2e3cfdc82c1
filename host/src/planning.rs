//! Plans for a conversation, as methods.

use tuckaway_contract::{
    Account, Alarm, BudgetConfig, CacheConfig, CacheView, CompactionConfig, Conversation, Error, PlanState,
    Preset, ProviderRefusal, Step, Task, TokenUsage,
};

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
        call!(self.cache_view(text, artifact, config))
    }

    /// Returns the artifacts of the store that no text mentions. With the texts of a conversation,
    /// these are the artifacts that the conversation does not refer to.
    pub async fn unreferenced(&self, texts: &[String]) -> Result<Vec<String>, Error> {
        call!(self.cache_unreferenced(texts))
    }

    /// Returns whether the total of a usage has reached the threshold.
    pub async fn should_compact(&self, usage: &TokenUsage, config: &CompactionConfig) -> Result<bool, Error> {
        call!(self.compaction_should_compact(usage, config))
    }

    /// Returns the budget for a kind of agent, scaled to a window; if it is `None`, the budget
    /// keeps the window of the preset.
    pub async fn budget_preset(
        &self,
        preset: Preset,
        total_window: Option<u64>,
    ) -> Result<BudgetConfig, Error> {
        call!(self.budget_preset_config(preset, total_window))
    }

    /// Returns alarms for unusual settings of a budget.
    pub async fn check_budget(&self, config: &BudgetConfig) -> Result<Vec<Alarm>, Error> {
        call!(self.budget_check(config))
    }

    /// Returns the tokens of a conversation by bucket.
    pub async fn account(&self, conversation: &Conversation) -> Result<Account, Error> {
        Ok(self.plan(conversation, &Task::Account, &[], &PlanState::default()).await?.plan.before)
    }

    /// Reads the error with which a provider refused a request: its text, its body as JSON, or an
    /// exception's text. Pass the error itself to a plan as `refusal` of
    /// [`ManageTask`](tuckaway_contract::ManageTask).
    pub async fn read_refusal(&self, error: &str) -> Result<ProviderRefusal, Error> {
        Ok(call!(self.planning_read_refusal(error)))
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
        call!(self.planning_plan(conversation, task, answers, state))
    }
}
