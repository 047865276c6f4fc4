"""Pictures: every kind can be saved, and shows what was measured."""

import io

import numpy as np
import pytest

from bayesgrove.evaluation import Comparison
from bayesgrove.evaluation.plots import PLOTS, groups
from bayesgrove.evaluation.results import Result

pytest.importorskip("matplotlib")

MODELS = ("a", "b", "c")
DATASETS = ("one", "two", "three", "four")


def comparison(failing=(), datasets=DATASETS, models=MODELS):
    rng = np.random.default_rng(3)
    pieces = []
    for d in datasets:
        for shift, m in enumerate(models):
            for train in (20, 40):
                for repeat in (1, 2, 3):
                    own = (d, m, f"{train} {repeat}", repeat, train, 10)
                    if (d, m) in failing:
                        pieces.append(Result(*own, failure="ValueError: no"))
                        continue
                    value = 0.6 + 0.1 * shift + 0.01 * rng.random()
                    values = {"accuracy": value, "fit_seconds": 0.1, "predict_seconds": 0.01}
                    pieces.append(Result(*own, values))
    return Comparison(pieces, {"models": dict.fromkeys(models), "data": dict.fromkeys(datasets)})


def png(figure):
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


@pytest.mark.parametrize("kind", PLOTS)
@pytest.mark.parametrize("failing", [(), [("one", "b")]], ids=["complete", "one failed"])
def test_every_kind_is_a_picture(kind, failing):
    figure = comparison(failing).plot(kind)
    assert png(figure).startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize("kind", sorted(set(PLOTS) - {"critical difference"}))
def test_one_model_on_one_data_set_is_a_picture_too(kind):
    assert png(comparison(datasets=("one",), models=("a",)).plot(kind))


@pytest.mark.parametrize("kind", PLOTS)
def test_names_are_no_formulas(kind):
    odd = r"$\no^{formula$"
    assert png(comparison(datasets=("one", odd), models=("a", odd)).plot(kind))


def test_boxes_and_curves_show_the_data_sets():
    for kind in ("box", "learning curve"):
        figure = comparison().plot(kind)
        titles = [axis.get_title() for axis in figure.axes if axis.axison]
        assert titles == list(DATASETS)


def test_a_learning_curve_goes_through_the_means():
    own = comparison()
    figure = own.plot("learning curve")
    line = figure.axes[0].containers[0].lines[0]
    values = own.values("accuracy", "one", "a")
    assert line.get_xdata().tolist() == [20, 40]
    assert line.get_ydata().tolist() == pytest.approx([values[:3].mean(), values[3:].mean()])


def test_ranks_are_named():
    texts = {text.get_text() for text in comparison().plot("critical difference").axes[0].texts}
    assert texts == {"a (3.00)", "b (2.00)", "c (1.00)"}


def test_ranks_need_two_data_sets():
    with pytest.raises(ValueError, match="at least two"):
        comparison(datasets=("one",)).plot("critical difference")


@pytest.mark.parametrize(
    ("ranks", "width", "expected"),
    [
        ([1.0, 2.0, 3.0], 0.5, []),
        ([1.0, 2.0, 3.0], 1.0, [(1.0, 2.0), (2.0, 3.0)]),
        ([1.0, 2.0, 3.0], 2.5, [(1.0, 3.0)]),
        ([1.0, 1.4, 2.0, 3.5], 1.0, [(1.0, 2.0)]),  # 1.4-2.0 is part of it
        ([1.0, 1.4, 2.0, 2.3], 1.0, [(1.0, 2.0), (1.4, 2.3)]),
        ([1.5, 1.5, 3.0], 0.5, [(1.5, 1.5)]),  # equal ranks are two models
    ],
)
def test_groups_by_hand(ranks, width, expected):
    assert groups(np.array(ranks), width) == expected


def test_unknown_kinds_and_metrics_are_refused():
    with pytest.raises(ValueError, match="kind='pie' must be"):
        comparison().plot("pie")
    with pytest.raises(ValueError, match="metric='auc' must be"):
        comparison().plot("box", "auc")
