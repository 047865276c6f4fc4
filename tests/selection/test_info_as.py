"""Info-AS against definitions 4.1 to 4.3 of Singh and Provan (1995), table by table."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.special import entr
from scipy.stats import chi2, chi2_contingency

from bayesgrove import InfoASClassifier, InfoSelector
from bayesgrove.datasets import load_dataset
from bayesgrove.selection import InfoAS, Step
from bayesgrove.structures import Naive

METRICS = ["cig", "cgr", "cdc"]
NOTHING = "No attribute was selected"
every_metric = pytest.mark.parametrize("metric", METRICS)
may_select_nothing = pytest.mark.filterwarnings(f"ignore:{NOTHING}")


class Oracle:
    """The 3-d contingency tables of the paper: layers, values of an attribute, classes.

    Missing is a value of its own, or, with "ignore", rows that lack what a table is of are left
    out of it. ``rows`` is the weight of all rows.
    """

    def __init__(self, X, y, missing="value", weights=None):
        keep = missing == "ignore"
        self.columns = {
            name: pd.factorize(X[name].astype(object), use_na_sentinel=keep)[0] for name in X
        }
        self.classes = pd.factorize(np.asarray(y, dtype=object))[0]
        self.weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
        self.rows = self.weights.sum()
        self.layers = cache(self.fresh_layers)

    def fresh_layers(self, *selected):
        """The joint value of every row's selected attributes; -1 where one is missing."""
        frame = pd.DataFrame({name: self.columns[name] for name in selected})
        if not selected:
            return np.zeros(len(self.classes), dtype=int)
        layer = frame.groupby(list(selected), sort=False).ngroup().to_numpy()
        return np.where((frame >= 0).all(axis=1), layer, -1)

    def tables(self, selected, attribute):
        layer, value = self.layers(*selected), self.columns[attribute]
        known = (layer >= 0) & (value >= 0)
        at = layer[known], value[known], self.classes[known]
        tables = np.zeros([codes.max(initial=0) + 1 for codes in (layer, value, self.classes)])
        np.add.at(tables, at, self.weights[known])
        return tables[tables.sum(axis=(1, 2)) > 0]

    def metrics(self, selected, attribute):
        """CIG, CGR and CDC."""
        tables = self.tables(selected, attribute)
        sizes = tables.sum(axis=(1, 2))
        p_l = sizes / self.rows
        p = tables / sizes[:, None, None]
        h_cell = entr(p).sum(axis=(1, 2))
        h_a = entr(p.sum(axis=2)).sum(axis=1)
        h_c = entr(p.sum(axis=1)).sum(axis=1)
        gain = (p_l * (h_c + h_a - h_cell)).sum()
        below = {"cig": 1.0, "cgr": (p_l * h_a).sum(), "cdc": (p_l * h_cell).sum()}
        return {name: gain / own if own > 1e-12 else 0.0 for name, own in below.items()}

    def p_value(self, selected, attribute):
        """Pearson's test: statistics and degrees of freedom of all layers summed."""
        statistic = freedom = 0
        for table in self.tables(selected, attribute):
            occurring = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
            if min(occurring.shape) > 1:  # else it has no freedom
                found = chi2_contingency(occurring, correction=False)
                statistic, freedom = statistic + found.statistic, freedom + found.dof
        return chi2.sf(statistic, freedom) if freedom else 1.0

    def path(self, metric, stop="zero", alpha=0.05):
        """The loop of section 4.2: names, values and numbers of layers."""
        selected, steps = [], []
        while len(selected) < len(self.columns):
            left = [name for name in self.columns if name not in selected]
            values = {name: self.metrics(selected, name)[metric] for name in left}
            if stop == "chi2":
                values = {
                    name: value if self.p_value(selected, name) <= alpha else 0.0
                    for name, value in values.items()
                }
            best = max(left, key=lambda name: round(values[name], 12))
            if not values[best] > 1e-12:
                break
            selected.append(best)
            layers = self.layers(*selected)
            steps.append((best, values[best], len(set(layers[layers >= 0].tolist()))))
        return steps


def assert_same_path(path, expected):
    assert [step[0] for step in path] == [step[0] for step in expected]
    assert [step[2] for step in path] == [step[2] for step in expected]
    assert_allclose([step[1] for step in path], [step[1] for step in expected], atol=1e-13)
    assert {step.change for step in path} <= {"added"}


@cache
def real_rows(name, rows):
    """The first rows of a fixed permutation; missing values as the file has them."""
    X, y = load_dataset(name, source="folder")
    chosen = np.random.default_rng(0).permutation(len(X))[:rows]
    return X.iloc[chosen].reset_index(drop=True), y.iloc[chosen].reset_index(drop=True)


def random_rows(seed, rows=60, missing=0.0):
    """Labels that depend on the class and on each other; the last column repeats the first."""
    rng = np.random.default_rng(seed)
    y = rng.choice(np.array(["n", "p", "y"], dtype=object), rows, p=[0.5, 0.3, 0.2])
    common = rng.integers(0, 4, rows) * (rng.random(rows) < 0.5)
    columns = {}
    for name, card in zip("abcde", (2, 3, 4, 3, 2), strict=True):
        noise = rng.integers(0, 4, rows) * (rng.random(rows) < 0.4)
        codes = (common + noise + 2 * (y == "p") + (y == "y")) % card
        labels = np.array(["q", "r", "s", "t"], dtype=object)[codes]
        columns[name] = np.where(rng.random(rows) < missing, None, labels)
    columns["f"] = columns["a"]
    return pd.DataFrame(columns, dtype=object), y


@every_metric
@pytest.mark.parametrize(("name", "rows"), [("vote", 435), ("kr-vs-kp", 1000), ("mushroom", 500)])
def test_the_path_is_that_of_the_definitions(folder_dataset, name, rows, metric):
    X, y = real_rows(name, rows)
    selector = InfoSelector(metric).fit(X, y)
    assert_same_path(selector.path_, Oracle(X, y).path(metric))
    assert selector.selected_ == [step.attribute for step in selector.path_]


@every_metric
@pytest.mark.parametrize("name", ["vote", "mushroom", "soybean"])
def test_missing_cells_can_be_left_out(folder_dataset, name, metric):
    X, y = real_rows(name, 300)
    assert X.isna().any(axis=None)
    selector = InfoSelector(metric, missing="ignore").fit(X, y)
    assert_same_path(selector.path_, Oracle(X, y, "ignore").path(metric))


@pytest.mark.parametrize("missing", ["value", "ignore"])
def test_every_metric_given_every_attribute(missing):
    X, y = random_rows(3, missing=0.2)
    counts = InfoASClassifier(missing=missing)._read(X, y).counts(1)
    oracle = Oracle(X, y, missing)
    names = list(X)
    for given in [[], [0], [3], [1, 4], [4, 1], [2, 0, 3], [0, 1, 2, 3, 4]]:
        left = [v for v in range(6) if v not in given]
        for metric in METRICS:
            values = InfoAS(metric).values(counts, given, left)
            selected = [names[v] for v in given]
            expected = [oracle.metrics(selected, names[v])[metric] for v in left]
            assert_allclose(values, expected, atol=1e-13)


@pytest.mark.parametrize("missing", ["value", "ignore"])
@pytest.mark.parametrize("seed", range(5))
@may_select_nothing
def test_random_rows_with_and_without_weights(seed, missing):
    X, y = random_rows(seed, missing=0.15)
    weights = np.random.default_rng(seed).choice([0.25, 0.5, 1.0, 3.0], len(y))
    for own in (None, weights):
        oracle = Oracle(X, y, missing, own)
        for metric in METRICS:
            for stop in ("zero", "chi2"):
                model = InfoSelector(metric, stop_by=stop, missing=missing).fit(X, y, own)
                assert_same_path(model.path_, oracle.path(metric, stop))


@every_metric
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.4])
def test_the_chi_squared_test_leaves_out_what_is_independent(folder_dataset, metric, alpha):
    X, y = real_rows("vote", 200)
    selector = InfoSelector(metric, stop_by="chi2", level=alpha).fit(X, y)
    assert_same_path(selector.path_, Oracle(X, y).path(metric, "chi2", alpha))
    if alpha < 0.1:
        assert len(selector.path_) < len(InfoSelector(metric).fit(X, y).path_)


def test_an_attribute_that_the_test_leaves_out_may_come_later():
    row = np.arange(100)
    a, b = row // 25 % 2, row // 50
    flipped = (row < 7) | ((row >= 25) & (row < 32))  # so that a tells a little, b nothing yet
    X = pd.DataFrame({"b": b, "a": a, "noise": row % 2}).astype(str)
    y = a ^ b ^ flipped
    oracle = Oracle(X, y)
    assert oracle.p_value([], "b") > 0.9
    selector = InfoSelector("cig", stop_by="chi2").fit(X, y)
    assert selector.selected_ == ["a", "b"]
    assert_same_path(selector.path_, oracle.path("cig", "chi2"))


@every_metric
def test_weight_2_is_the_row_twice(metric):
    X, y = random_rows(5, missing=0.1)
    weights = np.random.default_rng(5).integers(0, 4, len(y))
    repeated = np.repeat(np.arange(len(y)), weights)
    for missing in ("value", "ignore"):
        for stop in ("zero", "chi2"):
            selector = InfoSelector(metric, stop_by=stop, missing=missing)
            once = selector.fit(X, y, weights).path_
            assert_same_path(once, selector.fit(X.iloc[repeated], y[repeated]).path_)


@pytest.mark.parametrize("missing", ["value", "ignore"])
@pytest.mark.parametrize("stop", ["zero", "chi2"])
def test_files_give_the_path_of_rows_in_memory(tmp_path, missing, stop):
    X, y = random_rows(7, missing=0.1)
    path = tmp_path / "rows.parquet"
    X.assign(**{"class": y}).to_parquet(path, row_group_size=23)
    for metric in METRICS:
        options = {"metric": metric, "stop_by": stop, "missing": missing}
        memory = InfoSelector(**options).fit(X, y)
        for files in (
            InfoSelector(**options).fit(path, "class"),
            InfoASClassifier(structure=Naive(), **options).fit(str(path), "class"),
        ):
            assert_same_path(files.path_, memory.path_)
            assert files.selected_ == memory.selected_


def test_files_of_a_real_set(folder_dataset, tmp_path):
    X, y = real_rows("vote", 435)
    X.assign(**{"class": y}).to_parquet(tmp_path / "vote.parquet", row_group_size=100)
    files = InfoSelector("cdc").fit(tmp_path / "vote.parquet", "class")
    assert_same_path(files.path_, Oracle(X, y).path("cdc"))


@every_metric
def test_numbers_are_cut_first(folder_dataset, metric):
    X, y = folder_dataset("heart-c")
    model = InfoASClassifier(metric, stop_by="chi2").fit(X, y)
    cut = X.copy()
    for name, points in model.cut_points_.items():
        codes = np.searchsorted(points, X[name].to_numpy())
        cut[name] = pd.Series(codes, dtype=object).where(X[name].notna())
    assert len(model.cut_points_) > 3
    assert_same_path(model.path_, Oracle(cut, y).path(metric, "chi2"))


@every_metric
@pytest.mark.parametrize("stop", ["zero", "chi2"])
def test_nothing_is_selected_where_nothing_tells_of_the_class(metric, stop):
    X = pd.DataFrame({"a": ["u", "u", "v", "v"] * 5, "b": ["p"] * 20})
    y = ["n", "y"] * 10
    for model in (InfoSelector(metric, stop_by=stop), InfoASClassifier(metric, stop_by=stop)):
        with pytest.warns(UserWarning, match=NOTHING):
            model.fit(X, y)
        assert model.selected_ == model.path_ == []


@every_metric
def test_two_attributes_that_tell_only_together_are_not_found(metric):
    a, b = np.array([0, 0, 1, 1] * 5), np.array([0, 1, 0, 1] * 5)
    X = pd.DataFrame({"a": a, "b": b}).astype(str)
    with pytest.warns(UserWarning, match=NOTHING):
        assert InfoSelector(metric).fit(X, a ^ b).selected_ == []
    X["c"] = np.where(np.arange(20) < 3, 0, a).astype(str)  # with a little of a, they are
    assert_same_path(InfoSelector(metric).fit(X, a ^ b).path_, Oracle(X, a ^ b).path(metric))


@every_metric
@pytest.mark.parametrize("missing", ["value", "ignore"])
def test_columns_of_one_value_or_none_are_never_selected(metric, missing):
    X, y = random_rows(2)
    X.insert(0, "constant", "k")
    X.insert(3, "empty", None)
    X.insert(5, "gap", np.where(np.arange(len(y)) < 30, "k", None))
    selector = InfoSelector(metric, missing=missing).fit(X, y)
    assert not {"constant", "empty"} & set(selector.selected_)
    assert ("gap" in selector.selected_) <= (missing == "value")
    assert_same_path(selector.path_, Oracle(X, y, missing).path(metric))


@every_metric
def test_a_number_of_the_row_says_everything_and_ends_the_search(metric):
    X, y = random_rows(4)
    X = X.assign(id=[f"row {row}" for row in range(len(y))])
    selector = InfoSelector(metric).fit(X, y)
    assert_same_path(selector.path_, Oracle(X, y).path(metric))
    assert selector.path_[-1].cells <= len(y)
    alone = InfoSelector(metric).fit(X[["id"]], y).path_
    h_c = entr(np.unique(y, return_counts=True)[1] / len(y)).sum()
    below = {"cig": 1, "cgr": np.log(len(y)), "cdc": np.log(len(y))}[metric]
    assert_same_path(alone, [("id", h_c / below, len(y))])
    if metric == "cig":
        assert [step.attribute for step in selector.path_] == ["id"]


@every_metric
def test_an_attribute_that_is_the_class_is_enough(metric):
    X, y = random_rows(1)
    X["same"] = y
    h_c = entr(np.unique(y, return_counts=True)[1] / len(y)).sum()
    expected = [("same", h_c if metric == "cig" else 1.0, 3)]
    assert_same_path(InfoSelector(metric).fit(X, y).path_, expected)


def test_of_equal_attributes_the_first_column_is_taken():
    X, y = random_rows(6)
    for names in (list("abcdef"), list("fedcba")):
        for metric in METRICS:
            selected = InfoSelector(metric).fit(X[names], y).selected_
            equal = [name for name in names if name in "af"]
            assert equal[1] not in selected
    renamed = X[["a"]].assign(other=np.where(X["a"] == "q", "one", "two"))
    assert InfoSelector().fit(renamed, y).selected_ == ["a"]
    assert InfoSelector().fit(renamed[["other", "a"]], y).selected_ == ["other"]


@every_metric
@pytest.mark.parametrize("stop", ["zero", "chi2"])
def test_one_class_or_one_row(metric, stop):
    X, y = random_rows(0)
    for rows, labels in ((X, ["n"] * len(y)), (X[:1], y[:1])):
        for missing in ("value", "ignore"):
            with pytest.warns(UserWarning, match=NOTHING):
                model = InfoSelector(metric, stop_by=stop, missing=missing).fit(rows, labels)
            assert model.path_ == []


@every_metric
def test_two_rows(metric):
    X = pd.DataFrame({"a": ["u", "u"], "b": ["u", "v"]})
    selector = InfoSelector(metric).fit(X, ["n", "y"])
    assert_same_path(selector.path_, [("b", {"cig": np.log(2), "cgr": 1.0, "cdc": 1.0}[metric], 2)])


def test_the_path_is_made_of_plain_numbers():
    X, y = random_rows(0)
    for weights in (None, np.full(len(y), 0.5)):
        step = InfoSelector().fit(X, y, weights).path_[0]
        assert isinstance(step, Step)
        assert [type(part) for part in step] == [str, float, int, str, tuple]


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"metric": "gain"}, "metric='gain'"),
        ({"metric": None}, "metric=None"),
        ({"metric": ["cig"]}, r"metric=\['cig'\]"),
        ({"stop_by": "never"}, "stop_by='never'"),
        ({"stop_by": True}, "stop_by=True"),
        ({"level": 0}, "level=0"),
        ({"level": 1.0}, "level=1.0"),
        ({"level": float("nan")}, "level=nan"),
        ({"level": "0.05"}, "level='0.05'"),
        ({"level": True}, "level=True"),
    ],
)
def test_options_without_a_meaning_are_refused(options, match):
    X, y = random_rows(0)
    for model in (InfoSelector(**options), InfoASClassifier(**options)):
        with pytest.raises(ValueError, match=match):
            model.fit(X, y)
    with pytest.raises(ValueError, match=match):
        InfoAS(**options).select(InfoSelector()._read(X, y).counts(1))
