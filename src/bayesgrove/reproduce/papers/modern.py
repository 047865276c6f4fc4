"""A comparison of our own: the classifiers of bayesgrove beside those of other packages."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesgrove.datasets import load_dataset
from bayesgrove.estimators.classifiers.ande import AnDEClassifier
from bayesgrove.estimators.classifiers.grove import GroveClassifier
from bayesgrove.estimators.classifiers.kdb import KDBClassifier
from bayesgrove.estimators.classifiers.naive_bayes import NaiveBayesClassifier
from bayesgrove.estimators.classifiers.skdb import SKDBClassifier
from bayesgrove.estimators.classifiers.tan import TANClassifier
from bayesgrove.evaluation import CrossValidation
from bayesgrove.reproduce.experiment import Experiment, FirstSplits
from bayesgrove.reproduce.paper import Paper
from bayesgrove.reproduce.peers import PACKAGES, peer
from bayesgrove.reproduce.views.checks import all_of
from bayesgrove.reproduce.views.claims import Claim
from bayesgrove.reproduce.views.standings import Column, Contests, SetBySet, Standings, over_sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.evaluation import Outcome
    from bayesgrove.evaluation.protocols import EvaluationProtocol

SEED = 0
REPEATS = 5
MANY_ROWS = 5000
"""Sets with more rows have one repeat."""
FEW_ROWS = 1000
"""Largest number of rows of the sets on which the slowest classifier runs."""
QUICK_ROWS = 101
"""Largest number of rows of the sets of a quick run, which are labor and zoo."""
SAMPLE = 40_000
"""Number of rows that are drawn from covtype, the only set with more than 100,000 rows."""
CLIP = 1e-6
"""Lower bound of the probability of the true class in the log-loss."""

ROWS = {
    "labor": 57,
    "zoo": 101,
    "corral": 128,
    "hayes-roth": 132,
    "lymph": 148,
    "iris": 150,
    "hepatitis": 155,
    "wine": 178,
    "autos": 205,
    "sonar": 208,
    "glass": 214,
    "heart-statlog": 270,
    "breast-cancer": 286,
    "heart-h": 294,
    "heart-c": 303,
    "haberman": 306,
    "solar-flare-C": 323,
    "solar-flare-M": 323,
    "solar-flare-X": 323,
    "ecoli": 336,
    "ionosphere": 351,
    "colic": 368,
    "vote": 435,
    "vote1": 435,
    "vote-boolean": 435,
    "monks-3": 554,
    "monks-1": 556,
    "wdbc": 569,
    "monks-2": 601,
    "balance-scale": 625,
    "soybean-630": 630,
    "soybean": 683,
    "credit-a": 690,
    "breast-w": 699,
    "diabetes": 768,
    "vehicle": 846,
    "anneal": 898,
    "tic-tac-toe": 958,
    "credit-g": 1000,
    "cmc": 1473,
    "yeast": 1484,
    "car": 1728,
    "splice-3175": 3175,
    "dna": 3186,
    "splice": 3190,
    "kr-vs-kp": 3196,
    "led7": 3200,
    "hypothyroid": 3772,
    "sick": 3772,
    "abalone": 4177,
    "spambase": 4601,
    "waveform-5000": 5000,
    "ann-thyroid": 7200,
    "mushroom": 8124,
    "pendigits": 10992,
    "nursery": 12960,
    "letter": 20000,
    "krkopt": 28056,
    "covtype": SAMPLE,
    "adult": 48842,
    "connect-4": 67557,
}
"""Numbers of rows of the sets of the catalogue, in the order in which they run."""
OMITTED = {
    "reuterscorn": "its only column is text",
    "reutersgrain": "its only column is text",
    "cpu-performance": "its class is a number",
    "wdbc-id": "without its identifier, it is wdbc",
    "splice-61": "without its identifier, it is splice",
}
"""Sets of the catalogue that are not run, with the reason."""
VERSIONS = {
    "vote1": "vote",
    "vote-boolean": "vote",
    "soybean-630": "soybean",
    "splice-3175": "splice",
    "dna": "splice",
}
"""Sets that are other versions of a set: they are run, and do not count in means and tests."""


NOMINAL = (
    "corral",
    "hayes-roth",
    "breast-cancer",
    "solar-flare-C",
    "solar-flare-M",
    "solar-flare-X",
    "vote",
    "monks-3",
    "monks-1",
    "monks-2",
    "soybean",
    "tic-tac-toe",
    "car",
    "splice",
    "kr-vs-kp",
    "led7",
    "mushroom",
    "nursery",
    "krkopt",
    "connect-4",
)
"""Sets that count and have nominal attributes only."""


def load(name: str) -> tuple[Any, Any]:
    """Return attributes and classes of a set of the catalogue, without its identifiers."""
    data = load_dataset(name, source="folder")
    X, y = data.X.drop(columns=list(data.info.identifiers)), data.y
    if len(X) == ROWS[name]:
        return X, y
    rows = np.sort(np.random.default_rng(SEED).choice(len(X), ROWS[name], replace=False))
    return X.iloc[rows].reset_index(drop=True), y.iloc[rows].reset_index(drop=True)


def clipped(outcome: Outcome) -> dict[str, float]:
    """Return the log-loss with probabilities of at least one millionth."""
    of_truth = outcome.class_probabilities[np.arange(len(outcome.truth)), outcome.truth]
    return {"clipped_log_loss": float(-np.mean(np.log(np.clip(of_truth, CLIP, 1.0))))}


def protocol(name: str) -> EvaluationProtocol:
    """Return 5 x 2-fold cross-validation; above 5,000 rows, only its first repeat."""
    every = CrossValidation(2, REPEATS, SEED)
    return every if ROWS[name] <= MANY_ROWS else FirstSplits(every, 2)


def experiment(
    method: str, model: Any, sets: Sequence[str], suffix: str = "", *, once: bool = False
) -> Experiment:
    """Return one method on some sets; ``once`` is whether all sets have one repeat.

    Each method has an experiment, so that a method that changes, or is installed later, leaves the
    results of the others as they are. ``suffix`` ends the name of the experiment.
    """
    protocols = {name: protocol(name) for name in sets}
    return Experiment(
        name=re.sub("[^a-z0-9]+", "-", method.lower()).strip("-") + suffix,
        methods={method: model},
        data={name: partial(load, name) for name in sets},
        protocols={name: FirstSplits(protocols[name], 2) for name in sets} if once else protocols,
        extra_metrics=clipped,
        retry_failures=False,
        quick_data=tuple(name for name in sets if ROWS[name] <= QUICK_ROWS),
    )


def peers(
    names: Sequence[str], sets: Sequence[str], suffix: str = "", *, once: bool = False
) -> tuple[Experiment, ...]:
    """Return the experiments of those classifiers of other packages that are installed."""
    installed = [name for name in names if PACKAGES[name].version()]
    return tuple(experiment(name, peer(name), sets, suffix, once=once) for name in installed)


ALL = tuple(ROWS)
SMALL = tuple(name for name in ALL if ROWS[name] <= FEW_ROWS)
MEDIUM = tuple(name for name in ALL if FEW_ROWS < ROWS[name] <= MANY_ROWS)

GROVES = {"Grove": GroveClassifier(), "Grove with trees": GroveClassifier(trees=True)}
NETWORKS = {
    "Naive Bayes": NaiveBayesClassifier(),
    "TAN": TANClassifier(),
    "TAN, back-off": TANClassifier(smoothing="backoff"),
    "TAN, conditional": TANClassifier(smoothing="backoff", weights="conditional", corrections=True),
    "KDB(2)": KDBClassifier(k=2),
    "KDB(2), back-off": KDBClassifier(k=2, smoothing="backoff"),
    "WANBIA": NaiveBayesClassifier(weights="conditional"),
    "SKDB": SKDBClassifier(),
    "SKDB, back-off": SKDBClassifier(smoothing="backoff"),
    "A1DE": AnDEClassifier(n=1),
    "A2DE": AnDEClassifier(n=2),
}
OURS = tuple(experiment(name, model, ALL) for name, model in (GROVES | NETWORKS).items())
FAST = peers(
    ("Logistic regression", "Random forest", "LightGBM", "XGBoost", "HistGradientBoosting"), ALL
)
ONCE_SMALL = (
    *peers(("Khiops",), ALL, once=True),
    *peers(("CatBoost",), SMALL, "-small", once=True),
)
"""Slow classifiers that run on all small sets, on the first repeat only."""
ONCE = (
    *ONCE_SMALL,
    *peers(("EBM",), SMALL, "-small", once=True),
    *peers(("CatBoost",), MEDIUM, "-medium", once=True),
)
"""All slow classifiers, on the first repeat only."""

COUNTED = tuple(name for name in ALL if name not in VERSIONS)
LOG_LOSS = Column("clipped_log_loss", "log-loss")
BRIER = Column("brier", "Brier")
ERROR = Column("error", "error %", 100.0, 2)
SHOWN = (
    LOG_LOSS,
    BRIER,
    ERROR,
    Column("auc", "AUC"),
    Column("ece", "ECE"),
    Column("fit_cpu_seconds", "fit s", digits=2),
    Column("predict_cpu_seconds", "predict s"),
)
RULES = (
    "5 x 2-fold cross-validation, stratified, seed 0; only the first of the five repeats above "
    "5,000 rows. covtype is a random sample of 40,000 rows. All methods have their default "
    "options, one thread, and the same splits.",
    "log-loss: probabilities of the true class below 1e-6 count as 1e-6. A class without training "
    "rows has probability 0. Brier: from 0 to 2. ECE: expected calibration error, ten bins.",
    "Not in the comparison: " + "; ".join(f"{name}: {why}" for name, why in OMITTED.items()) + ".",
    "Run, but not counted, because they are versions of another set: "
    + ", ".join(f"{name} ({of})" for name, of in VERSIONS.items())
    + ".",
    *(
        f"NOT RUN: {name}, because the package {package.name} is not installed. Install it with: "
        f"pip install {package.name}"
        for name, package in PACKAGES.items()
        if not package.version()
    ),
)
TABLES = (
    Standings(
        number="1",
        title="All sets",
        experiments=(*OURS, *FAST),
        datasets=COUNTED,
        shown=SHOWN,
        choices=RULES,
    ),
    Standings(
        number="2",
        title="With CatBoost and Khiops: sets of up to 1,000 rows, first repeat only",
        experiments=(*OURS, *FAST, *ONCE_SMALL),
        datasets=tuple(name for name in SMALL if name in COUNTED),
        splits=2,
        shown=SHOWN,
        choices=RULES,
    ),
    Contests(
        number="3",
        title="Groves against each other method, by log-loss",
        experiments=(*OURS, *FAST),
        datasets=COUNTED,
        bases=tuple(GROVES),
        column=LOG_LOSS,
    ),
    Contests(
        number="4",
        title="Groves against the slow methods, by log-loss, first repeat only",
        experiments=(*OURS[: len(GROVES)], *ONCE),
        datasets=COUNTED,
        splits=2,
        bases=tuple(GROVES),
        column=LOG_LOSS,
    ),
    SetBySet(
        number="sets",
        title="Log-loss, set by set",
        experiments=(*OURS, *FAST, *ONCE),
        datasets=ALL,
        column=LOG_LOSS,
        choices=RULES,
        on_request=True,
    ),
    SetBySet(
        number="peers",
        title="Log-loss of the other packages, set by set",
        experiments=(*FAST, *ONCE),
        datasets=ALL,
        column=LOG_LOSS,
        choices=RULES,
        on_request=True,
    ),
    SetBySet(
        number="bayesgrove",
        title="Log-loss of bayesgrove, set by set",
        experiments=OURS,
        datasets=ALL,
        column=LOG_LOSS,
        choices=RULES,
        on_request=True,
    ),
)

_RUN = {name: one for one in (*OURS, *FAST) for name in one.methods}
LEGEND = (
    "ours: mean difference over the sets; numbers of sets on which the first method is better and "
    "worse; p-value of the signed-rank test over the sets. better: p of at most 0.05, and better "
    "on more sets. not worse: not significantly worse."
)


def _claim(text: str, *parts: tuple[str, str, Column, str, Sequence[str]]) -> Claim:
    """Return a claim that holds if all its parts do: two methods, metric, relation and sets."""
    needed = dict.fromkeys(method for first, second, *_ in parts for method in (first, second))
    return Claim(
        text,
        all_of(*(over_sets(*part) for part in parts)),
        tuple(_RUN[name] for name in needed if name in _RUN),
        LEGEND,
    )


HDP = "Petitjean, Buntine, Webb and Zaidi (2018)"
WANBIA = "Zaidi, Cerquides, Carman and Webb (2013)"
ESKDB = "Zhang, Petitjean and Buntine (2020)"
CLAIMS = (
    _claim(
        f"{HDP}: tables of networks that are smoothed hierarchically are better than m-estimates. "
        "(Tested as: TAN and KDB with k = 2 have a smaller Brier score with back-off than with "
        "Dirichlet pseudo-counts. Our back-off has strengths by leave-one-out in place of "
        "sampling, and our pseudo-count is 1 per cell in place of m = 1 per table.)",
        ("TAN, back-off", "TAN", BRIER, "better", COUNTED),
        ("KDB(2), back-off", "KDB(2)", BRIER, "better", COUNTED),
    ),
    _claim(
        "The same, by the log-loss. (The paper has the 0-1 loss and the root mean squared error.)",
        ("TAN, back-off", "TAN", LOG_LOSS, "better", COUNTED),
        ("KDB(2), back-off", "KDB(2)", LOG_LOSS, "better", COUNTED),
    ),
    _claim(
        f"{HDP}: the same for SKDB, by error and by root mean squared error. (Tested as above, by "
        "error and Brier score; k and the attributes are those of the Dirichlet version.)",
        ("SKDB, back-off", "SKDB", ERROR, "better", COUNTED),
        ("SKDB, back-off", "SKDB", BRIER, "better", COUNTED),
    ),
    _claim(
        f"{HDP}: networks with hierarchical smoothing outperform random forests on categorical "
        "data, both by error and by root mean squared error. (Tested as: KDB with k = 2 and "
        "back-off, on the sets with nominal attributes only, by error and Brier score. The paper "
        "has larger k too.)",
        ("KDB(2), back-off", "Random forest", ERROR, "better", NOMINAL),
        ("KDB(2), back-off", "Random forest", BRIER, "better", NOMINAL),
    ),
    _claim(
        f"{ESKDB}: an ensemble of SKDB networks with hierarchical smoothing and random cuts is "
        "significantly better than random forests. (Tested with the grove, which is another "
        "ensemble: 16 KDB networks with random orders and cuts and back-off, but with conditional "
        "weights, corrections of cells and stacking, which ESKDB does not have, and without the "
        "selection of SKDB. It is a test of the grove, not of ESKDB.)",
        ("Grove", "Random forest", ERROR, "better", COUNTED),
        ("Grove", "Random forest", BRIER, "better", COUNTED),
    ),
    _claim(
        f"{ESKDB}: this ensemble rivals XGBoost. (Tested with the grove as above: it is not "
        "significantly worse.)",
        ("Grove", "XGBoost", ERROR, "not worse", COUNTED),
        ("Grove", "XGBoost", BRIER, "not worse", COUNTED),
    ),
    _claim(
        f"{WANBIA}: naive Bayes with weights that are fitted to the conditional likelihood is "
        "competitive with logistic regression. (Tested as: naive Bayes with conditional weights is "
        "not significantly worse. Our weights are penalised, and rows are left out of their own "
        "counts.)",
        ("WANBIA", "Logistic regression", ERROR, "not worse", COUNTED),
        ("WANBIA", "Logistic regression", BRIER, "not worse", COUNTED),
    ),
)

PAPER = Paper("modern", "A comparison of our own.", TABLES, claims=CLAIMS, needs_folder=True)
