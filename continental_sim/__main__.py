"""``python -m continental_sim`` is ``contsim``."""

import sys

from continental_sim.cli import main

# Worker processes import this module again, under another name.
if __name__ == "__main__":
    sys.exit(main())
