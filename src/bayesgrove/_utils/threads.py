"""Tasks over threads of Python, for kernels that let other threads run."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Job = TypeVar("Job")
Answer = TypeVar("Answer")


def map_in_threads(
    task: Callable[[Job], Answer], jobs: Iterable[Job], threads: int
) -> list[Answer]:
    """Return ``task(job)`` for all jobs in their order. The calling thread works too.

    Parameters
    ----------
    task : callable
        The task.
    jobs : iterable
        The jobs. They begin in this order.
    threads : int
        Largest number of threads.

    Returns
    -------
    list
        The answers.
    """
    todo = deque(enumerate(jobs))
    if threads <= 1 or len(todo) <= 1:
        return [task(job) for _, job in todo]
    answers: dict[int, Answer] = {}

    def work() -> None:
        while True:
            try:
                at, job = todo.popleft()
            except IndexError:
                return
            answers[at] = task(job)

    helpers = min(threads, len(todo)) - 1
    with ThreadPoolExecutor(helpers) as pool:
        futures = [pool.submit(work) for _ in range(helpers)]
        try:
            work()
        finally:
            todo.clear()  # After an error, nothing new begins.
            for future in futures:
                future.result()
    return [answers[at] for at in sorted(answers)]
