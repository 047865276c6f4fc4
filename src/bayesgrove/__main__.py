"""``python -m bayesgrove`` is the command."""

from bayesgrove.cli import main

main()
