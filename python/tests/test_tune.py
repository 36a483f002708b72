"""Sizes by cross-validation: the rule of ``cnm tune``."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_moons
from sklearn.model_selection import KFold

import cnm
from cnm import CNMClassifier, CNMRegressor

ROOT = Path(__file__).resolve().parents[2]
X, y = make_moons(300, noise=0.2, random_state=0)
SHORT = {"epochs": 20, "effort": "quick"}


def test_the_smallest_model_within_one_standard_error_is_chosen():
    found = cnm.tune(X, y, estimator=CNMClassifier(**SHORT), cv=4, max_components=64)
    assert [record["features"] for record in found.table] == [8, 8, 16, 32, 64]
    best = max(found.table, key=lambda record: record["score"])
    near = [record for record in found.table if record["score"] >= best["score"] - best["se"]]
    assert found.chosen == min(near, key=lambda record: record["bytes"])
    assert isinstance(found.best_estimator_, CNMClassifier)
    assert found.best_estimator_.transform(X).shape[1] == found.chosen["features"]
    assert found.best_estimator_.get_params()["effort"] == "quick"
    lines = repr(found).splitlines()
    assert len(lines) == 6 and sum("<- chosen" in line for line in lines) == 1


def test_stacks_are_tried_as_far_as_dense_maps_go():
    few = {"estimator": CNMClassifier(epochs=3, effort="quick"), "cv": 2}
    found = cnm.tune(X, y, max_components=128, **few)
    sizes = [record["layers"] or record["features"] for record in found.table]
    assert sizes == [8, "16,8", 16, 32, 64, 128]  # of 192 parameters; 32,16 has 640, and 128 features 512
    assert "    16,8  dense " in repr(found)
    plain = cnm.tune(X, y, max_components=128, stacks=False, **few)
    assert plain.table == [record for record in found.table if record["layers"] is None]
    smallest = min(record["bytes"] for record in found.table if record["layers"] is not None)
    small = cnm.tune(X, y, max_components=128, max_bytes=smallest - 1, **few)
    assert all(record["layers"] is None for record in small.table)
    for other in ({"projection": "circulant"}, {"method": "kernel-approximation"}):
        found = cnm.tune(X, y, estimator=CNMClassifier(epochs=3, **other), cv=2, max_components=64)
        assert [record["layers"] for record in found.table] == [None] * 4


def test_a_chosen_stack_is_trained_on_all_rows():
    class Patient(CNMClassifier):  # one layer learns nothing
        def fit(self, X, y, sample_weight=None, groups=None):
            return super().fit(X, y if self.layers else np.roll(y, 1), sample_weight, groups)

    found = cnm.tune(X, y, estimator=Patient(**SHORT), cv=2, max_components=64)
    assert found.chosen["layers"] == "16,8"
    assert found.best_estimator_.layers == "16,8"
    assert [theta.shape[1] for theta in found.best_estimator_.thetas_] == [16, 8]


def test_scores_are_those_of_the_folds():
    target = np.sin(2 * X[:, 0])
    found = cnm.tune(X, target, estimator=CNMRegressor(**SHORT), cv=KFold(3), max_components=8)
    scores = []
    for train, test in KFold(3).split(X):
        model = CNMRegressor(n_components=8, **SHORT).fit(X[train], target[train])
        scores.append(model.score(X[test], target[test]))
    assert found.table[0]["score"] == pytest.approx(np.mean(scores))
    assert found.table[0]["se"] == pytest.approx(np.std(scores, ddof=1) / np.sqrt(3))


def test_labels_say_which_estimator_is_tuned():
    kinds = {kind: labels for kind, labels in ((CNMClassifier, np.array(["a", "b"])[y]), (CNMRegressor, X[:, 0] ** 2))}
    for kind, labels in kinds.items():
        found = cnm.tune(X[:80], labels[:80], cv=2, max_components=8)
        assert type(found.best_estimator_) is kind


def test_weights_groups_and_scorers_reach_the_folds():
    seen = []

    class Watched(CNMClassifier):
        def fit(self, X, y, sample_weight=None, groups=None):
            seen.append((len(X), set(groups), None if sample_weight is None else len(sample_weight)))
            return super().fit(X, y, sample_weight, groups)

    groups = np.arange(300) // 10
    extra = {"groups": groups, "sample_weight": np.ones(300), "scoring": "neg_log_loss"}
    found = cnm.tune(pd.DataFrame(X), y, estimator=Watched(**SHORT), cv=3, max_components=8, **extra)
    assert found.chosen["score"] < 0
    *folds, last = seen
    assert last == (300, set(groups), 300) and len(folds) == 3
    held = [set(groups) - fold[1] for fold in folds]
    assert set.union(*held) == set(groups) and sum(map(len, held)) == 30


def test_wide_rows_try_circulant_maps_and_a_limit_of_bytes():
    wide = np.random.RandomState(0).normal(size=(60, 64)).astype(np.float32)
    labels = (wide[:, 0] > 0).astype(int)
    found = cnm.tune(wide, labels, estimator=CNMClassifier(epochs=2, effort="quick"), cv=2, max_components=16)
    shapes = [(record["features"], record["projection"]) for record in found.table]
    assert shapes == [(8, "dense"), (8, "circulant"), (16, "dense"), (16, "circulant")]
    limit = max(record["bytes"] for record in found.table) - 1
    small = {"estimator": CNMClassifier(epochs=2, effort="quick"), "cv": 2, "max_components": 16}
    assert (16, "dense") not in [
        (record["features"], record["projection"]) for record in cnm.tune(wide, labels, max_bytes=limit, **small).table
    ]
    with pytest.raises(ValueError, match="max_bytes=10 is too small: the smallest model has"):
        cnm.tune(wide, labels, max_bytes=10, **small)


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (CNMClassifier(n_components=8), "n_components does not go with tune"),
        (CNMClassifier(layers="8,8"), "layers does not go with tune"),
        (CNMClassifier(prune=0.5), "prune does not go with tune"),
        (CNMClassifier(estimate="yes"), 'estimate="yes" does not go with tune'),
        (CNMClassifier(method="linear"), "no map whose size"),
        (cnm.RandomFourierMap(), "expected CNMClassifier or CNMRegressor"),
    ],
)
def test_what_leaves_nothing_to_tune_is_refused(estimator, message):
    with pytest.raises((TypeError, ValueError), match=message):
        cnm.tune(X, y, estimator=estimator)


def test_the_command_finds_the_same(tmp_path):
    command = shutil.which(os.environ.get("CNM_COMMAND", str(ROOT / "build/release/cnm")))
    if command is None:
        pytest.skip("no command cnm: set CNM_COMMAND")
    lines = [f"{a:.9g},{b:.9g},{'in' if label else 'out'}" for (a, b), label in zip(X, y, strict=True)]
    (tmp_path / "rows.csv").write_text("\n".join(["a,b,side", *lines]) + "\n")
    line = [command, "tune", "-q", "--json", "--cv", "3", "--max-k", "64", "--epochs", "20", "rows.csv", "model.cnm"]
    shown = json.loads(subprocess.run(line, cwd=tmp_path, check=True, capture_output=True, text=True).stdout)
    rows = pd.read_csv(tmp_path / "rows.csv")
    found = cnm.tune(rows[["a", "b"]], rows["side"], estimator=CNMClassifier(epochs=20), cv=3, max_components=64)
    for ours, theirs in zip(found.table, shown["frontier"], strict=True):
        for name in ("features", "projection", "layers"):
            assert ours[name] == theirs[name]
        assert ours["score"] == pytest.approx(theirs["score"]) and ours["se"] == pytest.approx(theirs["error"])
        assert (ours is found.chosen) == theirs["knee"]
    assert np.array_equal(
        cnm.load(tmp_path / "model.cnm").predict(rows), found.best_estimator_.predict(rows[["a", "b"]])
    )
