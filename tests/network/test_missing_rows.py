"""Rows with missing values, together and one by one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bayesgrove import KDBClassifier, TANClassifier
from bayesgrove._utils import memory as memory_module
from bayesgrove.encoding import Encoded, MemoryLimitError
from bayesgrove.kernels import kernels, numpy_kernels
from bayesgrove.network import sum_out_missing as missing_module

pytestmark = pytest.mark.skipif(
    kernels is numpy_kernels, reason="without native kernels rows are always taken together"
)


@pytest.fixture(params=[TANClassifier(), KDBClassifier(k=3)], ids=["tan", "kdb"])
def network(request):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (200, 9)), rng.integers(0, 3, 200)
    return request.param.fit(X, y).network_


def draw_rows(rows):
    rng = np.random.default_rng(1)
    codes = np.where(rng.random((9, rows)) < 0.4, 3, rng.integers(0, 3, (9, rows)))
    return Encoded(list(codes.astype(np.uint8)), [3] * 9, rows)


def fresh(network):
    """The network without what it has compiled."""
    make, arguments = network.__reduce__()
    return make(*arguments)


def test_rows_summed_out_together_and_one_by_one_agree(network, monkeypatch):
    encoded = draw_rows(300)
    answers = []
    for few in (0, 1000):
        monkeypatch.setattr(missing_module, "FEW_ROWS", few)
        answers.append(fresh(network).log_joint(encoded))
    assert_allclose(*answers, rtol=1e-13)


def test_memory_is_asked_for_before_many_cells_are_taken(network, monkeypatch):
    encoded = draw_rows(300)
    monkeypatch.setattr(missing_module, "FEW_ROWS", 1000)
    expected = fresh(network).log_joint(encoded)
    monkeypatch.setattr(missing_module, "FREE_CELLS", 2)
    assert_allclose(fresh(network).log_joint(encoded), expected, rtol=0)
    monkeypatch.setattr(memory_module, "SMALL", 0)
    monkeypatch.setattr(memory_module, "available_memory", lambda: 8)
    with pytest.raises(MemoryLimitError, match="fewer missing values"):
        fresh(network).log_joint(encoded)
