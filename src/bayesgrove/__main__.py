"""``python -m bayesgrove`` runs the command line."""

from bayesgrove.cli import main

main()
