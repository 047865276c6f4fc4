"""Losses of networks and scorecards beside the groves that teach them, on sets of a folder.

``python -m benchmarks.distillation credit-g vote`` prints log-losses of 2-fold cross-validation on
the sets of BAYESGROVE_DATA that it names: the grove, and for both students the loss with and
without the teacher.
"""

from __future__ import annotations

import sys

import numpy as np

from bayesgrove import GroveClassifier, distill
from benchmarks.development_sets import load

STUDENTS = ("network", "scorecard")


def main(names: list[str]) -> None:
    """Print one line per data set, and the mean."""
    rows = []
    print("| Data set | Grove | Network | without teacher | Scorecard | without teacher |")
    print("|---|---|---|---|---|---|")
    for name in names:
        X, y = load(name)
        told = [distill(GroveClassifier(), X, y, into=into, cv="2x2") for into in STUDENTS]
        losses = [loss for own in told for loss in (own.student_loss, own.direct_loss)]
        rows.append([told[0].teacher_loss, *losses])
        print(line(name, rows[-1]), flush=True)
    print(line("**mean**", np.mean(rows, axis=0).tolist()))


def line(name: str, losses: list[float]) -> str:
    """Return a line of the table."""
    return " | ".join([f"| {name}", *(f"{loss:.3f}" for loss in losses)]) + " |"


if __name__ == "__main__":
    main(sys.argv[1:])
