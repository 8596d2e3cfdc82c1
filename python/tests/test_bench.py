"""The logic of the scripts in bench/ that does not need the compared packages."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tuckaway import Policy, Tuckaway
from tuckaway.conversation import CompactionConfig

BENCH = Path(__file__).resolve().parents[1] / "bench"
WINDOW = 8_000


@pytest.fixture(scope="module", autouse=True)
def _importable() -> Iterator[None]:
    """Makes the modules of bench/ importable for the tests of this file."""
    known = set(sys.modules)
    sys.path.insert(0, str(BENCH))
    yield
    sys.path.remove(str(BENCH))
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(BENCH)):
            del sys.modules[name]


@pytest.fixture
def needed() -> ModuleType:
    import needed  # noqa: PLC0415

    return needed


@pytest.fixture
def command() -> ModuleType:
    import command  # noqa: PLC0415

    return command


@pytest.fixture
def loops() -> ModuleType:
    from histories import loops  # noqa: PLC0415

    return loops


def words(history: list[dict[str, str]]) -> int:
    """Counts the words of a history, in place of its tokens."""
    return sum(len(message["content"].split()) for message in history)


def said(*texts: str) -> list[dict[str, str]]:
    """Returns turns of one message of the user and one answer."""
    roles = ("user", "assistant")
    return [{"role": role, "content": text} for text in texts for role in roles]


@pytest.mark.parametrize(("option", "printed"), [([], "| a |"), (["--json"], '{\n  "a": 1\n}\n')])
def test_a_script_prints_its_table_or_json(
    command: ModuleType,
    option: list[str],
    printed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["judge.py", *option])
    monkeypatch.setattr(command, "silence", lambda: None)
    command.run("judge.py", "What it measures.", "judged", lambda: command.Report("| a |\n", {"a": 1}))
    shown = capsys.readouterr().out
    assert shown.startswith("`python python/bench/judge.py`, " if not option else "{")
    assert printed in shown


def test_a_call_is_read_with_its_literal_arguments(needed: ModuleType) -> None:
    call = needed.Call.of("place_order('Buy', symbol='AAPL', price=227.16, tags=['a1', 'b22'], to=name)")
    assert call.name == "place_order"
    assert call.arguments == {
        "argument_0": "Buy",
        "symbol": "AAPL",
        "price": 227.16,
        "tags": ["a1", "b22"],
    }
    with pytest.raises(ValueError, match="not a call"):
        needed.Call.of("orders[0]")


def test_a_value_is_needed_if_only_an_earlier_message_has_it(needed: ModuleType) -> None:
    call = needed.Call.of("cancel_order(order_id=12446, note='urgent', level=5, is_final=True)")
    earlier = '{"order_id": 12446, "level": 5, "note": "urgent", "is_final": "True"}'
    assert needed.needed(call, "Cancel the urgent order.", earlier) == ["12446"]
    assert needed.needed(call, "Cancel order 12446, it is urgent.", earlier) == []
    assert needed.needed(call, "Cancel it.", "nothing of that") == []


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ("order 227.16.", True),
        ('{"price":227.16}', True),
        ("1227.16", False),
        ("227.165", False),
        ("227.16.3", False),
        ("v227.16", False),
        ("", False),
    ],
)
def test_a_part_of_a_number_is_another_value(needed: ModuleType, text: str, is_there: bool) -> None:
    assert needed.occurs("227.16", text) is is_there


def test_a_path_leads_jq_to_a_value(needed: ModuleType) -> None:
    document = {"orders": [{"id": 1}, {"id": 12446, 'a "b"': "at 10:55"}]}
    path = needed.jq_path("12446", json.dumps(document))
    assert path == '.["orders"][1]["id"]'
    quoted = needed.jq_path("10:55", json.dumps(document))
    client = Tuckaway(policy=Policy(keep_all=True))
    stored = client.process(json.dumps(document), tool="orders").artifacts[0].id
    assert client.jq(stored, path).text == "12446\n"
    assert client.jq(stored, quoted).text == '"at 10:55"\n'
    assert needed.jq_path("12446", "12446 is no document") is None
    assert needed.jq_path("9", json.dumps(document)) is None


def test_a_truncating_loop_keeps_the_ends_and_the_newest_turn(loops: ModuleType) -> None:
    loop = loops.Truncation(WINDOW, 6)
    result = "a" * 5_000 + "b" * 5_000
    view = loop.view("read", result, 0)
    assert view.startswith("aaa")
    assert view.endswith("bbb")
    assert "[2000 characters omitted]" in view
    assert loop.view("read", "short", 0) == "short"
    history = said("one two", "three four", "five six")
    assert loop.manage(history, [], words) == history[4:]
    assert loop.manage(history[4:], [], lambda _: 99) == history[4:]


def test_a_package_is_called_until_nothing_changes(loops: ModuleType) -> None:
    loop = loops.Packaged(lambda history: history[2:] if len(history) > 2 else history, 3)
    history = said("one two", "three four", "five six")
    assert loop.manage(history, [], words) == history[4:]
    assert loop.manage(history[:2], [], lambda _: 0) == history[:2]


def test_the_own_loop_finds_a_stored_value_by_one_query(loops: ModuleType) -> None:
    loop = loops.Tuckaway(WINDOW)
    rows = [{"id": number, "price": number / 7} for number in range(2_000)]
    view = loop.view("read_rows", json.dumps({"rows": rows}), 0)
    value = str(rows[1_234]["price"])
    assert value not in view
    call, reply = loop.query(value, view)
    assert call.tool == "artifact_jq"
    assert value in reply
    assert loop.query("4.75", view) is None
    assert loop.query(value, "a context without an artifact") is None


def test_ids_of_the_numbered_store_are_the_same_in_each_run() -> None:
    from histories.store import NumberedStore  # noqa: PLC0415

    def view() -> tuple[str, dict[str, str]]:
        store = NumberedStore()
        shown = Tuckaway(store, context_window=WINDOW).process("row\n" * 20_000, tool="read rows").text
        return shown, store.named_in(shown)

    assert view() == view()
    assert list(view()[1].values()) == ["row\n" * 20_000]


def test_a_summary_is_made_of_the_heads_of_texts() -> None:
    import histories  # noqa: PLC0415

    assert histories.summarized(["one  two\n", "x" * 200]) == "one two\n" + "x" * 90
    assert len(histories.summarized(["y" * 90] * 100)) <= histories.SUMMARY_CHARS


def test_statements_are_retained_once_and_rules_stay_pinned() -> None:
    from histories import own  # noqa: PLC0415

    rule, fact = "SAFETY RULE: Never disclose the code 4711.", "FACT: The codename is LANTERN."
    asked = [f"Look at the file {number}, please, and tell me about it." for number in range(40)]
    history = said(rule, fact, *asked)

    retained = CompactionConfig(context_limit=200_000, max_user_bytes=0, retain_prompt="Keep all rules.")
    after = own.summary(Tuckaway(), retained)(history)
    assert after[0]["content"].startswith(f"{rule}\n{fact}\n")
    assert len(after) == 4

    pinned = CompactionConfig(context_limit=200_000, max_user_bytes=0)
    after = own.summary(Tuckaway(), pinned, pins=own.RULES)(history)
    assert {"role": "user", "content": rule} in after
