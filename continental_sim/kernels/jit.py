"""How a kernel is compiled and where the machine code is kept.

Every compiled function goes through `kernel` (ours) or `author` (a strategy file's), so that
flags, cache and names are decided once. With ``NUMBA_DISABLE_JIT=1`` both return the plain Python
function.
"""

import hashlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba.core import config

from continental_sim.kernels.memory import register

COMPILED = not config.DISABLE_JIT

_SOURCES = Path(__file__).parent
_KEPT = ("kernels/*.py", "columns/*.py", "api/*.py", "cards.py")  # what compiled code is made of


@cache
def code_hash() -> str:
    """Name the state of the kernels' sources, numba and Python: 16 hexadecimal digits.

    Numba notices an edited function but neither an edited callee nor an edited constant in another
    file, so the cache directory carries this name and a stale caller cannot be met.
    """
    digest = hashlib.sha256(f"numba {numba.__version__}".encode())
    for path in sorted(path for kept in _KEPT for path in _SOURCES.parent.glob(kept)):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_root() -> Path:
    """Find the directory for tables and machine code.

    ``CONTSIM_CACHE`` if it is set, else the user's cache, else one of this user's alone among the
    temporary files: code from a directory that others may write to is never run.
    """
    for candidate in _candidates():
        try:
            candidate.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryFile(dir=candidate):
                return candidate.resolve()
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="contsim-"))


def _candidates() -> Iterator[Path]:
    if wanted := os.environ.get("CONTSIM_CACHE"):
        yield Path(wanted)
    with suppress(RuntimeError):  # there is no home directory
        yield Path(platformdirs.user_cache_dir("contsim", appauthor=False))
    if hasattr(os, "getuid"):
        private = Path(tempfile.gettempdir()) / f"contsim-{os.getuid()}"
        with suppress(OSError):
            private.mkdir(mode=0o700, exist_ok=True)
            found = private.lstat()
            mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
            if mine and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                yield private


def code_directory() -> Path:
    """Return the directory of the machine code of these sources, made if missing."""
    directory = cache_root() / f"code-{code_hash()}"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


@contextmanager
def _cached_in(directory: Path) -> Iterator[None]:
    """Let numba keep what is decorated inside in a directory (it looks when it decorates)."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(directory)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Any:
    """Compile one of our own functions: no bounds checks, no GIL, cached on disk."""
    with _cached_in(code_directory()):
        return numba.njit(nogil=True, cache=True, error_model="numpy")(function)


def author(function: Callable[..., Any]) -> Any:
    """Compile a function of a strategy file: bounds checked, no GIL; the entry is cached."""
    return numba.njit(nogil=True, boundscheck=True)(function)


def entry(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile, at once and cached, one of our own functions that is called by its address.

    What calls it need not be compiled with it: most rules never need it.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        with _cached_in(code_directory()):
            return numba.njit(signature, nogil=True, cache=True, error_model="numpy")(function)

    return decorate


def entry_address(function: Any) -> int:
    """Return the address at which compiled code calls an entry point."""
    if not COMPILED:
        return register(id(function), function)
    compiled = next(iter(function.overloads.values()))
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def author_entry(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile, at once and cached, the function through which the engine calls a strategy."""

    def decorate(function: Callable[..., Any]) -> Any:
        with _cached_in(code_directory()):
            return numba.njit(signature, nogil=True, boundscheck=True, cache=True)(function)

    return decorate
