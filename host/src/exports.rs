// Written by `cargo xtask contract` from wit/; do not edit.

//! The exports of the component, called with the records of the contract.

use tuckaway_contract::*;
use wasmtime::Store;
use wasmtime::component::{Component, Func, Instance};

/// The functions of the contract, by interface.
const NAMES: &[(&str, &str)] = &[
    ("tuckaway:context/budget@0.1.0", "preset-config"),
    ("tuckaway:context/budget@0.1.0", "check"),
    ("tuckaway:context/cache@0.1.0", "view"),
    ("tuckaway:context/cache@0.1.0", "unreferenced"),
    ("tuckaway:context/compaction@0.1.0", "should-compact"),
    ("tuckaway:context/offload@0.1.0", "default-policy"),
    ("tuckaway:context/offload@0.1.0", "decide"),
    ("tuckaway:context/offload@0.1.0", "process"),
    ("tuckaway:context/offload@0.1.0", "process-turn"),
    ("tuckaway:context/planning@0.1.0", "read-refusal"),
    ("tuckaway:context/planning@0.1.0", "plan"),
    ("tuckaway:context/histories@0.1.0", "detect-format"),
    ("tuckaway:context/histories@0.1.0", "read-usage"),
    ("tuckaway:context/histories@0.1.0", "start"),
    ("tuckaway:context/histories@0.1.0", "step"),
    ("tuckaway:context/reduce@0.1.0", "infer-shape"),
    ("tuckaway:context/reduce@0.1.0", "truncate"),
    ("tuckaway:context/artifacts@0.1.0", "read"),
    ("tuckaway:context/artifacts@0.1.0", "grep"),
    ("tuckaway:context/artifacts@0.1.0", "grep-all"),
    ("tuckaway:context/artifacts@0.1.0", "jq"),
    ("tuckaway:context/artifacts@0.1.0", "list-artifacts"),
    ("tuckaway:context/tools@0.1.0", "definitions"),
    ("tuckaway:context/tools@0.1.0", "call"),
    ("tuckaway:context/extraction@0.1.0", "default-config"),
    ("tuckaway:context/extraction@0.1.0", "parse-call"),
    ("tuckaway:context/extraction@0.1.0", "estimate"),
    ("tuckaway:context/extraction@0.1.0", "start"),
    ("tuckaway:context/extraction@0.1.0", "step"),
];

/// The exports of an instance.
pub(crate) struct Exports {
    budget_preset_config: Func,
    budget_check: Func,
    cache_view: Func,
    cache_unreferenced: Func,
    compaction_should_compact: Func,
    offload_default_policy: Func,
    offload_decide: Func,
    offload_process: Func,
    offload_process_turn: Func,
    planning_read_refusal: Func,
    planning_plan: Func,
    histories_detect_format: Func,
    histories_read_usage: Func,
    histories_start: Func,
    histories_step: Func,
    reduce_infer_shape: Func,
    reduce_truncate: Func,
    artifacts_read: Func,
    artifacts_grep: Func,
    artifacts_grep_all: Func,
    artifacts_jq: Func,
    artifacts_list_artifacts: Func,
    tools_definitions: Func,
    tools_call: Func,
    extraction_default_config: Func,
    extraction_parse_call: Func,
    extraction_estimate: Func,
    extraction_start: Func,
    extraction_step: Func,
}

impl Exports {
    /// Checks that a component exports the functions of the contract.
    pub(crate) fn check(component: &Component) -> wasmtime::Result<()> {
        let lacks = |(interface, function): &&(&str, &str)| {
            let inside = component.get_export_index(None, interface);
            inside.and_then(|inside| component.get_export_index(Some(&inside), function)).is_none()
        };
        NAMES.iter().find(lacks).map_or(Ok(()), |(interface, function)| Err(missing(interface, function)))
    }

    /// Finds the exports of an instance.
    ///
    /// Errors: an export is missing, or differs from the contract.
    pub(crate) fn of<T: 'static>(instance: &Instance, wasm: &mut Store<T>) -> wasmtime::Result<Self> {
        let mut find = |interface: &str, function: &str| {
            let inside = instance.get_export_index(&mut *wasm, None, interface);
            let index = instance.get_export_index(&mut *wasm, inside.as_ref(), function);
            let found = index.and_then(|index| instance.get_func(&mut *wasm, index));
            found.ok_or_else(|| missing(interface, function))
        };
        let exports = Exports {
            budget_preset_config: find("tuckaway:context/budget@0.1.0", "preset-config")?,
            budget_check: find("tuckaway:context/budget@0.1.0", "check")?,
            cache_view: find("tuckaway:context/cache@0.1.0", "view")?,
            cache_unreferenced: find("tuckaway:context/cache@0.1.0", "unreferenced")?,
            compaction_should_compact: find("tuckaway:context/compaction@0.1.0", "should-compact")?,
            offload_default_policy: find("tuckaway:context/offload@0.1.0", "default-policy")?,
            offload_decide: find("tuckaway:context/offload@0.1.0", "decide")?,
            offload_process: find("tuckaway:context/offload@0.1.0", "process")?,
            offload_process_turn: find("tuckaway:context/offload@0.1.0", "process-turn")?,
            planning_read_refusal: find("tuckaway:context/planning@0.1.0", "read-refusal")?,
            planning_plan: find("tuckaway:context/planning@0.1.0", "plan")?,
            histories_detect_format: find("tuckaway:context/histories@0.1.0", "detect-format")?,
            histories_read_usage: find("tuckaway:context/histories@0.1.0", "read-usage")?,
            histories_start: find("tuckaway:context/histories@0.1.0", "start")?,
            histories_step: find("tuckaway:context/histories@0.1.0", "step")?,
            reduce_infer_shape: find("tuckaway:context/reduce@0.1.0", "infer-shape")?,
            reduce_truncate: find("tuckaway:context/reduce@0.1.0", "truncate")?,
            artifacts_read: find("tuckaway:context/artifacts@0.1.0", "read")?,
            artifacts_grep: find("tuckaway:context/artifacts@0.1.0", "grep")?,
            artifacts_grep_all: find("tuckaway:context/artifacts@0.1.0", "grep-all")?,
            artifacts_jq: find("tuckaway:context/artifacts@0.1.0", "jq")?,
            artifacts_list_artifacts: find("tuckaway:context/artifacts@0.1.0", "list-artifacts")?,
            tools_definitions: find("tuckaway:context/tools@0.1.0", "definitions")?,
            tools_call: find("tuckaway:context/tools@0.1.0", "call")?,
            extraction_default_config: find("tuckaway:context/extraction@0.1.0", "default-config")?,
            extraction_parse_call: find("tuckaway:context/extraction@0.1.0", "parse-call")?,
            extraction_estimate: find("tuckaway:context/extraction@0.1.0", "estimate")?,
            extraction_start: find("tuckaway:context/extraction@0.1.0", "start")?,
            extraction_step: find("tuckaway:context/extraction@0.1.0", "step")?,
        };
        exports
            .budget_preset_config
            .typed::<(Preset, Option<u64>), (Result<BudgetConfig, Error>,)>(&*wasm)?;
        exports.budget_check.typed::<(&BudgetConfig,), (Result<Vec<Alarm>, Error>,)>(&*wasm)?;
        exports
            .cache_view
            .typed::<(&str, Option<&str>, &CacheConfig), (Result<CacheView, Error>,)>(&*wasm)?;
        exports.cache_unreferenced.typed::<(&[String],), (Result<Vec<String>, Error>,)>(&*wasm)?;
        exports
            .compaction_should_compact
            .typed::<(&TokenUsage, &CompactionConfig), (Result<bool, Error>,)>(&*wasm)?;
        exports.offload_default_policy.typed::<(Dialect,), (Policy,)>(&*wasm)?;
        exports.offload_decide.typed::<(&ToolOutput, &Turn, &Policy), (Result<Decision, Error>,)>(&*wasm)?;
        exports.offload_process.typed::<(&ToolOutput, &Turn, &Policy), (Result<View, Error>,)>(&*wasm)?;
        exports
            .offload_process_turn
            .typed::<(&[ToolOutput], &Turn, &Policy), (Result<Vec<View>, Error>,)>(&*wasm)?;
        exports.planning_read_refusal.typed::<(&str,), (ProviderRefusal,)>(&*wasm)?;
        exports
            .planning_plan
            .typed::<(&Conversation, &Task, &[String], &PlanState), (Result<Step, Error>,)>(&*wasm)?;
        exports.histories_detect_format.typed::<(&str,), (Result<HistoryFormat, Error>,)>(&*wasm)?;
        exports.histories_read_usage.typed::<(&str,), (Result<TokenUsage, Error>,)>(&*wasm)?;
        exports
            .histories_start
            .typed::<(&HistoryInput, Option<&str>, &Task), (Result<HistoryStep, Error>,)>(&*wasm)?;
        exports
            .histories_step
            .typed::<(&HistoryInput, &Task, &str, &SummaryAnswer), (Result<HistoryStep, Error>,)>(&*wasm)?;
        exports.reduce_infer_shape.typed::<(&[u8], Option<u32>), (Result<Shape, Error>,)>(&*wasm)?;
        exports.reduce_truncate.typed::<(&[u8], u64), (Result<String, Error>,)>(&*wasm)?;
        exports.artifacts_read.typed::<(&str, &Range, bool, Option<u32>), (Result<Page, Error>,)>(&*wasm)?;
        exports.artifacts_grep.typed::<(&str, &GrepQuery, Option<u32>), (Result<Matches, Error>,)>(&*wasm)?;
        exports
            .artifacts_grep_all
            .typed::<(&GrepQuery, Option<u32>), (Result<AllMatches, Error>,)>(&*wasm)?;
        exports.artifacts_jq.typed::<(&str, &JqQuery, Option<u32>), (Result<Outputs, Error>,)>(&*wasm)?;
        exports.artifacts_list_artifacts.typed::<(), (Result<Vec<Artifact>, Error>,)>(&*wasm)?;
        exports
            .tools_definitions
            .typed::<(&[ArtifactTool], Dialect, bool, bool), (Vec<ToolDefinition>,)>(&*wasm)?;
        exports.tools_call.typed::<(&str, &str, Option<u32>), (Result<ToolReply, Error>,)>(&*wasm)?;
        exports.extraction_default_config.typed::<(u64,), (Result<ExtractionConfig, Error>,)>(&*wasm)?;
        exports.extraction_parse_call.typed::<(&str,), (Result<Question, Error>,)>(&*wasm)?;
        exports
            .extraction_estimate
            .typed::<(&Question, &ExtractionConfig), (Result<ExtractionEstimate, Error>,)>(&*wasm)?;
        exports
            .extraction_start
            .typed::<(&Question, &ExtractionConfig), (Result<ExtractionStep, Error>,)>(&*wasm)?;
        exports
            .extraction_step
            .typed::<(&str, &ExtractionEvent), (Result<ExtractionStep, Error>,)>(&*wasm)?;

        Ok(exports)
    }

    pub(crate) async fn budget_preset_config<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (Preset, Option<u64>),
    ) -> wasmtime::Result<Result<BudgetConfig, Error>> {
        Ok(self
            .budget_preset_config
            .typed::<(Preset, Option<u64>), (Result<BudgetConfig, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn budget_check<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&BudgetConfig,),
    ) -> wasmtime::Result<Result<Vec<Alarm>, Error>> {
        Ok(self
            .budget_check
            .typed::<(&BudgetConfig,), (Result<Vec<Alarm>, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn cache_view<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&str, Option<&str>, &CacheConfig),
    ) -> wasmtime::Result<Result<CacheView, Error>> {
        Ok(self
            .cache_view
            .typed::<(&str, Option<&str>, &CacheConfig), (Result<CacheView, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn cache_unreferenced<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&[String],),
    ) -> wasmtime::Result<Result<Vec<String>, Error>> {
        Ok(self
            .cache_unreferenced
            .typed::<(&[String],), (Result<Vec<String>, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn compaction_should_compact<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&TokenUsage, &CompactionConfig),
    ) -> wasmtime::Result<Result<bool, Error>> {
        Ok(self
            .compaction_should_compact
            .typed::<(&TokenUsage, &CompactionConfig), (Result<bool, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn offload_default_policy<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (Dialect,),
    ) -> wasmtime::Result<Policy> {
        Ok(self
            .offload_default_policy
            .typed::<(Dialect,), (Policy,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn offload_decide<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&ToolOutput, &Turn, &Policy),
    ) -> wasmtime::Result<Result<Decision, Error>> {
        Ok(self
            .offload_decide
            .typed::<(&ToolOutput, &Turn, &Policy), (Result<Decision, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn offload_process<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&ToolOutput, &Turn, &Policy),
    ) -> wasmtime::Result<Result<View, Error>> {
        Ok(self
            .offload_process
            .typed::<(&ToolOutput, &Turn, &Policy), (Result<View, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn offload_process_turn<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&[ToolOutput], &Turn, &Policy),
    ) -> wasmtime::Result<Result<Vec<View>, Error>> {
        Ok(self
            .offload_process_turn
            .typed::<(&[ToolOutput], &Turn, &Policy), (Result<Vec<View>, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn planning_read_refusal<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&str,),
    ) -> wasmtime::Result<ProviderRefusal> {
        Ok(self
            .planning_read_refusal
            .typed::<(&str,), (ProviderRefusal,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn planning_plan<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&Conversation, &Task, &[String], &PlanState),
    ) -> wasmtime::Result<Result<Step, Error>> {
        Ok(self
            .planning_plan
            .typed::<(&Conversation, &Task, &[String], &PlanState), (Result<Step, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn histories_detect_format<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&str,),
    ) -> wasmtime::Result<Result<HistoryFormat, Error>> {
        Ok(self
            .histories_detect_format
            .typed::<(&str,), (Result<HistoryFormat, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn histories_read_usage<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&str,),
    ) -> wasmtime::Result<Result<TokenUsage, Error>> {
        Ok(self
            .histories_read_usage
            .typed::<(&str,), (Result<TokenUsage, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn histories_start<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&HistoryInput, Option<&str>, &Task),
    ) -> wasmtime::Result<Result<HistoryStep, Error>> {
        Ok(self
            .histories_start
            .typed::<(&HistoryInput, Option<&str>, &Task), (Result<HistoryStep, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn histories_step<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&HistoryInput, &Task, &str, &SummaryAnswer),
    ) -> wasmtime::Result<Result<HistoryStep, Error>> {
        Ok(self
            .histories_step
            .typed::<(&HistoryInput, &Task, &str, &SummaryAnswer), (Result<HistoryStep, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn reduce_infer_shape<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&[u8], Option<u32>),
    ) -> wasmtime::Result<Result<Shape, Error>> {
        Ok(self
            .reduce_infer_shape
            .typed::<(&[u8], Option<u32>), (Result<Shape, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn reduce_truncate<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&[u8], u64),
    ) -> wasmtime::Result<Result<String, Error>> {
        Ok(self
            .reduce_truncate
            .typed::<(&[u8], u64), (Result<String, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn artifacts_read<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&str, &Range, bool, Option<u32>),
    ) -> wasmtime::Result<Result<Page, Error>> {
        Ok(self
            .artifacts_read
            .typed::<(&str, &Range, bool, Option<u32>), (Result<Page, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn artifacts_grep<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&str, &GrepQuery, Option<u32>),
    ) -> wasmtime::Result<Result<Matches, Error>> {
        Ok(self
            .artifacts_grep
            .typed::<(&str, &GrepQuery, Option<u32>), (Result<Matches, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn artifacts_grep_all<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&GrepQuery, Option<u32>),
    ) -> wasmtime::Result<Result<AllMatches, Error>> {
        Ok(self
            .artifacts_grep_all
            .typed::<(&GrepQuery, Option<u32>), (Result<AllMatches, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn artifacts_jq<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&str, &JqQuery, Option<u32>),
    ) -> wasmtime::Result<Result<Outputs, Error>> {
        Ok(self
            .artifacts_jq
            .typed::<(&str, &JqQuery, Option<u32>), (Result<Outputs, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn artifacts_list_artifacts<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (),
    ) -> wasmtime::Result<Result<Vec<Artifact>, Error>> {
        Ok(self
            .artifacts_list_artifacts
            .typed::<(), (Result<Vec<Artifact>, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn tools_definitions<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&[ArtifactTool], Dialect, bool, bool),
    ) -> wasmtime::Result<Vec<ToolDefinition>> {
        Ok(self
            .tools_definitions
            .typed::<(&[ArtifactTool], Dialect, bool, bool), (Vec<ToolDefinition>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn tools_call<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&str, &str, Option<u32>),
    ) -> wasmtime::Result<Result<ToolReply, Error>> {
        Ok(self
            .tools_call
            .typed::<(&str, &str, Option<u32>), (Result<ToolReply, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn extraction_default_config<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (u64,),
    ) -> wasmtime::Result<Result<ExtractionConfig, Error>> {
        Ok(self
            .extraction_default_config
            .typed::<(u64,), (Result<ExtractionConfig, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn extraction_parse_call<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&str,),
    ) -> wasmtime::Result<Result<Question, Error>> {
        Ok(self
            .extraction_parse_call
            .typed::<(&str,), (Result<Question, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn extraction_estimate<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&Question, &ExtractionConfig),
    ) -> wasmtime::Result<Result<ExtractionEstimate, Error>> {
        Ok(self
            .extraction_estimate
            .typed::<(&Question, &ExtractionConfig), (Result<ExtractionEstimate, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn extraction_start<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&Question, &ExtractionConfig),
    ) -> wasmtime::Result<Result<ExtractionStep, Error>> {
        Ok(self
            .extraction_start
            .typed::<(&Question, &ExtractionConfig), (Result<ExtractionStep, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }

    pub(crate) async fn extraction_step<T: Send + 'static>(
        &self,
        wasm: &mut Store<T>,
        arguments: (&str, &ExtractionEvent),
    ) -> wasmtime::Result<Result<ExtractionStep, Error>> {
        Ok(self
            .extraction_step
            .typed::<(&str, &ExtractionEvent), (Result<ExtractionStep, Error>,)>(&*wasm)?
            .call_async(wasm, arguments)
            .await?
            .0)
    }
}

fn missing(interface: &str, function: &str) -> wasmtime::Error {
    wasmtime::Error::msg(format!("it does not export {interface}#{function}"))
}
