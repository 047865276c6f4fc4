"""Rows of conditional tables that are looked up by number."""

import numpy as np
import pytest

from bayesgrove.counts import Configurations, Family
from bayesgrove.encoding import code_type
from bayesgrove.network import tables as tables_module
from bayesgrove.network.tables import ConditionalTable


@pytest.mark.parametrize("direct", [True, False])
@pytest.mark.parametrize("cards", [(5, 3, 4), (1, 300), (2, 1, 2)])
def test_rows_of_observed_missing_and_other_configurations(cards, direct, monkeypatch):
    """Numbers of the observed ones in their order, then the default, then a missing parent."""
    if not direct:
        monkeypatch.setattr(tables_module, "DIRECT_ROWS", -1)
    rng = np.random.default_rng(len(cards))
    observed = np.unique(rng.integers(0, cards, (8, len(cards))), axis=0)
    number = {tuple(row): k for k, row in enumerate(observed.tolist())}
    cells = rng.dirichlet([1.0, 1.0], (len(observed) + 1, 3))
    family = Family(0, tuple(range(1, len(cards) + 1)), given_class=True)
    table = ConditionalTable(family, Configurations.observed(observed, cards), cells)
    codes = rng.integers(0, np.array(cards) + 1, (500, len(cards)))
    codes[:100] = observed[rng.integers(0, len(observed), 100)]
    columns = [codes[:, k].astype(code_type(card)) for k, card in enumerate(cards)]
    expected = []
    for row in codes.tolist():
        known = [0 if card == 1 else code for code, card in zip(row, cards, strict=True)]
        missing = any(code == card for code, card in zip(known, cards, strict=True))
        other = len(observed) + 1 if missing else len(observed)
        expected.append(number.get(tuple(known), other))
    assert table.rows(columns, 500).tolist() == expected
    assert len(set(expected)) > 3 or max(cards) == 2
