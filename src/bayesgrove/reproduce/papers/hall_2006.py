"""Hall (2006): naive Bayes with attribute weights from decision trees, on 28 data sets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from bayesgrove.encoding import MDLPDiscretizer
from bayesgrove.estimators.calibration import LogisticCalibration
from bayesgrove.estimators.classifiers.bagged_trees import BaggedTreesClassifier
from bayesgrove.estimators.classifiers.naive_bayes import NaiveBayesClassifier
from bayesgrove.estimators.classifiers.nbtree import NBTreeClassifier
from bayesgrove.estimators.classifiers.selective_naive_bayes import SelectiveNaiveBayesClassifier
from bayesgrove.estimators.classifiers.weighted_naive_bayes import WeightedNaiveBayesClassifier
from bayesgrove.estimators.selectors.cfs import CFSSelector
from bayesgrove.estimators.selectors.tree import TreeSelector
from bayesgrove.reproduce.experiment import Experiment, loaders
from bayesgrove.reproduce.folds import PublishedFolds
from bayesgrove.reproduce.paper import Paper
from bayesgrove.reproduce.views.checks import all_of, higher_or_wider, marks, tally, worse_somewhere
from bayesgrove.reproduce.views.claims import Claim
from bayesgrove.reproduce.views.differences import Measure
from bayesgrove.reproduce.views.marked_means import MarkedMeansTable
from bayesgrove.weighting import ReliefF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesgrove.reproduce.experiment import Loader
    from bayesgrove.reproduce.views.claims import Check

SEED = 0
SHAKE = 0.01
"""Largest relative change of a weight in the test of stability."""
RUNS = 50
"""Number of splits: five repeats of ten folds."""

DATA = {
    "iris": "iris",
    "labor": "labor",
    "zoo": "zoo",
    "glass": "glass",
    "ecoli": "ecoli",
    "bal-s": "balance-scale",
    "brst-c": "breast-cancer",
    "lymph": "lymph",
    "hep": "hepatitis",
    "hrt-s": "heart-statlog",
    "hrt-h": "heart-h",
    "hrt-c": "heart-c",
    "autos": "autos",
    "diab": "diabetes",
    "brst-w": "breast-w",
    "vote": "vote",
    "colic": "colic",
    "aust": "credit-a",
    "iono": "ionosphere",
    "sonar": "sonar",
    "vehic": "vehicle",
    "crd-g": "credit-g",
    "annl": "anneal",
    "sick": "sick",
    "hypo": "hypothyroid",
    "kr": "kr-vs-kp",
    "splice": "splice",
    "wave": "waveform-5000",
}
"""Our names of the data sets by the names in the paper, from the smallest to the largest."""

SEVERAL_CLASSES = (
    *("iris", "zoo", "glass", "ecoli", "bal-s", "lymph", "autos", "vehic", "annl", "hypo"),
    *("splice", "wave"),
)
TWO_CLASSES = tuple(name for name in DATA if name not in SEVERAL_CLASSES)
ALL = tuple(DATA)

# Methods --------------------------------------------------------------------------------------

LIKE_THEIRS: dict[str, Any] = {
    "numeric": "rounded",
    "missing": "ignore",
    "categorical_features": [],
}
"""Options as in the paper: normal densities for all numbers; missing values are skipped."""


@dataclass(frozen=True)
class Selecting:
    """Attribute weights that are 1 for the columns that a selector selects, and 0 for others."""

    selector: Any

    def __call__(self, X: Any, y: Any) -> Any:
        """Return the weights, learned from the training rows."""
        return clone(self.selector).fit(X, y).get_support().astype(float)


@dataclass(frozen=True)
class Shaken:
    """The attribute weights of a model, each changed by at most 1% at random."""

    model: Any
    seed: int

    def __call__(self, X: Any, y: Any) -> Any:
        """Return the weights, learned from the training rows; they are 1 for naive Bayes."""
        fitted = clone(self.model).fit(X, y)
        weights = np.asarray(getattr(fitted, "weights_", np.ones(X.shape[1])))
        return weights * (1 + SHAKE * np.random.default_rng(self.seed).uniform(-1, 1, len(weights)))


def last_column_first(load: Loader) -> tuple[Any, Any]:
    """Return a data set with its columns reversed.

    Ties go to the first column in our search, and to the last column in the search of the paper.
    """
    X, y = load()
    return X.iloc[:, ::-1], y


def _weighted(trees: int, percent: int, *, select_only: bool = False) -> Any:
    """Return naive Bayes weighted by the depth of attributes in trees on samples of this size."""
    return WeightedNaiveBayesClassifier(
        weights="tree_depth",
        n_trees=trees,
        sample_fraction=percent / 100,
        select_only=select_only,
        random_state=SEED,
        **LIKE_THEIRS,
    )


def _on_selected(selector: Any) -> Any:
    """Return naive Bayes on the columns that a selector selects."""
    return WeightedNaiveBayesClassifier(Selecting(selector), **LIKE_THEIRS)


def _wrapped(scoring: str) -> Any:
    """Return selective naive Bayes, scored on the training rows."""
    return SelectiveNaiveBayesClassifier(
        scoring=scoring, ties="continue", cv="training", **LIKE_THEIRS
    )


def _experiment(
    folder: str,
    models: dict[str, Any],
    datasets: Sequence[str] = tuple(DATA),
    *,
    last_first: bool = False,
) -> Experiment:
    """Return an experiment with calibrated models on the folds of the paper."""
    data = loaders({name: DATA[name] for name in datasets})
    if last_first:
        data = {name: partial(last_column_first, load) for name, load in data.items()}
    return Experiment(
        folder,
        {
            name: LogisticCalibration(model, cv=10, ridge=1e-8, random_state=SEED)
            for name, model in models.items()
        },
        data,
        {name: PublishedFolds("002", DATA[name]) for name in datasets},
    )


BASE = "AWNB i=10 j=50"
BAGGED = "Bagging i=10 j=100"
UNWEIGHTED = "ASNB i=10 j=50"
ONE_TREE = "AWNB i=1 j=100"
BY_AUC = "SB by AUC"
SETTINGS = {
    ONE_TREE: (1, 100),
    "AWNB i=10 j=25": (10, 25),
    "AWNB i=10 j=75": (10, 75),
    "AWNB i=10 j=100": (10, 100),
}

NAIVE = _experiment("nb", {"NB": NaiveBayesClassifier(**LIKE_THEIRS)})
GAIN_RATIO = _experiment(
    "grw",
    {"GRW": WeightedNaiveBayesClassifier("gain_ratio", random_state=SEED, **LIKE_THEIRS)},
)
CFS = _experiment(
    "cfs",
    {
        "CFS": _on_selected(
            CFSSelector(
                unrelated_correlation=1.0,
                discretizer=MDLPDiscretizer(count_by="values"),
                missing="ignore",
                categorical_features=[],
            )
        )
    },
)
TREE_SELECTED = _experiment(
    "sbc",
    {
        "SBC": _on_selected(
            TreeSelector(
                n_trees=5,
                sample_fraction=0.1,
                max_depth=3,
                random_state=SEED,
                categorical_features=[],
            )
        )
    },
)
AS_IN_WEKA = ReliefF(sample_size=250, random_state=SEED, missing="weka", rescale=True)
"""ReliefF with missing values as in WEKA, which the paper used.

The text says that the scores are the weights. The printed results need weights with a mean of 1.
"""
RELIEF = _experiment("rw", {"RW": WeightedNaiveBayesClassifier(AS_IN_WEKA, **LIKE_THEIRS)})
WEIGHTED = _experiment("awnb", {BASE: _weighted(10, 50)})
OTHERWISE = _experiment(
    "awnb-settings", {name: _weighted(*setting) for name, setting in SETTINGS.items()}
)
ZERO_ONE = _experiment("asnb", {UNWEIGHTED: _weighted(10, 50, select_only=True)})
BAGGING = _experiment(
    "bagging",
    {
        BAGGED: BaggedTreesClassifier(
            n_trees=10, sample_fraction=1.0, random_state=SEED, categorical_features=[]
        )
    },
)
WRAPPED = _experiment("sb", {"SB": _wrapped("accuracy")}, last_first=True)
WRAPPED_BY_AUC = _experiment("sb-auc", {BY_AUC: _wrapped("auc")}, TWO_CLASSES, last_first=True)
NB_TREE = _experiment("nbtree", {"NBTree": NBTreeClassifier(categorical_features=[])})

SHAKEN_DATA = ("zoo", "labor", "iris")
"""The smallest data sets, on which single rows matter most."""
SHAKEN = {
    name: tuple(f"{name}, shaken {seed}" for seed in (1, 2))
    for experiment in (NAIVE, GAIN_RATIO, WEIGHTED, ZERO_ONE, RELIEF, CFS, TREE_SELECTED)
    for name in experiment.methods
}
"""Names of the models with changed weights, by method."""
STABILITY = _experiment(
    "stability",
    {
        shaken: WeightedNaiveBayesClassifier(
            Shaken(experiment.methods[name].estimator, seed), **LIKE_THEIRS
        )
        for experiment in (NAIVE, GAIN_RATIO, WEIGHTED, ZERO_ONE, RELIEF, CFS, TREE_SELECTED)
        for name in experiment.methods
        for seed, shaken in enumerate(SHAKEN[name], 1)
    },
    SHAKEN_DATA,
)

FIRST = (NAIVE, WEIGHTED, OTHERWISE, ZERO_ONE, BAGGING, STABILITY)
SECOND = (GAIN_RATIO, CFS, TREE_SELECTED, RELIEF, WEIGHTED, WRAPPED, NB_TREE, STABILITY)
SECOND_BY_AUC = (
    *(GAIN_RATIO, CFS, TREE_SELECTED, RELIEF, WEIGHTED, WRAPPED_BY_AUC, NB_TREE, STABILITY),
)

# What the paper leaves open -------------------------------------------------------------------

CHOICES = (
    "The folds are those of WEKA: five stratified 10-fold cross-validations with the seeds 1 to 5. "
    "The paper does not say so, but naive Bayes on these folds gives its NB column.",
    "The text of the paper defines RRSE relative to predicting the most common class. Its numbers "
    "follow WEKA's definition, relative to the class frequencies of the training rows with one "
    "added to each. Here, declared classes without rows are not counted.",
    "Calibration is a logistic regression (ridge 1e-8) on the class probabilities of an internal "
    "10-fold cross-validation. The model itself is learned from all training rows.",
    "Normal densities are computed for values that are rounded to the precision of their column. "
    "Their standard deviation is at least a sixth of that precision. Missing values are skipped.",
    "Trees are unpruned C4.5 trees: at least two branches of each test have at least two rows. "
    "Subtrees that do not lower the training error are collapsed (replaced by a leaf). The paper "
    "does not mention this, but its numbers are not reached without it.",
    "The setting i = 1, j = 100 also draws rows with replacement, although the text of the paper "
    "says that it uses all the training data.",
    "The random numbers of trees and samples are not those of the paper.",
    "Table 1 of the paper lists 61 attributes of splice, which has 60 here. It lists 23 numeric "
    "and 6 nominal attributes of hypo and sick, which have 7 and 22 here.",
)
SECOND_CHOICES = (
    "RW uses 10 neighbours and at most 250 rows. The difference between a value and a missing "
    "value is as in WEKA. The weights are then scaled like the weights of GRW; the paper does not "
    "mention this scaling.",
    "After its search, CFS adds attributes that are more correlated with the class than with any "
    "selected attribute.",
    "SB measures its score on the rows that it learns from, and continues while the score is "
    "unchanged. Ties between columns go to the last column.",
    "SBC selects the attributes in the top three levels of any of five trees, each learned from a "
    "tenth of the rows.",
    "If no attribute is selected, the class frequencies are the prediction.",
)
STABLE = (
    "Cells are tested for stability on zoo, labor and iris: the weights of NB, GRW, RW, AWNB, "
    "ASNB, CFS and SBC are changed by at most 1%, twice at random. A cell is not testable if this "
    "moves our mean by more than the tolerance of two standard errors."
)
FITTED = (
    "The folds (WEKA's seeds 1 to 5), the definition of RRSE, the collapsing of trees, the samples "
    "with replacement of i = 1, j = 100, the scaling of the weights of RW, and the ties and the "
    "score of SB were chosen because they give the printed numbers.",
)
MARKS_LOST = (
    "The marks of this table are lost in our copy of the paper, except some marks of bagging."
)

TAILS = (
    "The normal distribution of WEKA loses all digits in the upper tail, so that numbers far above "
    "the means of both classes are ties. With these ties, our results are 98.60 (AWNB) and 98.42 "
    "(RW)"
)
SAMPLES = "The result depends on the random samples: with other seeds our results are"
EXPLANATIONS = {
    ("brst-w", BASE): TAILS,
    ("brst-w", "RW"): TAILS,
    ("kr", "RW"): f"{SAMPLES} 98.57 and 98.46",
    ("aust", "SBC"): f"{SAMPLES} 76.87 and 72.51",
    ("labor", "SBC"): f"{SAMPLES} 88.13 and 86.43 (RRSE), 76.00 and 79.50 (ROC area)",
    ("kr", "SBC"): f"{SAMPLES} 94.06 and 94.25 (ROC area)",
    ("bal-s", BAGGED): f"{SAMPLES} 54.88 and 56.45",
    (
        "glass",
        "NBTree",
    ): "The result depends on the order of the rows, which in WEKA is the order after sorting. "
    "With other orders our results are up to 80.6",
}
"""Tested reasons why cells differ, by data set and method."""

# Tables ---------------------------------------------------------------------------------------


def _table(
    number: str,
    title: str,
    experiments: tuple[Experiment, ...],
    *choices: str,
    auc: bool = False,
) -> MarkedMeansTable:
    """Return a table of RRSE or of ROC areas, with marks against AWNB."""
    return MarkedMeansTable(
        number=number,
        title=title,
        experiments=experiments,
        metric="auc" if auc else "rrse",
        printed_as="AUC%" if auc else "RRSE%",
        factor=100.0 if auc else 1.0,
        digits=2,
        splits=RUNS,
        names={BY_AUC: "SB"},
        same_splits=True,
        perturbed=SHAKEN,
        fitted=FITTED,
        base=BASE,
        test="corrected",
        choices=(*CHOICES, STABLE, *choices),
        explanations=EXPLANATIONS,
    )


TABLES = (
    _table("2", "AWNB, NB, ASNB and bagged trees: RRSE", FIRST, MARKS_LOST),
    _table("3", "AWNB, NB, ASNB and bagged trees: ROC area", FIRST, MARKS_LOST, auc=True),
    _table("4", "AWNB against other enhancements of NB: RRSE", SECOND, *SECOND_CHOICES),
    _table(
        "5",
        "AWNB against other enhancements of NB: ROC area",
        SECOND_BY_AUC,
        *SECOND_CHOICES,
        auc=True,
    ),
)

# Conclusions ----------------------------------------------------------------------------------

RRSE = Measure("rrse", 1.0, "corrected")
AUC = Measure("auc", 100.0, "corrected")
LEGEND = (
    "ours: number of data sets on which a method is significantly better (+) or worse (-) than "
    "AWNB with i = 10, j = 50; or the difference in points, t in parentheses, and the mark + or - "
    "(corrected resampled t-test, 5% level). A lower RRSE is better."
)
BAGGING_MARKS = {
    **dict.fromkeys(("annl", "autos", "glass", "hypo", "kr", "sick", "sonar", "vote"), "+"),
    **dict.fromkeys(("bal-s", "crd-g", "splice", "wave"), "-"),
}
"""The legible marks of bagging; the printed numbers give their direction."""
IMPROVED = ("kr", "vote", "iono", "aust", "colic")


def _counted(method: str, measure: Measure, **claimed: int) -> Check:
    """Return a check of the numbers of significant differences from AWNB."""
    datasets = TWO_CLASSES if measure is AUC else ALL
    return tally(method, BASE, datasets, measure, each=False, **claimed)


def _claim(text: str, check: Check, *experiments: Experiment) -> Claim:
    """Return a claim that needs AWNB and these experiments."""
    return Claim(text, check, (*experiments, WEIGHTED), LEGEND)


CLAIMS = (
    _claim(
        "Table 2: AWNB has a significantly lower RRSE than NB on 12 data sets, and a higher one on "
        "2.",
        _counted("NB", RRSE, better=2, worse=12),
        NAIVE,
    ),
    _claim(
        "On kr, RRSE decreases from 59.5 to 39; improvements are similar on vote, iono, aust and "
        "colic. (Read as: significant on all five.)",
        marks("NB", BASE, dict.fromkeys(IMPROVED, "-"), RRSE),
        NAIVE,
    ),
    _claim(
        "The weights of AWNB are significantly better than the weights zero and one of ASNB on 12 "
        "data sets and worse on 2.",
        _counted(UNWEIGHTED, RRSE, better=2, worse=12),
        ZERO_ONE,
    ),
    _claim(
        "j = 50 is significantly worse than the other settings of j on one data set, and better on "
        "two (j = 25) and three (j = 75, j = 100). (The text says 'the other two settings', but "
        "there are three. Read as: worse than each of the three on one data set.)",
        all_of(
            _counted("AWNB i=10 j=25", RRSE, better=1, worse=2),
            _counted("AWNB i=10 j=75", RRSE, better=1, worse=3),
            _counted("AWNB i=10 j=100", RRSE, better=1, worse=3),
        ),
        OTHERWISE,
    ),
    _claim(
        "AWNB with a single tree differs significantly on only three data sets.",
        _counted(ONE_TREE, RRSE, either=3),
        OTHERWISE,
    ),
    _claim(
        "AWNB with a single tree has a higher RRSE or a larger standard deviation on all data sets "
        "but two. (By the printed numbers it is all data sets but one, hypo.)",
        higher_or_wider(ONE_TREE, BASE, ALL, "rrse", but=2),
        OTHERWISE,
    ),
    _claim(
        "Bagged trees are significantly better on nine data sets and worse on four. (Twelve marks "
        "of table 2 are legible. By the numbers beside them, eight mean better and four mean "
        "worse. Each of them is checked here. The ninth must be vehic, where AWNB has 88.00 and "
        "bagging has 64.04.)",
        all_of(
            _counted(BAGGED, RRSE, better=9, worse=4),
            marks(BAGGED, BASE, BAGGING_MARKS, RRSE),
        ),
        BAGGING,
    ),
    _claim(
        "Table 3: by ROC area AWNB is significantly better than NB on four data sets, and worse on "
        "none.",
        _counted("NB", AUC, better=0, worse=4),
        NAIVE,
    ),
    _claim(
        "By ROC area the other settings of i and j are significantly worse on only one data set. "
        "(Read as: there is one data set on which at least one of them is worse.)",
        worse_somewhere(tuple(SETTINGS), BASE, TWO_CLASSES, AUC, count=1),
        OTHERWISE,
    ),
    _claim(
        "By ROC area AWNB is significantly better than ASNB on four data sets, and worse on none.",
        _counted(UNWEIGHTED, AUC, better=0, worse=4),
        ZERO_ONE,
    ),
    _claim(
        "By ROC area AWNB is significantly better than bagged trees on one data set, and worse on "
        "three.",
        _counted(BAGGED, AUC, better=3, worse=1),
        BAGGING,
    ),
    _claim(
        "Table 4: AWNB has a significantly lower RRSE than GRW on 13 data sets, and a higher one "
        "on one.",
        _counted("GRW", RRSE, better=1, worse=13),
        GAIN_RATIO,
    ),
    _claim(
        "RW is significantly worse than AWNB on seven data sets, and better on one.",
        _counted("RW", RRSE, better=1, worse=7),
        RELIEF,
    ),
    _claim(
        "AWNB is significantly better than CFS on nine data sets, and worse on one.",
        _counted("CFS", RRSE, better=1, worse=9),
        CFS,
    ),
    _claim(
        "AWNB and SB significantly outperform each other on two data sets each.",
        _counted("SB", RRSE, better=2, worse=2),
        WRAPPED,
    ),
    _claim(
        "SBC is significantly better than AWNB on two data sets, and worse on 12.",
        _counted("SBC", RRSE, better=2, worse=12),
        TREE_SELECTED,
    ),
    _claim(
        "NBTree has six significant wins and four significant losses against AWNB.",
        _counted("NBTree", RRSE, better=6, worse=4),
        NB_TREE,
    ),
    _claim(
        "Table 5: by ROC area AWNB is significantly outperformed in one case only, on kr by "
        "NBTree.",
        all_of(
            *(_counted(name, AUC, better=0) for name in ("GRW", "RW", "CFS", BY_AUC, "SBC")),
            _counted("NBTree", AUC, better=1),
            marks("NBTree", BASE, {"kr": "+"}, AUC),
        ),
        *SECOND_BY_AUC,
    ),
    _claim(
        "By ROC area AWNB is significantly better than GRW on three data sets, and than RW, CFS "
        "and SBC on two each. It differs from SB on none.",
        all_of(
            _counted("GRW", AUC, worse=3),
            *(_counted(name, AUC, worse=2) for name in ("RW", "CFS", "SBC")),
            _counted(BY_AUC, AUC, either=0),
        ),
        *(GAIN_RATIO, RELIEF, CFS, TREE_SELECTED, WRAPPED_BY_AUC),
    ),
)

PAPER = Paper(
    "002",
    "M. Hall (2006). A decision tree-based attribute weighting filter for naive Bayes. Working "
    "paper 05/2006, Department of Computer Science, University of Waikato.",
    TABLES,
    claims=CLAIMS,
)
