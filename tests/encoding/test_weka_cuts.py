"""Cuts of real columns, some with holes, against WEKA 3.6.14's supervised Discretize filter.

make_weka_cuts.py asked it: its default is ``choices="rows"``, and -E is ``choices="values"``. It
prints six decimals.
"""

import json
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

from bayesgrove.encoding import MDLPDiscretizer
from tree_tables import is_nominal

ANSWERS = json.loads((Path(__file__).parent / "data" / "weka_cuts.json").read_text())


@pytest.mark.parametrize("choices", ["rows", "values"])
@pytest.mark.parametrize("name", ANSWERS)
def test_cuts_are_wekas(name, choices, any_dataset):
    X, y = any_dataset(name)
    numeric = X[[column for column in X if not is_nominal(X[column])]]
    found = MDLPDiscretizer(choices).fit(numeric, y).cut_points_
    for column, expected in zip(numeric, ANSWERS[name][choices], strict=True):
        assert len(found[column]) == len(expected), column
        assert_allclose(found[column], expected, rtol=0, atol=5.1e-7, err_msg=column)
