"""The statements that survive five rounds of compaction, judged by compaction-conformance-kit.

    python python/bench/conformance.py [--json | --write]

The kit plants statements in sessions, compacts each five times, and looks for the statements in the
remaining text. Needs the packages of python/requirements/, bench.txt and judges.txt, and no model: one
stand-in writes all summaries. `--write` replaces the table in docs/performance.md.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import command
import page
from compaction_kit.canaries import Canary, CanaryType, seeded_canaries
from compaction_kit.compacted import CompactedContext
from compaction_kit.corpus import build_random_session
from compaction_kit.generated import build_generated_session
from compaction_kit.probes import BehaviorProbe
from compaction_kit.runner import run_conformance
from compaction_kit.session import SeededSession, Turn, build_seeded_session
from histories import Manage, Message, langchain, own, plain, pydantic_ai_harness, strands
from histories.store import NumberedStore

from tuckaway import Tuckaway
from tuckaway.conversation import CompactionConfig

ROUNDS = 5
SEEDS = range(1, 13)
"""The seeds of the random and of the generated sessions."""

WINDOW = 200_000
RETAIN = "Keep every statement of the user that begins with its kind, such as a rule, a fact or a preference."

WORDS = CompactionConfig(context_limit=WINDOW)
SUMMARY_ONLY = CompactionConfig(context_limit=WINDOW, max_user_bytes=0)
FEW_WORDS = CompactionConfig(context_limit=WINDOW, max_user_bytes=1_000)
RETAINED = CompactionConfig(context_limit=WINDOW, max_user_bytes=0, retain_prompt=RETAIN)


Strategy = command.Strategy[Callable[[Tuckaway], Manage]]
"""A row of the table. Only tuckaway's strategies use the client."""

STRATEGIES = (
    Strategy("tuckaway, defaults", lambda client: own.summary(client, WORDS)),
    Strategy("tuckaway, 1,000 bytes of the user's words", lambda client: own.summary(client, FEW_WORDS)),
    Strategy("tuckaway, no words, `retain`", lambda client: own.summary(client, RETAINED)),
    Strategy(
        "tuckaway, no words, rules pinned", lambda client: own.summary(client, SUMMARY_ONLY, pins=own.RULES)
    ),
    Strategy("tuckaway, no words", lambda client: own.summary(client, SUMMARY_ONLY)),
    Strategy("a plain summary of everything", lambda _: plain.summary()),
    Strategy("SummarizationMiddleware", lambda _: langchain.summary(), "langchain"),
    Strategy("trim_messages to 500 tokens", lambda _: langchain.trim(500), "langchain-core"),
    Strategy("SummarizingCompaction", lambda _: pydantic_ai_harness.summary(), "pydantic-ai-harness"),
    Strategy("SummarizingConversationManager", lambda _: strands.summary(), "strands-agents"),
)


class Compactor:
    """A strategy in the form that the kit calls. It keeps the messages between two rounds, because the kit
    passes only their text."""

    def __init__(self, name: str, manage: Manage) -> None:
        self.name = name
        self._manage = manage
        self._system: list[Message] = []
        self._history: list[Message] = []

    def compact(self, turns: list[Turn], round_num: int = 1) -> CompactedContext:
        """Compacts the session in the first round, and the result of the last round in each later one."""
        if round_num == 1:
            messages = messages_of(turns)
            self._system, self._history = messages[:1], messages[1:]
        self._history = self._manage(self._history)
        text = text_of([*self._system, *self._history])
        return CompactedContext(text=text, compactor_name=self.name, round_num=round_num)


@dataclass
class Result:
    """A strategy over all sessions. Shares are 0 to 1."""

    first: dict[str, list[float]] = field(default_factory=dict)
    """The share of statements of each kind that survived the first round, by session."""
    last: dict[str, list[float]] = field(default_factory=dict)
    """The share that survived the last round."""
    in_parts: list[float] = field(default_factory=list)
    """The share of all statements that survived if the session went on between the compactions."""
    sizes: list[float] = field(default_factory=list)
    """The size at the end, as a share of the session."""
    reachable: list[float] = field(default_factory=list)
    """The share of all statements that are in the text or in an artifact that it names, at the end."""
    stale: int = 0
    """Statements that were replaced later, and are still in the text at the end."""
    updates: int = 0
    """Statements that were replaced later."""


def sessions() -> Iterator[tuple[SeededSession, list[Canary]]]:
    """Returns the kit's fixed session, and its random and generated ones."""
    yield build_seeded_session(), seeded_canaries()
    yield from (build_random_session(seed) for seed in SEEDS)
    yield from (build_generated_session(seed) for seed in SEEDS)


def measured(strategy: Strategy) -> Result:
    """Runs a strategy over all sessions."""
    result = Result()
    for session, canaries in sessions():
        store = NumberedStore()
        compactor = Compactor(strategy.name, strategy.make(Tuckaway(store, context_window=WINDOW)))
        run = run_conformance(session, compactor, rounds=ROUNDS, canaries=canaries)
        first, last = run.rounds[0], run.rounds[-1]
        for kind in first.survival_by_type:
            result.first.setdefault(kind, []).append(first.survival_by_type[kind])
            result.last.setdefault(kind, []).append(last.survival_by_type[kind])
        result.sizes.append(last.output_chars / len(session.full_text()))
        text = last.context.text
        everything = "\n".join([text, *store.named_in(text).values()])
        result.reachable.append(share_held(canaries, everything))
        replaced = [canary for canary in canaries if canary.superseded_tokens]
        result.in_parts.append(share_held(canaries, in_parts(session, strategy)))
        result.updates += len(replaced)
        result.stale += sum(is_stale(canary, text) for canary in replaced)
    return result


def in_parts(session: SeededSession, strategy: Strategy) -> str:
    """Compacts after each fifth of a session, and returns the remaining text."""
    manage = strategy.make(Tuckaway(NumberedStore(), context_window=WINDOW))
    messages = messages_of(session.transcript())[1:]
    history: list[Message] = []
    for part in range(ROUNDS):
        start, end = (len(messages) * edge // ROUNDS for edge in (part, part + 1))
        history = manage([*history, *messages[start:end]])
    return text_of(history)


def messages_of(turns: list[Turn]) -> list[Message]:
    """Returns the messages of a session; the first is the system prompt."""
    return [{"role": turn.role, "content": turn.text} for turn in turns]


def text_of(history: list[Message]) -> str:
    """Returns a history in the form in which the kit writes a session."""
    return "\n".join(f"[{message['role']}] {message['content']}" for message in history)


def share_held(canaries: list[Canary], text: str) -> float:
    """Returns the share of statements that the kit finds in a text."""
    probe = BehaviorProbe()
    return statistics.mean(probe.probe(canary, text).survived for canary in canaries)


def is_stale(canary: Canary, text: str) -> bool:
    """Returns whether a text still has a value that the session replaced."""
    return any(token.lower() in text.lower() for token in canary.superseded_tokens)


def cells(strategy: Strategy, result: Result) -> list[str]:
    """Returns the row of a strategy."""
    kinds = [
        f"{percent(result.first[kind.value])} → {percent(result.last[kind.value])}" for kind in CanaryType
    ]
    return [
        strategy.row,
        *kinds,
        percent(result.in_parts),
        percent(result.reachable),
        f"{result.stale} of {result.updates}",
        percent(result.sizes),
    ]


def percent(shares: list[float]) -> str:
    """Returns the mean of some shares in percent."""
    return f"{statistics.mean(shares):.0%}".replace("%", " %")


def table(results: dict[str, Result]) -> str:
    """Returns the table."""
    columns = ["strategy", "safety rules", "constraints", "facts", "goals", "preferences"]
    columns += ["all, session in parts", "reachable", "replaced values kept", "size"]
    return page.table(columns, [cells(strategy, results[strategy.name]) for strategy in STRATEGIES])


def means(results: dict[str, Result]) -> dict[str, Any]:
    """Returns the means, by strategy."""
    return {
        strategy.row: {
            "first_round": {kind: statistics.mean(shares) for kind, shares in result.first.items()},
            "last_round": {kind: statistics.mean(shares) for kind, shares in result.last.items()},
            "in_parts": statistics.mean(result.in_parts),
            "reachable": statistics.mean(result.reachable),
            "stale": result.stale,
            "updates": result.updates,
            "size": statistics.mean(result.sizes),
        }
        for strategy in STRATEGIES
        if (result := results[strategy.name])
    }


def report() -> command.Report:
    """Runs the strategies."""
    results = {}
    for strategy in STRATEGIES:
        results[strategy.name] = measured(strategy)
        page.progress(f"{len(results)} of {len(STRATEGIES)}: {strategy.row}")
    return command.Report(table(results), means(results))


if __name__ == "__main__":
    command.run("conformance.py", __doc__, "conformance", report)
