"""Cuts of real columns, some with holes, against WEKA 3.6.14's supervised Discretize filter.

make_weka_cuts.py asked it; where WEKA is installed, it is asked once more. Its default is
``count_by="rows"``, and -E is ``count_by="values"``. It prints six decimals.
"""

import json
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

import weka
from bayesgrove.encoding import MDLPDiscretizer
from tree_tables import is_nominal

ANSWERS = json.loads((Path(__file__).parent / "data" / "weka_cuts.json").read_text())


def check(dataset, choices, answers):
    X, y = dataset
    numeric = X[[column for column in X if not is_nominal(X[column])]]
    found = MDLPDiscretizer(choices).fit(numeric, y).cut_points_
    for column, expected in zip(numeric, answers, strict=True):
        assert len(found[column]) == len(expected), column
        assert_allclose(found[column], expected, rtol=0, atol=5.1e-7, err_msg=column)


@pytest.mark.parametrize("choices", ["rows", "values"])
@pytest.mark.parametrize("name", ANSWERS)
def test_cuts_are_wekas(name, choices, any_dataset):
    check(any_dataset(name), choices, ANSWERS[name][choices])


@weka.installed
@pytest.mark.parametrize(("choices", "options"), [("rows", []), ("values", ["-E"])])
def test_weka_itself_cuts_so(choices, options, any_dataset):
    dataset = any_dataset("credit-g")
    check(dataset, choices, weka.cuts(dataset, options))
