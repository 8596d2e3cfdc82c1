//! The bytes of the document that a model has read.

use tuckaway_contract::ByteSpan;
use tuckaway_text::order;

/// The maximum number of spans in an answer.
const MAX_SPANS: usize = 100;

/// Sorts spans and merges those that overlap or touch.
pub fn merged(mut spans: Vec<ByteSpan>) -> Vec<ByteSpan> {
    spans.retain(|span| span.start < span.end);
    order::sort_by_key(&mut spans, |span| (span.start, span.end));
    let mut merged: Vec<ByteSpan> = Vec::new();
    for span in spans {
        match merged.last_mut().filter(|last| span.start <= last.end) {
            Some(last) => last.end = last.end.max(span.end),
            None => merged.push(span),
        }
    }
    merged
}

/// Bounds the number of spans: the last one covers all that follow.
pub fn bounded(mut spans: Vec<ByteSpan>) -> Vec<ByteSpan> {
    if spans.len() > MAX_SPANS {
        let end = spans.last().map_or(0, |last| last.end);
        spans.truncate(MAX_SPANS);
        spans[MAX_SPANS - 1].end = end;
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(pairs: &[(u64, u64)]) -> Vec<ByteSpan> {
        pairs.iter().map(|&(start, end)| ByteSpan { start, end }).collect()
    }

    #[test]
    fn spans_are_in_order_and_do_not_overlap() {
        let some = spans(&[(5, 9), (0, 2), (2, 3), (8, 8), (7, 12)]);
        assert_eq!(merged(some), spans(&[(0, 3), (5, 12)]));
    }

    #[test]
    fn many_spans_are_bounded() {
        let many: Vec<_> = (0..500).map(|n| ByteSpan { start: n * 10, end: n * 10 + 1 }).collect();
        let few = bounded(many);
        assert_eq!((few.len(), few[99].end), (MAX_SPANS, 4_991));
    }
}
