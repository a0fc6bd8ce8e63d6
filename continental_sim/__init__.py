"""Monte Carlo simulator for Continental Rummy."""

__version__ = "0.1.0"
