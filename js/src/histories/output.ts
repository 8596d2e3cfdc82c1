/** Converts the component's histories for callers: to numbers, and without members that have no value. */

import type * as Glue from '../../generated/interfaces/tuckaway-context-histories.js';
import { account, alarms, receipts, request as summaryRequest } from '../conversation/output.js';
import { omitUndefined } from '../output.js';
import type { ContextMemory, HistoryItem, HistoryReport, HistoryStep, ManagedHistory } from './types.js';

export function step({ state, request, history }: Glue.HistoryStep): HistoryStep {
    return omitUndefined<HistoryStep>({ state, request: request && summaryRequest(request), history: managed(history) });
}

function managed({ items, keptTools, memory, report: done, ...rest }: Glue.ManagedHistory): ManagedHistory {
    return omitUndefined<ManagedHistory>({
        ...rest,
        items: items.map(item),
        keptTools: keptTools && [...keptTools],
        memory: JSON.parse(memory) as ContextMemory,
        report: report(done),
    });
}

function item(item: Glue.HistoryItem): HistoryItem {
    return item.tag === 'keep' ? { keep: { ...item.val } } : { insert: item.val };
}

function report(report: Glue.HistoryReport): HistoryReport {
    return omitUndefined<HistoryReport>({
        ...report,
        before: account(report.before),
        after: account(report.after),
        receipts: receipts(report.receipts),
        alarms: alarms(report.alarms),
        summaryErrors: [...report.summaryErrors],
        originals: [...report.originals],
        repairs: [...report.repairs],
    });
}
