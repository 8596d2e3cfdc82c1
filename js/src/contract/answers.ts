// Written by `cargo xtask contract` from wit/; do not edit.

/** Converts what the component returns into the form of the contract's types. */

import type * as Artifacts from '../../generated/interfaces/tuckaway-context-artifacts.js';
import type * as Budget from '../../generated/interfaces/tuckaway-context-budget.js';
import type * as Cache from '../../generated/interfaces/tuckaway-context-cache.js';
import type * as Compaction from '../../generated/interfaces/tuckaway-context-compaction.js';
import type * as Conversation from '../../generated/interfaces/tuckaway-context-conversation.js';
import type * as Extraction from '../../generated/interfaces/tuckaway-context-extraction.js';
import type * as Histories from '../../generated/interfaces/tuckaway-context-histories.js';
import type * as Offload from '../../generated/interfaces/tuckaway-context-offload.js';
import type * as Planning from '../../generated/interfaces/tuckaway-context-planning.js';
import type * as Reduce from '../../generated/interfaces/tuckaway-context-reduce.js';
import type * as Store from '../../generated/interfaces/tuckaway-context-store.js';
import type * as Tools from '../../generated/interfaces/tuckaway-context-tools.js';
import type * as Types from '../../generated/interfaces/tuckaway-context-types.js';
import { inJavaScript } from '../error.js';
import { caseName, omitUndefined, optionalSize, signedSize, size } from '../output.js';
import type { ContextMemory, JsonSchema } from '../json-types.js';
import type {
    Account,
    Alarm,
    AllMatches,
    Answer,
    Artifact,
    ArtifactMatches,
    BucketCap,
    BudgetConfig,
    ByteSpan,
    CacheConfig,
    CacheView,
    CallResult,
    CompactionConfig,
    Coverage,
    Decision,
    Entry,
    ExtractionConfig,
    ExtractionEstimate,
    ExtractionStep,
    ExtractionUsage,
    Failure,
    HistoryItem,
    HistoryReport,
    HistoryStep,
    ImageLimits,
    Layer,
    ManagedHistory,
    Match,
    Matches,
    ModelCall,
    ModelRequest,
    ModelTurn,
    Outputs,
    Page,
    PartPlace,
    Plan,
    PlanState,
    Policy,
    PromptCache,
    ProviderRefusal,
    Question,
    Quote,
    Receipt,
    Replacement,
    RequestMessage,
    SavedOutputs,
    Shape,
    SkippedArtifact,
    Span,
    Step,
    StoredMedia,
    SummaryRequest,
    TextMessage,
    TokenUsage,
    ToolDefinition,
    ToolOverride,
    ToolReply,
    Usage,
    UserMessages,
    View,
} from './types.js';

export function artifact(from: Store.Artifact): Artifact {
    return {
        id: from.id,
        tool: from.tool,
        mediaType: from.mediaType,
        sizeBytes: size(from.sizeBytes),
        lineCount: size(from.lineCount),
        createdAt: size(from.createdAt),
    };
}

export function tokenUsage(from: Conversation.TokenUsage): Required<TokenUsage> {
    return {
        inputTokens: size(from.inputTokens),
        outputTokens: size(from.outputTokens),
        cacheCreationTokens: size(from.cacheCreationTokens),
        cacheReadTokens: size(from.cacheReadTokens),
    };
}

export function usage(from: Conversation.Usage): Usage {
    return {
        tokens: tokenUsage(from.tokens),
        messages: from.messages,
    };
}

export function account(from: Conversation.Account): Account {
    return {
        system: size(from.system),
        tools: size(from.tools),
        history: size(from.history),
        toolOutputs: size(from.toolOutputs),
        total: size(from.total),
        cacheBreakpoint: from.cacheBreakpoint,
    };
}

export function span(from: Conversation.Span): Span {
    return {
        start: from.start,
        end: from.end,
    };
}

export function textMessage(from: Conversation.TextMessage): TextMessage {
    return {
        role: from.role,
        text: from.text,
    };
}

export function entry(from: Conversation.Entry): Entry {
    switch (from.tag) {
        case 'keep':
            return { keep: span(from.val) };
        case 'insert':
            return { insert: textMessage(from.val) };
    }
}

export function replacement(from: Conversation.Replacement): Replacement {
    return {
        message: from.message,
        part: from.part,
        text: from.text,
        artifact: from.artifact,
    };
}

export function partPlace(from: Conversation.PartPlace): PartPlace {
    return {
        message: from.message,
        part: from.part,
    };
}

export function receipt(from: Conversation.Receipt): Receipt {
    return omitUndefined<Receipt>({
        removal: from.removal,
        messages: span(from.messages),
        tool: from.tool,
        tokensBefore: size(from.tokensBefore),
        tokensAfter: size(from.tokensAfter),
        artifact: from.artifact,
    });
}

export function alarm(from: Conversation.Alarm): Alarm {
    return omitUndefined<Alarm>({
        kind: caseName(from.kind),
        bucket: from.bucket === undefined ? undefined : caseName(from.bucket),
        message: from.message,
    });
}

export function planState(from: Conversation.PlanState): PlanState {
    return omitUndefined<PlanState>({
        prefix: from.prefix,
        failures: from.failures,
        requested: [...from.requested].map(size),
    });
}

export function plan(from: Conversation.Plan): Plan {
    return omitUndefined<Plan>({
        isEmpty: from.isEmpty,
        history: from.history.map(entry),
        replacements: from.replacements.map(replacement),
        removedTools: [...from.removedTools],
        before: account(from.before),
        after: account(from.after),
        usage: from.usage === undefined ? undefined : usage(from.usage),
        receipts: from.receipts.map(receipt),
        alarms: from.alarms.map(alarm),
        state: planState(from.state),
        removedParts: from.removedParts.map(partPlace),
    });
}

export function summaryRequest(from: Conversation.SummaryRequest): SummaryRequest {
    return omitUndefined<SummaryRequest>({
        model: from.model,
        messages: from.messages.map(textMessage),
        prompt: from.prompt,
        through: from.through,
        isWhole: from.isWhole,
        remaining: from.remaining,
        maxOutputTokens: size(from.maxOutputTokens),
        pair: optionalSize(from.pair),
    });
}

export function step(from: Conversation.Step): Step {
    return omitUndefined<Step>({
        plan: plan(from.plan),
        request: from.request === undefined ? undefined : summaryRequest(from.request),
        refusal: from.refusal,
        background: from.background.map(summaryRequest),
    });
}

export function failure(from: Types.Error): Failure {
    return inJavaScript({
        kind: caseName(from.kind),
        message: from.message,
        arguments: [...from.arguments],
    });
}

export function bucketCap(from: Budget.BucketCap): BucketCap {
    return {
        maxTokens: size(from.maxTokens),
        onOverflow: caseName(from.onOverflow),
    };
}

export function layer(from: Budget.Layer): Layer {
    return {
        target: caseName(from.target),
        strategy: caseName(from.strategy),
        atPct: from.atPct,
        toPct: from.toPct,
        keepRecentTurns: from.keepRecentTurns,
        evictPct: from.evictPct,
    };
}

export function budgetConfig(from: Budget.BudgetConfig): BudgetConfig {
    return {
        totalWindow: size(from.totalWindow),
        system: bucketCap(from.system),
        tools: bucketCap(from.tools),
        history: bucketCap(from.history),
        toolOutputs: bucketCap(from.toolOutputs),
        working: bucketCap(from.working),
        headroomTokens: size(from.headroomTokens),
        layers: from.layers.map(layer),
        unusedTurns: from.unusedTurns,
    };
}

export function promptCache(from: Cache.PromptCache): Required<PromptCache> {
    return {
        remainingTurns: from.remainingTurns,
        readPrice: from.readPrice,
        writePrice: from.writePrice,
    };
}

export function userMessages(from: Cache.UserMessages): Required<UserMessages> {
    return {
        threshold: size(from.threshold),
        keepBytes: size(from.keepBytes),
        withNewest: from.withNewest,
    };
}

export function imageLimits(from: Cache.ImageLimits): ImageLimits {
    return {
        side: from.side,
        many: from.many,
        sideOfMany: from.sideOfMany,
    };
}

export function cacheConfig(from: Cache.CacheConfig): CacheConfig {
    return omitUndefined<CacheConfig>({
        enabled: from.enabled,
        contextBudgetTokens: optionalSize(from.contextBudgetTokens),
        maxMessageBytes: size(from.maxMessageBytes),
        maxLineLength: from.maxLineLength,
        targetRatio: from.targetRatio,
        clearAtLeastTokens: size(from.clearAtLeastTokens),
        keepLast: from.keepLast,
        protectedTools: [...from.protectedTools],
        keepErrors: from.keepErrors,
        trimArguments: from.trimArguments,
        argumentTools: [...from.argumentTools],
        minArgumentBytes: size(from.minArgumentBytes),
        keepMedia: from.keepMedia,
        maxMedia: from.maxMedia,
        maxRequestBytes: optionalSize(from.maxRequestBytes),
        userMessages: from.userMessages === undefined ? undefined : userMessages(from.userMessages),
        repeats: from.repeats,
        promptCache: from.promptCache === undefined ? undefined : promptCache(from.promptCache),
        keepThinking: from.keepThinking,
        imageLimits: from.imageLimits === undefined ? undefined : imageLimits(from.imageLimits),
    });
}

export function cacheView(from: Cache.CacheView): CacheView {
    return {
        text: from.text,
        isCut: from.isCut,
    };
}

export function compactionConfig(from: Compaction.CompactionConfig): CompactionConfig {
    return omitUndefined<CompactionConfig>({
        enabled: from.enabled,
        auto: from.auto,
        thresholdRatio: from.thresholdRatio,
        contextLimit: optionalSize(from.contextLimit),
        model: from.model,
        summaryContextLimit: optionalSize(from.summaryContextLimit),
        maxSummaryTokens: size(from.maxSummaryTokens),
        summaryPrompt: from.summaryPrompt,
        summaryDirectives: [...from.summaryDirectives],
        retainPrompt: from.retainPrompt,
        retainDirectives: [...from.retainDirectives],
        retainLastTurns: from.retainLastTurns,
        maxUserBytes: size(from.maxUserBytes),
        maxReferences: from.maxReferences,
    });
}

export function toolOverride(from: Offload.ToolOverride): ToolOverride {
    return omitUndefined<ToolOverride>({
        tools: from.tools,
        exempt: from.exempt,
        mode: from.mode,
        maxThresholdBytes: optionalSize(from.maxThresholdBytes),
    });
}

export function policy(from: Offload.Policy): Policy {
    return omitUndefined<Policy>({
        enabled: from.enabled,
        dialect: from.dialect,
        mode: from.mode,
        keepAll: from.keepAll,
        contextPercentage: from.contextPercentage,
        minThresholdBytes: size(from.minThresholdBytes),
        maxThresholdBytes: size(from.maxThresholdBytes),
        headroomPercentage: from.headroomPercentage,
        maxOutputTokens: optionalSize(from.maxOutputTokens),
        bytesPerToken: from.bytesPerToken,
        maxViewBytes: optionalSize(from.maxViewBytes),
        previewBytes: from.previewBytes,
        imageTokens: from.imageTokens,
        overrides: from.overrides.map(toolOverride),
    });
}

export function decision(from: Offload.Decision): Decision {
    return omitUndefined<Decision>({
        action: from.action,
        gate: caseName(from.gate),
        sizeBytes: size(from.sizeBytes),
        lineCount: size(from.lineCount),
        tokenCount: optionalSize(from.tokenCount),
        tokensEstimated: from.tokensEstimated,
        minThresholdBytes: size(from.minThresholdBytes),
        thresholdBytes: size(from.thresholdBytes),
        maxThresholdBytes: size(from.maxThresholdBytes),
        maxOutputTokens: optionalSize(from.maxOutputTokens),
        headroomTokens: from.headroomTokens === undefined ? undefined : signedSize(from.headroomTokens),
        keptTokens: optionalSize(from.keptTokens),
        matchedOverride: from.matchedOverride,
        failures: from.failures.map(failure),
    });
}

export function view(from: Offload.View): View {
    return {
        text: from.text,
        kept: [...from.kept],
        artifacts: from.artifacts.map(artifact),
        decision: decision(from.decision),
    };
}

export function providerRefusal(from: Planning.ProviderRefusal): ProviderRefusal {
    return omitUndefined<ProviderRefusal>({
        kind: caseName(from.kind),
        limit: optionalSize(from.limit),
        actual: optionalSize(from.actual),
        answer: optionalSize(from.answer),
        excess: optionalSize(from.excess),
    });
}

export function historyItem(from: Histories.HistoryItem): HistoryItem {
    switch (from.tag) {
        case 'keep':
            return { keep: span(from.val) };
        case 'insert':
            return { insert: from.val };
    }
}

export function historyReport(from: Histories.HistoryReport): HistoryReport {
    return omitUndefined<HistoryReport>({
        isChanged: from.isChanged,
        itemCount: from.itemCount,
        before: account(from.before),
        after: account(from.after),
        receipts: from.receipts.map(receipt),
        alarms: from.alarms.map(alarm),
        requests: from.requests,
        summaryErrors: [...from.summaryErrors],
        refusal: from.refusal,
        originals: [...from.originals],
        repairs: [...from.repairs],
    });
}

export function managedHistory(from: Histories.ManagedHistory): ManagedHistory {
    return omitUndefined<ManagedHistory>({
        format: from.format,
        items: from.items.map(historyItem),
        keptTools: from.keptTools === undefined ? undefined : [...from.keptTools],
        json: from.json,
        memory: JSON.parse(from.memory) as ContextMemory,
        report: historyReport(from.report),
        background: from.background.map(summaryRequest),
    });
}

export function historyStep(from: Histories.HistoryStep): HistoryStep {
    return omitUndefined<HistoryStep>({
        state: from.state,
        request: from.request === undefined ? undefined : summaryRequest(from.request),
        compactable: from.compactable.map(historyItem),
        history: managedHistory(from.history),
    });
}

export function shape(from: Reduce.Shape): Shape {
    return {
        mediaType: from.mediaType,
        json: from.json,
    };
}

export function page(from: Artifacts.Page): Page {
    return omitUndefined<Page>({
        text: from.text,
        next: from.next,
    });
}

export function match(from: Artifacts.Match): Match {
    return {
        line: size(from.line),
        column: size(from.column),
        byteOffset: size(from.byteOffset),
        text: from.text,
        clipped: from.clipped,
        before: [...from.before],
        after: [...from.after],
    };
}

export function matches(from: Artifacts.Matches): Matches {
    return omitUndefined<Matches>({
        matches: from.matches.map(match),
        total: optionalSize(from.total),
        matchCount: optionalSize(from.matchCount),
        next: from.next,
    });
}

export function artifactMatches(from: Artifacts.ArtifactMatches): ArtifactMatches {
    return omitUndefined<ArtifactMatches>({
        artifact: artifact(from.artifact),
        matches: from.matches.map(match),
        total: optionalSize(from.total),
        matchCount: optionalSize(from.matchCount),
    });
}

export function skippedArtifact(from: Artifacts.SkippedArtifact): SkippedArtifact {
    return {
        artifact: artifact(from.artifact),
        error: failure(from.error),
    };
}

export function allMatches(from: Artifacts.AllMatches): AllMatches {
    return omitUndefined<AllMatches>({
        groups: from.groups.map(artifactMatches),
        searched: size(from.searched),
        searchedBytes: size(from.searchedBytes),
        skipped: from.skipped.map(skippedArtifact),
        remaining: size(from.remaining),
        next: from.next,
    });
}

export function savedOutputs(from: Artifacts.SavedOutputs): SavedOutputs {
    return {
        artifact: artifact(from.artifact),
        count: size(from.count),
        shape: shape(from.shape),
    };
}

export function outputs(from: Artifacts.Outputs): Outputs {
    return omitUndefined<Outputs>({
        text: from.text,
        next: from.next,
        failure: from.failure === undefined ? undefined : failure(from.failure),
        hint: from.hint,
        parsedAs: from.parsedAs,
        saved: from.saved === undefined ? undefined : savedOutputs(from.saved),
    });
}

export function toolDefinition(from: Tools.ToolDefinition): ToolDefinition {
    return {
        name: from.name,
        description: from.description,
        inputSchema: JSON.parse(from.inputSchema) as JsonSchema,
    };
}

export function storedMedia(from: Tools.StoredMedia): StoredMedia {
    return {
        artifactId: from.artifactId,
        kind: from.kind,
        mediaType: from.mediaType,
        sizeBytes: size(from.sizeBytes),
    };
}

export function toolReply(from: Tools.ToolReply): ToolReply {
    return omitUndefined<ToolReply>({
        text: from.text,
        isError: from.isError,
        media: from.media === undefined ? undefined : storedMedia(from.media),
    });
}

export function question(from: Extraction.Question): Question {
    return omitUndefined<Question>({
        artifact: from.artifact,
        extract: from.extract,
        mode: from.mode,
        toolArguments: from.toolArguments,
        nonce: from.nonce,
    });
}

export function extractionConfig(from: Extraction.ExtractionConfig): ExtractionConfig {
    return omitUndefined<ExtractionConfig>({
        contextTokens: size(from.contextTokens),
        maxOutputTokens: size(from.maxOutputTokens),
        maxFullChunks: from.maxFullChunks,
        longLineBytes: size(from.longLineBytes),
        maxChunks: from.maxChunks,
        overlapPct: from.overlapPct,
        maxParallel: from.maxParallel,
        maxRequests: from.maxRequests,
        maxTokens: optionalSize(from.maxTokens),
        maxTurns: from.maxTurns,
        maxToolCalls: from.maxToolCalls,
        maxReplyBytes: from.maxReplyBytes,
        maxAnswerBytes: from.maxAnswerBytes,
    });
}

export function modelCall(from: Extraction.ModelCall): ModelCall {
    return {
        id: from.id,
        name: from.name,
        arguments: from.arguments,
    };
}

export function modelTurn(from: Extraction.ModelTurn): Required<ModelTurn> {
    return {
        text: from.text,
        calls: from.calls.map(modelCall),
    };
}

export function callResult(from: Extraction.CallResult): CallResult {
    return {
        callId: from.callId,
        text: from.text,
        isError: from.isError,
    };
}

export function requestMessage(from: Extraction.RequestMessage): RequestMessage {
    switch (from.tag) {
        case 'user':
            return { user: from.val };
        case 'model':
            return { model: modelTurn(from.val) };
        case 'results':
            return { results: from.val.map(callResult) };
    }
}

export function modelRequest(from: Extraction.ModelRequest): ModelRequest {
    return {
        id: from.id,
        purpose: from.purpose,
        system: from.system,
        messages: from.messages.map(requestMessage),
        tools: from.tools.map(toolDefinition),
        mayCall: from.mayCall,
        inputTokens: size(from.inputTokens),
        maxOutputTokens: size(from.maxOutputTokens),
    };
}

export function byteSpan(from: Extraction.ByteSpan): ByteSpan {
    return {
        start: size(from.start),
        end: size(from.end),
    };
}

export function coverage(from: Extraction.Coverage): Coverage {
    return {
        chunks: from.chunks,
        chunksDone: from.chunksDone,
        chunksFailed: from.chunksFailed,
        chunksSkipped: from.chunksSkipped,
        sizeBytes: size(from.sizeBytes),
        read: from.read.map(byteSpan),
    };
}

export function quote(from: Extraction.Quote): Quote {
    return omitUndefined<Quote>({
        text: from.text,
        line: optionalSize(from.line),
        byteOffset: optionalSize(from.byteOffset),
    });
}

export function extractionUsage(from: Extraction.ExtractionUsage): ExtractionUsage {
    return {
        requests: from.requests,
        inputTokens: size(from.inputTokens),
        outputTokens: size(from.outputTokens),
    };
}

export function answer(from: Extraction.Answer): Answer {
    return {
        text: from.text,
        content: from.content,
        outcome: caseName(from.outcome),
        strategy: from.strategy,
        isPartial: from.isPartial,
        coverage: coverage(from.coverage),
        quotes: from.quotes.map(quote),
        warnings: [...from.warnings],
        usage: extractionUsage(from.usage),
    };
}

export function extractionStep(from: Extraction.ExtractionStep): ExtractionStep {
    return omitUndefined<ExtractionStep>({
        state: from.state,
        requests: from.requests.map(modelRequest),
        answer: from.answer === undefined ? undefined : answer(from.answer),
    });
}

export function extractionEstimate(from: Extraction.ExtractionEstimate): ExtractionEstimate {
    return {
        strategy: from.strategy,
        reason: from.reason,
        sizeBytes: size(from.sizeBytes),
        lineCount: size(from.lineCount),
        tokens: size(from.tokens),
        chunks: from.chunks,
        requests: from.requests,
        inputTokens: size(from.inputTokens),
        outputTokens: size(from.outputTokens),
    };
}
