"""Log-loss, Brier score, error and fit time of groves on the data sets of BAYESGROVE_DATA.

``python -m benchmarks.development_sets results.jsonl --beside development_sets.csv`` runs what the
file does not hold yet, adds each result to it as soon as it is known, and prints a table set by
set. The CSV file has the columns data, model, log_loss, brier, error and fit_seconds; the sets are
those that it names, and its models are printed beside ours. Splits: 2 folds, 3 repeats (1 above
5,000 rows), seed 1. Probabilities are clipped at 1e-6. Fit time is CPU time. With ``--trees``,
groves have boosted trees too.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.model_selection import RepeatedStratifiedKFold

from bayesgrove import GroveClassifier
from bayesgrove.datasets import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

METRICS = ("log_loss", "brier", "error", "fit_seconds")


def load(name: str) -> tuple[pd.DataFrame, pd.Series[Any]]:
    """Return a data set of the folder, with the kinds of columns that its catalog names."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("Set BAYESGROVE_DATA to a folder of data sets with a catalog.json.")
    catalog = json.loads((folder / "catalog.json").read_text(encoding="utf-8"))["datasets"]
    entry = next(item for item in catalog if item["name"] == name)
    table = pd.read_csv(folder / f"{name}.csv.gz", dtype=str, keep_default_na=False, na_values=[""])
    X = table.drop(columns=["class", *(entry.get("identifier_columns") or [])])
    for column in set(X) - set(entry["nominal_columns"]):
        X[column] = pd.to_numeric(X[column], errors="coerce")
    return X, table["class"]


def set_names(beside: pd.DataFrame) -> list[str]:
    """Return the sets for which all models of a table have a result, or all but one."""
    losses = beside.pivot_table(index="data", columns="model", values="log_loss")
    names: list[str] = losses.dropna(thresh=losses.shape[1] - 1).index.tolist()
    return names


def splits(y: pd.Series[Any]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield the numbers of training and test rows: 2 folds, 3 repeats (1 above 5,000 rows)."""
    repeats = 3 if len(y) <= 5000 else 1
    folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=repeats, random_state=1)
    yield from folds.split(y, pd.factorize(y, sort=True)[0])


def results(name: str, seed: int, trees: bool) -> dict[str, Any]:
    """Return the mean results of a grove on one data set."""
    X, y = load(name)
    codes, labels = pd.factorize(y, sort=True)
    rows = []
    for train, test in splits(y):
        start = time.process_time()
        model = GroveClassifier(trees=trees, random_state=seed).fit(X.iloc[train], y.iloc[train])
        seconds = time.process_time() - start
        p = np.zeros((len(test), len(labels)))
        p[:, np.searchsorted(labels, model.classes_)] = model.predict_proba(X.iloc[test])
        of_truth = p[np.arange(len(test)), codes[test]]
        rows.append(
            {
                "log_loss": -np.log(np.clip(of_truth, 1e-6, 1)).mean(),
                "brier": (p**2).sum(axis=1).mean() - 2 * of_truth.mean() + 1,
                "error": (p.argmax(axis=1) != codes[test]).mean(),
                "fit_seconds": seconds,
                "out_of_fold_loss": model.out_of_fold_loss_,
            }
        )
    return {"data": name, "seed": seed, "trees": trees, **pd.DataFrame(rows).mean().to_dict()}


def run(path: Path, names: list[str], seeds: list[int], trees: bool) -> pd.DataFrame:
    """Run what the file lacks, and return all results."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    done = [json.loads(line) for line in lines]
    known = {(row["data"], row["seed"]) for row in done if row["trees"] == trees}
    with path.open("a", encoding="utf-8") as file:
        for seed in seeds:
            for name in names:
                if (name, seed) in known:
                    continue
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    row = results(name, seed, trees)
                file.write(json.dumps(row) + "\n")
                file.flush()
                done.append(row)
    table = pd.DataFrame(done)
    chosen = table["data"].isin(names) & table["seed"].isin(seeds)
    return table[chosen & (table["trees"] == trees)]


def main() -> None:
    """Run, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--beside", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--trees", action="store_true")
    options = parser.parse_args()
    beside = pd.read_csv(options.beside)
    losses = beside.pivot_table(index="data", columns="model", values="log_loss")
    complete = set_names(beside)
    table = run(options.results, complete, options.seeds, options.trees)
    mean = table.groupby("data").mean(numeric_only=True)
    print(f"| data | grove | out of fold | {' | '.join(losses)} |")
    print("|---" * (3 + losses.shape[1]) + "|")
    for name, row in mean.iterrows():
        others = " | ".join(f"{value:.3f}" for value in losses.loc[name])
        print(f"| {name} | {row['log_loss']:.3f} | {row['out_of_fold_loss']:.3f} | {others} |")
    print(f"\nMeans over {len(mean)} sets:\n\n| model | {' | '.join(METRICS)} |")
    print("|---" * (1 + len(METRICS)) + "|")
    for seed, part in table.groupby("seed"):
        numbers = " | ".join(f"{part[metric].mean():.4f}" for metric in METRICS)
        print(f"| grove, seed {seed} | {numbers} |")
    for model, part in beside[beside["data"].isin(complete)].groupby("model"):
        numbers = " | ".join(f"{part[metric].mean():.4f}" for metric in METRICS)
        print(f"| {model} | {numbers} |")


if __name__ == "__main__":
    main()
