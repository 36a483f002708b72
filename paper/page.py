"""Writes README.md from results/*.csv: claims with verdicts, figures, tables, deviations. No number is typed in."""

from pathlib import Path

from .page_tables import (
    activations,
    costs,
    limit,
    machines,
    penalties,
    second_table,
    smallest,
    table,
    table2_note,
    whole,
)
from .results import read
from .sets import BY_NAME


def introduction(modes, machine):
    how = {"quick": "the quick mode (`scripts/paper --quick`)", "full": "the full mode (`scripts/paper`)"}
    made = " and ".join(f"{m['measurements']} in {how[m['mode']]}" for m in modes if m["measurements"] != "0")
    mixed = all(m["measurements"] != "0" for m in modes)
    full = next(m for m in modes if m["mode"] == "full")
    hours = float(full["processor_hours_estimated"])
    return f"""# The paper's figures and tables, run again

Yu, Kumar, Rowley, Chang: *Compact Nonlinear Maps and Circulant Extensions* (2015).
This page, the figures and every number on it are made by `scripts/paper` from [results](results).

**Measurements: {made}**, with {machine["version"]} ({machine["command"][:12]}) on {machine["processor"]}
({machine["cores"]} cores).{MIXED if mixed else ""}
The full run has {full["plan"]} measurements and is estimated at {hours:.1f} processor hours, so about
{hours / 2:.1f} hours on two cores: an estimate from counts of arithmetic, corrected by the latest trainings."""


MIXED = " The full mode has not run for every set; each line of the CSV files names its mode."


def mode_table(modes):
    rows = [
        (
            m["mode"],
            m["measurements"],
            m["most_seeds"],
            m["iterations"],
            m["kernel_steps"],
            limit(m["libsvm_train_rows"]),
            limit(m["libsvm_test_rows"]),
            whole(m["cv_rows"]),
        )
        for m in modes
    ]
    head = ("mode", "measured here", "seeds, at most", "turns of alternating", "steps of kernel-approximating")
    return table((*head, "LIBSVM trains on rows", "is tested on rows", "cross-validates on rows"), rows)


def protocol(modes, sizes):
    rows = [
        (
            BY_NAME[s["set"]].title,
            whole(s["rows_train"]),
            whole(s["rows_test"]),
            s["columns"],
            s["classes"],
            s["scale"],
            s["protocol"],
        )
        for s in sizes
    ]
    agree = all(
        s["rows_train"] == s["paper_rows_train"]
        and s["rows_test"] == s["paper_rows_test"]
        and s["columns"] == s["paper_columns"]
        for s in sizes
    )
    return f"""## Data and protocol (Table 1)

{table(("set", "training rows", "test rows", "d", "classes", "scaling", "how rows were taken"), rows)}

The sizes in the files {"agree with" if agree else "DIFFER from"} those of the protocol, which are the paper's
where known (not for MAGIC04's split). What differs from the paper, or had to be decided:

- All methods see the same rows and the same scaling: `global`, one number for all columns, or `standard`, each column's
  deviation.
- gamma: `knn` = 1/(2σ²), σ the mean distance to the 50th neighbour; the paper prints 2/σ² (`paper`). Curves use `knn`;
  Table 2 and the table of machines show both.
- Random and kernel-approximating maps have Pegasos' head; `exact` in Table 2 is a least-squares head in closed form.
- alternating: the paper's algorithm with the corrected step of Θ; joint: our recipe with its defaults (softmax), no
  search. No early stopping except where said.
- Kernel error: mean squared difference to the exact kernel over all pairs of 2,000 test rows, without the diagonal.
- RBF SVM: LIBSVM; linear SVM: LIBLINEAR (L2 loss). C, and gamma where tuned, by 3-fold cross-validation on the first
  training rows (LIBLINEAR: four times as many as LIBSVM). Where LIBSVM has a subsample, the machine is weaker than it
  could be, and "reaches the RBF SVM" means this one. LIBLINEAR and cnm train and test on all rows.

{mode_table(modes)}"""


def claims(lines, modes):
    seeds = max(int(m["most_seeds"]) for m in modes)
    note = "\n\nOne seed only: differences of a few tenths may be chance." if seeds == 1 else ""
    rows = [(c["claim"], c["paper"], c["ours"], f"**{c['verdict']}**") for c in lines]
    return "## Claims and verdicts\n\n" + table(("claim", "paper", "here", "verdict"), rows) + note


def figure(name, text):
    return f"![{text}](figures/{name}.svg)\n\n*{text}* ([PNG](figures/{name}.png))"


def write(folder, target):
    models, remarks = read(folder, "models"), read(folder, "remarks")
    lines = {
        n: read(folder, n)
        for n in ("claims", "machines", "table2", "smallest", "cost", "sizes", "phases", "run", "machine")
    }
    parts = [introduction(lines["run"], lines["machine"][0]), claims(lines["claims"], lines["run"])]
    if models:
        parts += [
            "## Figure 1: accuracy against k",
            figure("figure1", "Test accuracy against the number of features; bands: deviation over seeds"),
            "Joint training and the circulant curves are ours, the others the paper's.",
            machines(lines["machines"]),
            "## Figure 2: kernel error against k",
            figure(
                "figure2",
                "Kernel error on held-out pairs; below the dotted line a map is better than the best constant",
            ),
            "## Figure 3: random circulant against random dense",
            figure("figure3", "Kernel error of random maps"),
            "## Table 2: circulant maps at k = d and 2d",
            second_table(lines["table2"]),
            table2_note(lines["table2"]),
            "## The smallest model as good as the RBF SVM",
            "The smallest measured k (and bytes of the model file) whose accuracy is within half a point of the tuned "
            "RBF SVM; else the best accuracy and where.",
            smallest(lines["smallest"]),
            figure("smallest", "Bytes of the smallest such models"),
        ]
    if any(r["remark"] == "growth" for r in remarks):
        parts += [
            "## Side remarks",
            "### Θ trained alone with W fixed",
            "A head of 1,000 steps, then Θ alone, then 1,000 further steps of the head.",
            figure("growth", "Growth of theta and accuracy against its steps"),
        ]
    if any(r["remark"] == "penalties" for r in remarks):
        parts += ["### Penalties and early stopping (alternating)", penalties(remarks, models)]
    if any(r["remark"] == "activations" for r in remarks):
        parts += ["### Activations, alternating against back-propagation", activations(remarks, models)]
    if lines["phases"]:
        parts += [
            "### Phases and Proposition 1",
            "Both rows of a pair are moved by the same vector, 1/√gamma long: a shift-invariant map's inner products "
            "change by noise that falls as 1/k.",
            figure("phases", "Mean squared change of Z(x)·Z(y) under a common shift"),
        ]
    if lines["cost"]:
        parts += [
            "### Time and bytes of circulant maps",
            "Processor time of `cnm transform` on one thread, reading and writing rows included; other load blurs it.",
            costs(lines["cost"]),
            figure("cost", "Cost at k = d"),
        ]
    parts += [protocol(lines["run"], lines["sizes"]), RUNNING]
    Path(target).write_text("\n\n".join(parts) + "\n")


RUNNING = """## Running it

    scripts/paper --quick              every panel, few k, one seed
    scripts/paper                      all k, five seeds
    scripts/paper --only usps          one set, or one of figure1, figure2, figure3, table2, growth, penalties,
                                       activations, phases, cost
    scripts/paper --seeds 3 --data DIR

Each measurement is one small file in `paper/cells`, named by a hash of its parameters, the data's checksums and the
checksum of the command: a run that was stopped goes on where it was, and a changed command is measured anew. The
modules: `sets` (data), `plan` (what is measured), `cells` and `run` (how), `programs`, `measures` and `baselines`
(measuring), `results`, `tables` and `claims` (CSV), `figures`, `page` and `page_tables` (showing), `paper_numbers`
(what the paper prints)."""
