"""Text as a table: three topics of Reuters-21578, with words as binary attributes.

The subset that Sahami (1996) used cannot be identified, so this subset is a new one. It has the
documents of the topics trade, crude and interest in the ModApte split, training rows first. The
class of a document with several of these topics is the topic that it names first. The attributes
are the 3,440 words (letters only, lower case) that occur in the most training documents, with ties
in alphabetical order. An attribute is 1 if the document has the word.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from bayesgrove.datasets._dataset import Dataset, Description
from bayesgrove.datasets._folder import data_folder

if TYPE_CHECKING:
    from pathlib import Path

NAME = "reuters-3"
TRAINING_ROWS = 1091
_TEST_ROWS = 436
_WORDS = 3440
_TOPICS = ("trade", "crude", "interest")
_SPLITS = ("TRAIN", "TEST")


def names() -> list[str]:
    """Return the name of the data set, if the collection is in the data folder."""
    return [NAME] if _path() is not None else []


def descriptions() -> list[Description]:
    """Return the description of the data set, without reading the collection."""
    return [_description()] if _path() is not None else []


def load(name: str) -> Dataset:
    """Read the collection, and return the words of its documents as a data set."""
    import numpy as np
    import pandas as pd

    path = _path()
    if name != NAME or path is None:
        raise ValueError(
            f"There is no data set {name!r}: the Reuters collection is not in the data folder."
        )
    documents = sorted(_documents(path), key=lambda document: _SPLITS.index(document[0]))
    counts = Counter(word for split, _, words in documents if split == "TRAIN" for word in words)
    chosen = sorted(counts, key=lambda word: (-counts[word], word))[:_WORDS]
    table = np.array([[word in words for word in chosen] for _, _, words in documents])
    X = pd.DataFrame(table.astype(np.uint8), columns=pd.Index(chosen))
    y = pd.Series(pd.Categorical([topic for _, topic, _ in documents]), name="topic")
    return Dataset(X, y, _description())


def _path() -> Path | None:
    """Return the path of the collection in the data folder, or None."""
    folder = data_folder()
    path = folder / "reuters" / "reuters21578.jsonl.gz" if folder else None
    return path if path is not None and path.is_file() else None


def _documents(path: Path) -> list[tuple[str, str, set[str]]]:
    """Return the split, topic and words of each document that has one of the topics."""
    chosen = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            document: dict[str, Any] = json.loads(line)
            topics = [topic for topic in document["topics"] if topic in _TOPICS]
            modapte = document["topics_attr"] == "YES" and document["lewissplit"] in _SPLITS
            if topics and modapte:
                text = f"{document['title']} {document['body']}".lower()
                chosen.append((document["lewissplit"], topics[0], set(re.findall("[a-z]+", text))))
    return chosen


def _description() -> Description:
    """Return the description of the data set."""
    return Description(
        name=NAME,
        source="reuters",
        rows=TRAINING_ROWS + _TEST_ROWS,
        attributes=_WORDS,
        nominal=_WORDS,
        numeric=0,
        classes=len(_TOPICS),
        missing=0,
        licence="Reuters-21578, research use only",
        note="topics trade, crude, interest of the ModApte split, 1,091 training rows first; "
        "binary words",
    )
