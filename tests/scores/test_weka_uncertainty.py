"""Symmetrical uncertainty with the class against WEKA 3.6.14's SymmetricalUncertAttributeEval.

make_weka_uncertainty.py asked it; where WEKA is installed, it is asked once more. It cuts numbers
as ``MDLPDiscretizer(count_by="values")``, and shares out missing values in proportion.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import weka
from bayesgrove.encoding import MDLPDiscretizer
from bayesgrove.scores.information import share_missing, symmetrical_uncertainty
from support import as_weka_reads

ANSWERS = json.loads((Path(__file__).parent / "data" / "weka_uncertainty.json").read_text())


def uncertainties(dataset):
    _, rows = as_weka_reads(*dataset, discretizer=MDLPDiscretizer("values"))
    found = []
    for codes, card in zip(rows.columns, rows.cards, strict=True):
        table = np.zeros((card + 1, rows.n_classes + 1))
        np.add.at(table, (codes, rows.target), 1)
        found.append(symmetrical_uncertainty(share_missing(table)))
    return found


@pytest.mark.parametrize("name", ANSWERS)
def test_uncertainties_are_wekas(name, any_dataset):
    assert_allclose(uncertainties(any_dataset(name)), ANSWERS[name], rtol=1e-9, atol=1e-12)


@weka.installed
def test_weka_itself_says_so(any_dataset):
    dataset = any_dataset("credit-g")
    with weka.arff_file(dataset) as path:
        answers = weka.attribute_weights(path, "SymmetricalUncertAttributeEval")
    assert_allclose(uncertainties(dataset), answers, rtol=1e-9, atol=1e-12)
