"""Runs missing cells: the longest first, as many at a time as cores and memory allow.

Standard library only. A failed cell is reported and the others continue; the caller gets the
failures.
"""

import os
import sys
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait


def available_memory():
    """Returns the available GiB; a guess on systems without /proc/meminfo."""
    try:
        with open("/proc/meminfo") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) / 2**20
    except OSError:
        pass
    return 4.0


def clock(seconds):
    seconds = int(seconds)
    if seconds < 90:
        return f"{seconds} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class Progress:
    """Prints progress and the time left: estimated costs, corrected by measured ones."""

    def __init__(self, total, cost, workers, out=sys.stderr):
        self.total, self.cost, self.workers, self.out = total, cost, workers, out
        self.count, self.done_cost, self.spent = 0, 0.0, 0.0
        self.start = time.monotonic()

    def finished(self, cell, seconds, label):
        self.count += 1
        self.done_cost += cell.cost
        self.spent += seconds
        left = (self.cost - self.done_cost) * self.spent / max(self.done_cost, 1e-9) / self.workers
        print(
            f"[{self.count}/{self.total}] {label}: {seconds:.1f} s; about {clock(left)} left", file=self.out, flush=True
        )


def describe(cell):
    p = cell.params
    words = [cell.kind, p.get("set", ""), p.get("method", ""), p.get("recipe", ""), p.get("projection", "")]
    words += [f"{name}={p[name]}" for name in ("k", "gamma", "seed") if name in p]
    return " ".join(w for w in words if w)


def run_missing(cells, store, measure, workers=None, out=sys.stderr):
    """Runs measure(cell) -> results for each cell that STORE lacks; returns [(cell, exception)] of
    the failed."""
    missing = {}
    for cell in cells:
        if store.get(cell) is None:
            missing.setdefault(cell.key(), cell)
    queue = sorted(missing.values(), key=lambda c: -c.cost)
    if not queue:
        print("all cells are there", file=out)
        return []
    workers = workers or len(
        os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    )
    memory = available_memory() * 0.8
    progress = Progress(len(queue), sum(c.cost for c in queue), workers, out)
    print(f"{len(queue)} cells to run, {workers} at a time", file=out, flush=True)
    failures, lock = [], threading.Lock()

    def one(cell):
        start = time.monotonic()
        try:
            store.put(cell, measure(cell))
        except Exception as error:  # reported by the caller, with the cell that it belongs to
            with lock:
                failures.append((cell, error))
                print(f"FAILED: {describe(cell)}: {error}", file=out, flush=True)
        with lock:
            progress.finished(cell, time.monotonic() - start, describe(cell))
        return cell

    with ThreadPoolExecutor(workers) as pool:
        schedule(queue, pool, workers, memory, one)
    return failures


def schedule(queue, pool, workers, memory, one):
    """Keeps WORKERS cells running while their memory fits; one that never fits runs alone."""
    running, used = {}, 0.0
    while queue or running:
        while queue and len(running) < workers:
            fitting = next((c for c in queue if used + c.memory <= memory), None if running else queue[0])
            if fitting is None:
                break
            queue.remove(fitting)
            used += fitting.memory
            running[pool.submit(one, fitting)] = fitting
        for done in wait(running, return_when=FIRST_COMPLETED).done:
            used -= running.pop(done).memory
