"""What all kinds of workers share: tasks go out as there is room, results come as they finish."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

from continental_sim.interrupts import raise_held

T = TypeVar("T")

HEARD_AFTER: Final = 0.2  # [seconds] of a wait for results, after which a signal is heard
LOOK_EVERY: Final = 1.0  # [seconds] without a result after which the workers are looked at


class Workers(Protocol):
    """Whoever plays the tasks of a study."""

    def start(self, function: Callable[..., Any]) -> None:
        """Begin to start, if that takes a while: the first tasks, of a function, come later."""
        ...

    def count(self) -> int:
        """Return how many tasks are played at a time; it may change."""
        ...

    def results(
        self, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]]
    ) -> Generator[T, None, None]:
        """Yield what a function returns for each task, in the order in which they finish.

        Tasks are taken as there is room: at most two for each worker are on their way. To close
        the generator early, or an error, cancels those.

        Parameters
        ----------
        function : callable
            Importable by its name.
        tasks : iterable of tuple
            Its arguments.

        Raises
        ------
        WorkerDied
            If a worker died and its task with it. What had finished before was yielded. Called
            again, the method starts new workers, and may be given the tasks that are missing.
        StudyFailed
            If there are no workers any more and none will come.
        Exception
            What the function raises.
        """
        ...


class Here:
    """No workers: tasks are played in this process, each when its result is asked for."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def start(self, function: Callable[..., Any]) -> None:
        """See `Workers`."""

    def count(self) -> int:
        """See `Workers`."""
        return 1

    def results(
        self, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]]
    ) -> Generator[T, None, None]:
        """See `Workers`."""
        for task in tasks:
            yield function(*task)


class FutureWorkers(ABC):
    """Workers that answer with futures; a context manager, at whose end they end."""

    _open = 0  # generators whose results are not all fetched

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end(at_once=kind is not None or self._open > 0)

    def start(self, function: Callable[..., Any]) -> None:  # noqa: B027 - most start at once
        """See `Workers`."""

    @abstractmethod
    def count(self) -> int:
        """See `Workers`."""

    @abstractmethod
    def submit(self, function: Callable[..., Any], task: tuple[Any, ...]) -> Future[Any]:
        """Send a task on its way."""

    @abstractmethod
    def drop(self, futures: Sequence[Future[Any]]) -> None:
        """Give up tasks whose results nobody wants; harmless after the end."""

    @abstractmethod
    def end(self, *, at_once: bool) -> None:
        """End the workers, in the middle of their tasks if need be."""

    def failure(self, error: BaseException) -> BaseException:
        """Return what to raise for an error of a future."""
        return error

    def look(self) -> None:  # noqa: B027 - most have nothing to see
        """See, each second without a result, whether one will ever come; raise an error if not."""

    def results(
        self, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]]
    ) -> Generator[T, None, None]:
        """See `Workers`."""
        ahead = iter(tasks)
        playing: set[Future[Any]] = set()
        played: deque[Future[Any]] = deque()
        quiet = 0.0  # [seconds] since the last result
        self._open += 1
        try:
            while True:
                room = 2 * self.count() - len(playing) - len(played)
                playing.update(self.submit(function, task) for task in islice(ahead, max(room, 0)))
                if played:
                    yield self._result(played.popleft())
                elif playing:
                    done, playing = wait(playing, HEARD_AFTER, FIRST_COMPLETED)
                    # A failure ends it all: what finished at the same time comes first.
                    played.extend(sorted(done, key=_failed))
                    if not done:
                        raise_held()
                    quiet = 0.0 if done else quiet + HEARD_AFTER
                    if quiet >= LOOK_EVERY:
                        quiet = 0.0
                        self.look()
                else:
                    break
        finally:
            self._open -= 1
            left = [*playing, *played]
            if left:
                self.drop(left)

    def _result(self, future: Future[Any]) -> Any:
        try:
            return future.result()
        except BaseException as error:
            other = self.failure(error)
            if other is error:
                raise
            raise other from None


def _failed(future: Future[Any]) -> bool:
    return future.cancelled() or future.exception() is not None
