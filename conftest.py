"""Where the tests find the data sets that do not ship: ``BAYESGROVE_DATA``, else ../shared/data."""

import os
from pathlib import Path

DATA = Path(__file__).parents[1] / "shared" / "data"

if DATA.is_dir():
    os.environ.setdefault("BAYESGROVE_DATA", str(DATA))
