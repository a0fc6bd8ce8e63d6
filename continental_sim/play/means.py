"""With what a study is played, when it may stop, who is told: nothing that changes an outcome."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

from continental_sim.backends import check_backend
from continental_sim.errors import ContsimError
from continental_sim.files.store import StoredStudy
from continental_sim.study import Study

Progress = Callable[[int, int], None]
Say = Callable[[str], None]
Busy = Callable[[str], AbstractContextManager[object]]


@dataclass(frozen=True)
class Means:
    """What a study is played with; it changes no outcome.

    Attributes
    ----------
    jobs : int or None
        Workers; one a core, or all that the cluster has, if None.
    backend : str
        One of `BACKENDS`.
    scheduler : str or None
        Address of the cluster for ``dask`` and ``ray``; one on this machine if None.
    deal_timeout : float or None
        Limit of a deal [seconds].
    max_time : float or None
        After which no further block is begun [seconds].
    """

    jobs: int | None = None
    backend: str = "loky"
    scheduler: str | None = None
    deal_timeout: float | None = None
    max_time: float | None = None

    def __post_init__(self) -> None:
        check_backend(self.backend, self.scheduler)
        if self.deal_timeout is not None and self.backend == "threading":
            raise ContsimError(
                "--deal-timeout needs processes, which can be killed, and the backend is "
                "threading: use --backend loky"
            )


class Stopping(Protocol):
    """When a study may stop before its last deal; `until.Until` is one."""

    def looks(self, study: Study) -> Sequence[int]:
        """Return after how many deals to look, ascending; the study's own number is the last."""
        ...

    def enough(self, stored: StoredStudy) -> bool:
        """Tell whether these deals are enough."""
        ...

    @property
    def needed(self) -> int | None:
        """Deals that will probably be enough, told by the last look."""
        ...

    @property
    def text(self) -> str:
        """What the last look has shown, without a full stop."""
        ...

    def table(self) -> dict[str, Any]:
        """Return what the manifest says of the rule."""
        ...


@dataclass(frozen=True)
class Watcher:
    """Who is told how a study goes.

    Attributes
    ----------
    progress : callable or None
        Called with (deals finished, deals wanted).
    say : callable
        Called with a sentence before something slow, and of what a user should know.
    busy : callable
        Called with what is being done that cannot tell how far it is; what it returns is open
        meanwhile.
    command : sequence of str
        What the user typed, for the manifest.
    """

    progress: Progress | None = None
    say: Say = lambda _: None
    busy: Busy = nullcontext
    command: Sequence[str] = ()
