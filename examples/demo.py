"""Fit naive Bayes, TAN and KDB on two real data sets, compare them, and draw a network."""

from __future__ import annotations

import time
from pathlib import Path

import matplotlib as mpl
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from bayesgrove import KDBClassifier, NaiveBayesClassifier, TANClassifier, load_dataset
from bayesgrove.report import plot_network

MODELS = {
    "naive Bayes": NaiveBayesClassifier(),
    "TAN": TANClassifier(),
    "KDB(2)": KDBClassifier(k=2),
}
OUT = Path("demo")


def compare(name: str, console: Console) -> None:
    """Print accuracy, log-loss and size of every model, by 10-fold cross-validation."""
    dataset = load_dataset(name)
    X, y = dataset
    table = Table(title=f"{name}: {dataset.info.rows} rows, {dataset.info.attributes} attributes")
    for column in ("model", "accuracy", "log-loss", "arcs", "fit"):
        table.add_column(column, justify="left" if column == "model" else "right")
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    for label, model in track(MODELS.items(), description=name, console=console, transient=True):
        proba = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
        start = time.perf_counter()
        fitted = clone(model).fit(X, y)
        seconds = time.perf_counter() - start
        accuracy = (fitted.classes_[proba.argmax(axis=1)] == y.to_numpy()).mean()
        loss = log_loss(y, proba, labels=fitted.classes_)
        arcs = len(fitted.network_.arcs)
        table.add_row(label, f"{accuracy:.1%}", f"{loss:.3f}", str(arcs), f"{seconds * 1e3:.0f} ms")
    console.print(table)


def draw(console: Console) -> None:
    """Save a picture of the TAN network of credit-g."""
    X, y = load_dataset("credit-g")
    network = TANClassifier(root="checking_status").fit(X, y).network_
    OUT.mkdir(exist_ok=True)
    path = OUT / "credit-g-tan.png"
    axes = plot_network(network, title="credit-g, TAN: which attributes depend on which")
    axes.figure.savefig(path, dpi=150)
    console.print(f"A picture of the network is in [bold]{path}[/bold].")
    risk = network.posterior("class", {"checking_status": "<0", "savings_status": "<100"})
    console.print(f"P(bad | no money in the accounts) = {risk['bad']:.2f}")


if __name__ == "__main__":
    mpl.use("Agg")
    screen = Console()
    for dataset_name in ("vote", "credit-g"):
        compare(dataset_name, screen)
    draw(screen)
