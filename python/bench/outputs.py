"""The twelve outputs of the comparison, and an agent's questions about each.

The facts were chosen before any view was inspected.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Records:
    """Where the record of a question is in a JSON document."""

    path: str
    """The keys that lead to all records, separated by dots; empty if the document is an array of them."""
    id: str | None
    """The key whose value identifies a record; None if the records are members of an object, identified by
    their names."""
    value: str
    """The keys that lead from a record to the answer."""


@dataclass(frozen=True)
class Output:
    """A file that a tool returns as its text."""

    file: str
    """Its path below the folder with the data."""
    lead: str
    """The information that the next question needs, in words."""
    needed: tuple[str, ...]
    """The texts that express it: the context has the fact if it contains all of them."""
    question: str
    """A question whose answer is far from both ends of the output."""
    key: str
    """The text in the question that a model searches for."""
    answer: str
    """The text that answers it."""
    records: Records | None = None
    """Where the answer is, if the output is a JSON document."""

    def read(self, folder: Path) -> str:
        """Returns the text. Fails if it does not contain the facts, or if the answer is near one of its
        ends."""
        text = (folder / self.file).read_bytes().decode("utf-8", errors="replace")
        for fact in (*self.needed, self.key, self.answer):
            if fact not in text:
                raise ValueError(
                    f"{self.file} does not contain {fact!r}: it is another file than the bench was made for"
                )
        for fact in (self.key, self.answer):
            if fact in text[:_END] or fact in text[-_END:]:
                raise ValueError(f"{self.file}: {fact!r} is near an end")
        return text


_END = 10_000

OUTPUTS = (
    Output(
        file="json/twitter.json",
        lead="the key of the retweets",
        needed=("retweet_count",),
        question="Who wrote the status 505874879103520768?",
        key="505874879103520768",
        answer="IwiAlohomora",
        records=Records("statuses", "id_str", "user.screen_name"),
    ),
    Output(
        file="json/citm_catalog.json",
        lead="the path of the prices",
        needed=("performances", "prices"),
        question="When does the performance 138586599 start?",
        key="138586599",
        answer="1389380400000",
        records=Records("performances", "id", "start"),
    ),
    Output(
        file="json/github_events.json",
        lead="the content of an event",
        needed=("payload",),
        question="In which repository was the event 1652857684?",
        key="1652857684",
        answer="mpetersen/nelson",
        records=Records("", "id", "repo.name"),
    ),
    Output(
        file="json/apache_builds.json",
        lead="the key of a job's state",
        needed=("jobs", "color"),
        question="What is the state of the job Lucene-Solr-NightlyTests-trunk?",
        key="Lucene-Solr-NightlyTests-trunk",
        answer="blue_anime",
        records=Records("jobs", "name", "color"),
    ),
    Output(
        file="json/update-center.json",
        lead="the key of the release that a plugin requires",
        needed=("plugins", "requiredCore"),
        question="Which artifact is the plugin junit-attachments?",
        key="junit-attachments",
        answer="org.jenkins-ci.plugins:junit-attachments:1.3",
        records=Records("plugins", None, "gav"),
    ),
    Output(
        file="json/amazon_cellphones.ndjson",
        lead="the column of the ratings",
        needed=("rating",),
        question="What is the title of the phone B075QRTVNC?",
        key="B075QRTVNC",
        answer="Sony Xperia XA1 Plus - Unlocked",
    ),
    Output(
        file="csv/Hadoop.csv",
        lead="the column of the templates",
        needed=("EventTemplate",),
        question="At what time had a lease not been renewed for 97 seconds?",
        key="for 97 seconds",
        answer="18:06:35,093",
    ),
    Output(
        file="csv/OpenSSH.csv",
        lead="the column of the messages",
        needed=("Content",),
        question="When did the user cheng try to log in?",
        key="cheng",
        answer="10:55:07",
    ),
    Output(
        file="logs/Hadoop.log",
        lead="an error",
        needed=("ERROR IN CONTACTING RM",),
        question="At what time had a lease not been renewed for 120 seconds?",
        key="for 120 seconds",
        answer="18:06:58,203",
    ),
    Output(
        file="logs/OpenSSH.log",
        lead="the failure",
        needed=("Failed password",),
        question="When did the user cheng try to log in?",
        key="cheng",
        answer="10:55:07",
    ),
    Output(
        file="logs/HDFS.log",
        lead="a warning",
        needed=("Got exception while serving",),
        question="On which node was the block blk_-8353423262983821010 invalidated?",
        key="blk_-8353423262983821010",
        answer="10.251.39.209:50010",
    ),
    Output(
        file="logs/Zookeeper.log",
        lead="an error",
        needed=("Unexpected exception causing shutdown",),
        question="When did 10.10.34.12:56426 ask for a connection?",
        key="10.10.34.12:56426",
        answer="19:29:27,298",
    ),
)
