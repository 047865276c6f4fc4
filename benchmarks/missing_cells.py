"""Accuracy of TAN and naive Bayes from training rows with 30% of the cells removed at random.

``python -m benchmarks.missing_cells results.jsonl`` runs what the file does not hold yet, adds each
result to it as soon as it is known, and prints the tables of `docs/missing-values.md`. Numeric
columns are cut by MDLP from the values that remain in the training rows. Data sets come from
BAYESGROVE_DATA.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import train_test_split

from bayesgrove import NaiveBayesClassifier, TANClassifier, load_dataset

if TYPE_CHECKING:
    from collections.abc import Iterator

DATASETS = (
    *("breast-w", "car", "credit-g", "kr-vs-kp", "led7"),
    *("mushroom", "nursery", "soybean", "tic-tac-toe", "vote"),
)
MODELS = {
    "TAN em": TANClassifier(missing="em"),
    "TAN ignore": TANClassifier(missing="ignore"),
    "TAN value": TANClassifier(missing="value"),
    "NB ignore": NaiveBayesClassifier(missing="ignore"),
    "NB value": NaiveBayesClassifier(missing="value"),
}
REPEATS = 5
SHARE = 0.3


def removed(X: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return the rows with a share of the cells removed at random."""
    return X.mask(rng.random(X.shape) < SHARE)


def results(dataset: str, repeat: int) -> Iterator[dict[str, Any]]:
    """Yield the results of all models on one split: 2/3 of the rows for training."""
    X, y = load_dataset(dataset)
    X, y = pd.DataFrame(X).reset_index(drop=True), np.asarray(y)
    classes, counts = np.unique(y, return_counts=True)
    kept = np.isin(y, classes[counts > 2])
    X, y = X[kept].astype(object), y[kept]
    parts = train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=repeat)
    train, test, train_y, test_y = parts
    rng = np.random.default_rng(repeat)
    train, holes = removed(train, rng), removed(test, rng)
    for column in train:  # A column of numbers is numeric, with NaN for what was removed.
        if pd.api.types.is_numeric_dtype(X[column].infer_objects()):
            train[column] = train[column].astype(float)
            test[column], holes[column] = test[column].astype(float), holes[column].astype(float)
    for name, model in MODELS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(train, train_y)
            for rows, table in (("complete", test), ("removed", holes)):
                p = model.predict_proba(table)
                yield {
                    "dataset": dataset,
                    "repeat": repeat,
                    "model": name,
                    "rows": rows,
                    "accuracy": accuracy_score(test_y, model.classes_[p.argmax(axis=1)]),
                    "log_loss": log_loss(test_y, p, labels=model.classes_),
                }


def run(path: Path) -> pd.DataFrame:
    """Run what the file lacks, and return all results."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    done = {(r["dataset"], r["repeat"]) for r in map(json.loads, lines)}
    for dataset in DATASETS:
        for repeat in range(REPEATS):
            if (dataset, repeat) not in done:
                text = "".join(json.dumps(r) + "\n" for r in results(dataset, repeat))
                with path.open("a", encoding="utf-8") as file:
                    file.write(text)
    return pd.read_json(path, lines=True)


def table(frame: pd.DataFrame, rows: str) -> str:
    """Return the mean accuracies (and log-losses) as a Markdown table."""
    part = frame[frame["rows"] == rows]
    means = part.pivot_table(["accuracy", "log_loss"], "dataset", "model")
    lines = ["| data set | " + " | ".join(MODELS) + " |", "|---" * (len(MODELS) + 1) + "|"]
    for name, row in [*means.iterrows(), ("mean", means.mean())]:
        cells = [f"{100 * row['accuracy', m]:.1f} ({row['log_loss', m]:.3f})" for m in MODELS]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    found = run(Path(sys.argv[1]))
    for kind in ("complete", "removed"):
        print(f"\nTest rows: {kind}\n\n{table(found, kind)}")
