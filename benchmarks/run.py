"""Run the benchmarks as a script: `python benchmarks/run.py [--full] [names...]`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # Benchmarks are imported as a package, not as single modules of this folder.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    from benchmarks.__main__ import main

    sys.exit(main())
