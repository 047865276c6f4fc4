"""Tasks over threads: answers in order, and errors."""

import threading

import pytest

from bayesgrove._utils.threads import map_in_threads


@pytest.mark.parametrize("threads", [0, 1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 3, 40])
def test_answers_are_in_the_order_of_the_jobs(threads, count):
    assert map_in_threads(lambda job: job**2, range(count), threads) == [j**2 for j in range(count)]


def test_the_calling_thread_works_too():
    meeting = threading.Barrier(2, timeout=10)

    def name(_):
        meeting.wait()  # Both jobs are under way at the same time.
        return threading.current_thread()

    assert threading.main_thread() in map_in_threads(name, range(2), 2)


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_ends_the_work(threads):
    begun = []

    def task(job):
        begun.append(job)
        raise ValueError(f"job {job}")

    with pytest.raises(ValueError, match="job"):
        map_in_threads(task, range(1000), threads)
    assert len(begun) < 1000
