"""python3 -m paper: what scripts/paper starts once everything is installed and built."""

import argparse
import fcntl
import os
import shutil
import signal
import sys
from pathlib import Path

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # a cell has one core; cells run in parallel

from . import modes, plan, sets  # noqa: E402  (NumPy reads the variables when it is loaded)
from .cells import Store  # noqa: E402
from .measures import KINDS  # noqa: E402
from .programs import Failure, Tools, stop_all  # noqa: E402
from .run import clock, run_missing  # noqa: E402

HERE = Path(__file__).resolve().parent


def arguments():
    names = [*plan.FIGURES, *sets.BY_NAME]
    parser = argparse.ArgumentParser(
        prog="scripts/paper",
        description="Runs the paper's experiments and writes paper/README.md.",
        epilog="Estimated processor time: "
        + ", ".join(f"{m.name} {clock(sum(c.cost for c in plan.plan(m)))}" for m in (modes.QUICK, modes.FULL)),
    )
    parser.add_argument("--data", required=True, help="folder of the public data sets")
    parser.add_argument("--only", choices=names, metavar="FIGURE|SET", help=", ".join(names))
    parser.add_argument(
        "--seeds",
        type=int,
        metavar="N",
        help="seeds of everything random (1 with --quick; else 5, and 3 for the curves of MNIST, CIFAR and FOREST)",
    )
    parser.add_argument("--quick", action="store_true", help="few k, one seed, smaller subsamples for LIBSVM")
    parser.add_argument("--jobs", type=int, help="cells at a time (all cores)")
    for hidden in ("--cnm", "--scratch"):
        parser.add_argument(hidden, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--commit", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.seeds is not None and options.seeds < 1:
        parser.error("--seeds must be 1 or more")
    return options


def prepare(options, scratch):
    """Converts the sets, checks their sizes and returns the tools; raises Failure."""
    work = scratch / "work"
    shutil.rmtree(work, ignore_errors=True)  # left by a killed run
    work.mkdir(parents=True)
    tools = Tools(Path(options.cnm), scratch / "rows", work)
    for a_set in sets.SETS:
        sets.prepare(a_set, options.data, tools.prepared, tools.command)
        found = sets.sizes(tools.prepared, a_set)
        expected = {
            "rows_train": a_set.rows[0],
            "rows_test": a_set.rows[1],
            "columns": a_set.columns,
            "classes": a_set.classes,
        }
        if found != expected:
            raise Failure(f"{a_set.title}: the files have {found} and not {expected}")
    return tools


def main():
    options = arguments()
    lacking = sets.missing(options.data)
    if lacking:
        shown = ", ".join(lacking[:3]) + (" ..." if len(lacking) > 3 else "")
        print(
            f"paper: {options.data} lacks {shown}: name the folder of the public data sets by --data DIR or CNM_DATA",
            file=sys.stderr,
        )
        return 1
    scratch = Path(options.scratch)
    scratch.mkdir(parents=True, exist_ok=True)
    with open(scratch / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print("paper: another run is in progress", file=sys.stderr)
            return 1
        return run(options, scratch)


def run(options, scratch):
    tools = prepare(options, scratch)
    store = Store(HERE / "cells")
    store.sweep()
    mode = modes.with_seeds(modes.QUICK if options.quick else modes.FULL, options.seeds)
    parts = plan.identities(options.data, sets.digest(options.cnm))
    cells = plan.keyed(plan.plan(mode), parts)
    if options.only:
        cells = plan.only(cells, options.only)
    print(
        f"paper: {len(cells)} cells, about {clock(sum(c.cost for c in cells))} of one core if none is there",
        file=sys.stderr,
    )
    try:
        failures = run_missing(cells, store, lambda cell: KINDS[cell.kind](tools, cell.params), options.jobs)
    except KeyboardInterrupt:
        print("paper: stopped; what is finished stays, start again to go on", file=sys.stderr)
        os._exit(130)  # the programs of the threads have ended

    # Imported late: a missing matplotlib must not stop the measurements.
    from . import checks, claims, figures, page, results

    page_folder = scratch.parent / "paper" if options.quick else HERE
    folder = page_folder / "results"
    results.write(folder, store, parts, tools, options.commit, keep=options.only is not None)
    results.write_derived(folder)
    claims.write(folder)
    checks.write(folder)
    figures.draw_all(folder, page_folder / "figures")
    page.write(folder, page_folder / "README.md")
    for cell, error in failures:
        print(f"paper: failed: {cell.params}: {error}", file=sys.stderr)
    print(f"paper: {os.path.relpath(page_folder)}/README.md and its figures are written")
    return 1 if failures else 0


def stop(number, frame):
    stop_all()
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"paper: {failure}")
    except KeyboardInterrupt:
        sys.exit("paper: stopped; what is finished stays, start again to go on")
