"""Log-loss of network classifiers by smoothing, conditional weights and cell corrections.

``python -m benchmarks.smoothing results.jsonl --beside development_sets.csv`` runs what the file
does not hold yet, adds each result to it as soon as it is known, and prints the means over the data
sets. The sets are those of `benchmarks.development_sets`. Splits: 2 folds, seed 1. Numeric columns
are cut by the default discretizer. Probabilities are clipped at 1e-6. Fit time is CPU time.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from bayesgrove import KDBClassifier, NaiveBayesClassifier, TANClassifier
from benchmarks.development_sets import load, set_names

NETWORKS: dict[str, Any] = {
    "naive Bayes": NaiveBayesClassifier,
    "TAN": TANClassifier,
    "KDB(2)": lambda **options: KDBClassifier(2, **options),
}
FITS: dict[str, dict[str, Any]] = {
    "plain": {},
    "weights": {"weights": "conditional"},
    "weights and corrections": {"weights": "conditional", "corrections": True},
}


def results(data: str, network: str, smoothing: str, fit: str) -> dict[str, Any]:
    """Return the mean results of a classifier on one data set."""
    X, y = load(data)
    codes, labels = pd.factorize(y, sort=True)
    rows = []
    for train, test in StratifiedKFold(2, shuffle=True, random_state=1).split(X, codes):
        model = NETWORKS[network](smoothing=smoothing, **FITS[fit])
        start = time.process_time()
        model.fit(X.iloc[train], y.iloc[train])
        seconds = time.process_time() - start
        p = np.zeros((len(test), len(labels)))
        p[:, np.searchsorted(labels, model.classes_)] = model.predict_proba(X.iloc[test])
        of_truth = p[np.arange(len(test)), codes[test]]
        loss = -np.log(np.clip(of_truth, 1e-6, 1)).mean()
        error = (p.argmax(axis=1) != codes[test]).mean()
        rows.append({"log_loss": loss, "error": error, "fit_seconds": seconds})
    about = {"data": data, "network": network, "smoothing": smoothing, "fit": fit}
    return {**about, **pd.DataFrame(rows).mean().to_dict()}


def run(path: Path, names: list[str]) -> pd.DataFrame:
    """Run what the file lacks, and return all results."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    done = [json.loads(line) for line in lines]
    known = {(row["data"], row["network"], row["smoothing"], row["fit"]) for row in done}
    plan = itertools.product(names, NETWORKS, ("dirichlet", "backoff"), FITS)
    with path.open("a", encoding="utf-8") as file:
        for job in plan:
            if job in known:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                row = results(*job)
            file.write(json.dumps(row) + "\n")
            file.flush()
            done.append(row)
    table = pd.DataFrame(done)
    return table[table["data"].isin(names)]


def main() -> None:
    """Run, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--beside", type=Path, required=True)
    options = parser.parse_args()
    table = run(options.results, set_names(pd.read_csv(options.beside)))
    print(f"Means over {table['data'].nunique()} sets:\n")
    print("| network | smoothing | log-loss | " + " | ".join(list(FITS)[1:]), end=" | ")
    print("error | " + " | ".join(list(FITS)[1:]) + " | fit seconds, all |")
    print("|---" * 9 + "|")
    for (network, smoothing), part in table.groupby(["network", "smoothing"], sort=False):
        mean = part.groupby("fit")[["log_loss", "error", "fit_seconds"]].mean()
        cells = [f"{mean.loc[fit, what]:.4f}" for what in ("log_loss", "error") for fit in FITS]
        last = mean.loc["weights and corrections", "fit_seconds"]
        print(f"| {network} | {smoothing} | {' | '.join(cells)} | {last:.3f} |")


if __name__ == "__main__":
    main()
