"""What all tests rely on."""

import signal

# A process that a script starts in the background inherits that Ctrl-C is ignored; Python then
# leaves it so, and the tests that interrupt a study would interrupt nothing.
signal.signal(signal.SIGINT, signal.default_int_handler)
