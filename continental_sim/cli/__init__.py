"""The command line: parse, call, print. One file a command; only these print or exit."""

from continental_sim.cli.entry import main

__all__ = ["main"]
