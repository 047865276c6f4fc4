"""The comparison with other packages: its sets, rules, tables and claims."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from bayesgrove import GroveClassifier, NaiveBayesClassifier, TANClassifier
from bayesgrove.cli import app
from bayesgrove.datasets import data_folder
from bayesgrove.evaluation import Comparison, Outcome
from bayesgrove.evaluation.results import Result
from bayesgrove.reproduce import PAPERS, find_paper, reproduce
from bayesgrove.reproduce.papers import modern
from bayesgrove.reproduce.peers import PACKAGES
from bayesgrove.reproduce.views.standings import (
    Column,
    Complete,
    Contest,
    Contests,
    SetBySet,
    Standings,
    over_sets,
)

LOSS = Column("loss", "loss")
SETS = ("one", "two", "three", "four", "five", "six", "seven")
LOSSES = {
    "good": [0.10, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70],
    "bad": [0.25, 0.29, 0.38, 0.47, 0.56, 0.65, 0.74],
    "odd": [0.05, 0.50, 0.10, 0.60, 0.20, 0.70, 0.30],
}

needs_data = pytest.mark.skipif(data_folder() is None, reason="BAYESGROVE_DATA is not set")


def comparison(losses=LOSSES, splits=2, without=(), failed=()):
    """Results whose mean over two splits is the loss that is given."""
    results = []
    for method, values in losses.items():
        for name, value in zip(SETS, values, strict=True):
            for split in range(splits):
                key = (name, method, f"fold {split}", 1, 5, 5)
                if (name, method, split) in failed:
                    results.append(Result(*key, failure="It broke."))
                elif (name, method, split) not in without:
                    results.append(Result(*key, {"loss": value + 0.01 * (2 * split - 1)}))
    return Comparison(results, {"models": dict.fromkeys(losses), "data": dict.fromkeys(SETS)})


def experiments(losses=LOSSES):
    return tuple(replace(modern.OURS[0], methods={name: NaiveBayesClassifier()}) for name in losses)


def standings(**options):
    common = {"number": "1", "title": "All", "experiments": experiments(), "datasets": SETS}
    return Standings(**(common | {"shown": (LOSS,)} | options))


def test_means_and_ranks_of_a_table_by_hand():
    text = standings().text(comparison())
    assert text.title == "All (7 sets)"
    assert text.header == ["method", "loss", "rank"]
    # Ranks of good: 2 1 2 1 2 1 2; of odd: 1 3 1 3 1 3 1.
    assert text.rows == [
        ["odd", "0.350", f"{13 / 7:.2f}"],
        ["good", "0.400", f"{11 / 7:.2f}"],
        ["bad", "0.477", f"{18 / 7:.2f}"],
    ]
    ranks = [[2, 3, 1], [1, 2, 3]] * 3 + [[2, 3, 1]]
    chi2 = stats.friedmanchisquare(*np.array(ranks).T).statistic
    f = 6 * chi2 / (14 - chi2)
    assert f"p = {stats.f.sf(f, 2, 12):.2g}" in text.notes[1]


def test_sets_that_are_not_complete_do_not_count():
    results = comparison(without={("two", "bad", 1)}, failed={("four", "odd", 0)})
    complete = Complete.of(results, list(LOSSES), SETS)
    assert complete.results.datasets == ["one", "three", "five", "six", "seven"]
    assert complete.left_out == ["two: bad not finished", "four: odd failed (It broke)"]
    text = standings().text(results)
    assert text.title == "All (5 sets)"
    assert "Left out: two: bad not finished. four: odd failed (It broke)." in text.notes
    several = comparison(without={("two", "bad", 1), ("five", "bad", 0)})
    assert Complete.of(several, list(LOSSES), SETS).left_out == ["two, five: bad not finished"]
    # The first split of "two" is complete, and the second split of "four" does not count.
    first = Complete.of(results, list(LOSSES), SETS, splits=1)
    assert first.left_out == ["four: odd failed (It broke)"]


def test_a_method_without_results_is_named():
    results = comparison({name: LOSSES[name] for name in ("good", "bad")})
    text = standings().text(results)
    assert [row[0] for row in text.rows] == ["good", "bad"]
    assert "Without results: odd." in text.notes
    assert standings().text(comparison({})).rows == []
    alone = standings().text(comparison({"good": LOSSES["good"]}))
    assert alone.rows == [["good", "0.400", "-"]]


def signed_rank_p(differences):
    """The two-sided p-value, from all signs."""
    ranks = stats.rankdata(np.abs(differences))
    total = ranks.sum()

    def smaller(signs):
        up = (ranks * (np.array(signs) > 0)).sum()
        return min(up, total - up)

    ours = smaller(np.sign(differences))
    draws = list(itertools.product((-1, 1), repeat=len(ranks)))
    return np.mean([smaller(signs) <= ours + 1e-9 for signs in draws])


def test_contests_by_brute_force():
    one = Contest.between(comparison(), LOSS, "good", "bad")
    assert (one.better, one.worse, one.sets) == (7, 0, 7)
    assert one.difference == pytest.approx(-0.54 / 7)
    assert one.p_value == pytest.approx(2 / 2**7)
    other = Contest.between(comparison(), LOSS, "good", "odd")
    assert (other.better, other.worse) == (3, 4)
    gaps = np.round(np.subtract(LOSSES["good"], LOSSES["odd"]), 9)
    assert other.p_value == pytest.approx(signed_rank_p(gaps))


def test_higher_areas_are_better():
    results = comparison()
    for result in results.results:
        result.values["auc"] = result.values["loss"]
    one = Contest.between(results, Column("auc", "AUC"), "good", "bad")
    assert (one.better, one.worse) == (0, 7)


def test_p_values_are_corrected_by_holm():
    table = Contests(
        number="3",
        title="c",
        experiments=experiments(),
        datasets=SETS,
        bases=("good",),
        column=LOSS,
    )
    rows = table.text(comparison()).rows
    assert [row[:6] for row in rows] == [
        ["good", "bad", "7", "-0.077", "7", "0"],
        ["good", "odd", "7", "+0.050", "3", "4"],
    ]
    gaps = np.round(np.subtract(LOSSES["good"], LOSSES["odd"]), 9)
    assert rows[0][6] == f"{2 * 2 / 2**7:.2g}"  # the smaller of two p-values is doubled
    assert rows[1][6] == f"{signed_rank_p(gaps):.2g}"


@pytest.mark.parametrize(
    ("first", "second", "relation", "holds"),
    [
        ("good", "bad", "better", "yes"),
        ("bad", "good", "better", "no"),
        ("bad", "good", "not worse", "no"),
        ("good", "odd", "better", "no"),
        ("odd", "good", "better", "no"),  # better on more sets, but not significantly
        ("good", "odd", "not worse", "yes"),
    ],
)
def test_claims_over_sets(first, second, relation, holds):
    (evidence,) = over_sets(first, second, LOSS, relation, SETS)(comparison())
    assert evidence.holds == holds
    assert evidence.dataset == "7 sets"


def test_a_claim_without_results_is_not_decided():
    (evidence,) = over_sets("good", "new", LOSS, "better", SETS)(comparison())
    assert evidence.holds == "FAILED"


def test_set_by_set():
    table = SetBySet(number="s", title="s", experiments=experiments(), datasets=SETS, column=LOSS)
    none = {("two", "bad", split) for split in range(2)}
    rows = table.text(comparison(without=none, failed={("four", "odd", 1)})).rows
    assert rows[0] == ["one", "0.100", "0.250", "0.050"]
    assert rows[1] == ["two", "0.200", "-", "0.500"]
    assert rows[3] == ["four", "0.400", "0.470", "FAILED"]


def test_the_log_loss_is_clipped_at_one_millionth():
    p = np.array([[0.0, 1.0], [0.25, 0.75], [1e-9, 1 - 1e-9]])
    outcome = Outcome(np.array([0, 0, 0]), np.array([1, 1, 1]), p, np.array([2.0, 2.0]))
    expected = -(math.log(1e-6) * 2 + math.log(0.25)) / 3
    assert modern.clipped(outcome)["clipped_log_loss"] == pytest.approx(expected)


@needs_data
def test_the_sets_are_those_of_the_catalogue():
    catalogue = json.loads((data_folder() / "catalog.json").read_text())["datasets"]
    entries = {entry["name"]: entry for entry in catalogue}
    assert set(entries) == set(modern.ROWS) | set(modern.OMITTED)
    for name, rows in modern.ROWS.items():
        assert rows == (modern.SAMPLE if name == "covtype" else entries[name]["n_rows"])
    assert list(modern.ROWS.values()) == sorted(modern.ROWS.values())
    nominal = [name for name in modern.COUNTED if entries[name]["n_numeric"] == 0]
    assert list(modern.NOMINAL) == nominal
    for name in ("reuterscorn", "reutersgrain"):
        assert entries[name]["n_text"] == entries[name]["n_attributes"] == 1
    assert entries["cpu-performance"]["class_kind"] == "numeric"


@needs_data
@pytest.mark.parametrize(("copy", "name"), [("wdbc-id", "wdbc"), ("splice-61", "splice")])
def test_omitted_sets_are_another_set_without_identifier(copy, name):
    from bayesgrove import load_dataset

    X, y = load_dataset(name, source="folder")
    data = load_dataset(copy, source="folder")
    again = data.X.drop(columns=list(data.info.identifiers))

    def rows(X, y):
        return sorted(map(tuple, np.column_stack([X.astype(str).to_numpy(), y.astype(str)])))

    assert rows(again, data.y) == rows(X, y)


@needs_data
def test_splits_are_two_folds_and_one_repeat_above_5000_rows():
    _, y = modern.load("labor")
    splits = modern.protocol("labor").splits(y)
    assert len(splits) == 10
    _, y = modern.load("ann-thyroid")
    assert [one.name for one in modern.protocol("ann-thyroid").splits(y)] == [
        "repeat 1, fold 1",
        "repeat 1, fold 2",
    ]


def test_every_method_has_an_experiment_of_its_own():
    everyone = (*modern.OURS, *modern.FAST, *modern.ONCE)
    assert len({one.name for one in everyone}) == len(everyone)
    assert all(len(one.methods) == 1 for one in everyone)
    assert all(table.choices == modern.RULES for table in modern.TABLES if table.on_request)
    cells = [(name, *one.methods) for one in everyone for name in one.data]
    assert len(cells) == len(set(cells))


def test_a_package_that_is_not_installed_is_left_out_and_named(monkeypatch):
    import importlib

    absent = replace(PACKAGES["LightGBM"], name="no-such-package")
    monkeypatch.setitem(PACKAGES, "LightGBM", absent)
    try:
        again = importlib.reload(modern)
        assert "lightgbm" not in {one.name for one in again.FAST}
        (note,) = (one for one in again.RULES if one.startswith("NOT RUN: LightGBM"))
        assert "no-such-package is not installed" in note
        monkeypatch.setitem(PACKAGES, "XGBoost", replace(absent, module="none"))
        without = importlib.reload(modern).CLAIMS
        assert len(without) == 7
        assert without[-2].verdict_on(6, comparison()).outcome == "not decided"
    finally:
        monkeypatch.undo()
        importlib.reload(modern)


@needs_data
def test_the_command_runs_and_resumes_and_keeps_failures(tmp_path, monkeypatch):
    class Broken(TANClassifier):
        fits = 0

        def fit(self, X, y, sample_weight=None):
            type(self).fits += 1
            raise ValueError("It broke.")

    sets = ("labor", "zoo", "corral")
    models = {"Grove": GroveClassifier(n_members=8), "NB": NaiveBayesClassifier(), "TAN": Broken()}
    runs = tuple(modern.experiment(name, model, sets) for name, model in models.items())
    late = modern.experiment("KDB", TANClassifier(), ("sonar",))  # not in a quick run
    tables = (
        Standings(
            number="1",
            title="All",
            experiments=runs[:2],
            datasets=sets,
            shown=modern.SHOWN,
        ),
        SetBySet(
            number="sets",
            title="s",
            experiments=(*runs, late),
            datasets=(*sets, "sonar"),
            column=modern.LOG_LOSS,
        ),
    )
    paper = replace(find_paper("modern"), tables=tables, claims=())
    monkeypatch.setitem(PAPERS, "modern", lambda: paper)
    call = ["reproduce", "modern", "--folder", str(tmp_path), "-j", "1", "--quick"]
    done = CliRunner().invoke(app, call)
    assert done.exit_code == 5  # some cells failed
    assert "All (2 sets)" in done.stdout
    assert Broken.fits == 4
    again = CliRunner().invoke(app, [*call, "--resume"])
    assert again.stdout == done.stdout
    assert Broken.fits == 4
    stored = runs[1].stored(tmp_path)
    ran = reproduce("modern", quick=True)
    for name in sets[:2]:
        values = stored.values("clipped_log_loss", name, "NB")
        np.testing.assert_array_equal(values, ran.results.values("clipped_log_loss", name, "NB"))
    assert (stored.values("fit_cpu_seconds", "zoo", "NB") > 0).all()


@needs_data
def test_the_page_shows_what_the_folder_has_and_runs_nothing(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    import make_modern

    (tmp_path / "images").mkdir()
    page = tmp_path / "modern.md"
    page.write_text(f"Words.\n\n{make_modern.MARK}\n\nOld results.\n")
    monkeypatch.setattr(make_modern, "DOCS", tmp_path)
    monkeypatch.setattr(make_modern, "PAGE", page)
    runs = {name: one for one in modern.OURS for name in one.methods}
    for name in ("Naive Bayes", "TAN"):
        runs[name].first().run(tmp_path / "run", n_jobs=1)
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    make_modern.main(str(tmp_path / "run"))
    assert before == {path: path.read_bytes() for path in before}
    text = page.read_text()
    assert text.startswith(f"Words.\n\n{make_modern.MARK}\n\nWritten on ")
    assert "Old results" not in text
    assert "| Naive Bayes | 2 of 61 | 4 | 0 | `NaiveBayesClassifier(alpha=1.0, " in text
    assert "| Grove | 0 of 61 | 0 | 0 | `-` |" in text
    assert "**All sets (2 sets)**" in text
    assert "(1) NOT DECIDED: " in text
    images = sorted(path.name for path in (tmp_path / "images").iterdir())
    assert len(images) == 6
    (tmp_path / "run" / "naive-bayes").rename(tmp_path / "run" / "no-such-package")
    with pytest.raises(SystemExit, match="no place: no-such-package"):
        make_modern.main(str(tmp_path / "run"))
    assert all(f"](../images/{name})" in text for name in images)
