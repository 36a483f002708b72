"""Behaviour of the estimators, alone and within scikit-learn."""

import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, make_moons
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, f1_score, log_loss
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import cnm
from cnm import CirculantMap, CNMClassifier, CNMRegressor, CompactKernelMap, RandomFourierMap

QUICK = {"n_components": 16, "effort": "quick", "epochs": 40}
X, y = make_moons(400, noise=0.2, random_state=0)
X, Xt, y, yt = X[:300], X[300:], y[:300], y[300:]


@pytest.fixture(scope="module")
def model():
    return CNMClassifier(**QUICK).fit(X, y)


# ---- Input ----


def test_kinds_of_input_agree(model):
    X32 = X.astype(np.float32)
    frame = pd.DataFrame(X32, columns=["a", "b"])
    same = CNMClassifier(**QUICK).fit(X32, y)
    for other in (sparse.csr_matrix(X32), sparse.csr_array(X32), X32[:, ::-1].copy()[:, ::-1], np.asfortranarray(X32)):
        assert np.array_equal(CNMClassifier(**QUICK).fit(other, y).predict_proba(X32), same.predict_proba(X32))
        assert np.array_equal(same.decision_function(other), same.decision_function(X32))
    named = CNMClassifier(**QUICK).fit(frame, y)
    assert list(named.feature_names_in_) == ["a", "b"]
    assert np.array_equal(named.predict_proba(frame), same.predict_proba(X32))
    # float64 rows are rounded once: scores differ by no more than float32 does
    assert np.allclose(model.decision_function(X), same.decision_function(X32), atol=1e-3)


def test_rows_with_gaps_between_them_are_not_copied():
    wide = np.zeros((300, 5), dtype=np.float32)
    wide[:, :2] = X
    a = CNMClassifier(**QUICK).fit(wide[:, :2], y)
    b = CNMClassifier(**QUICK).fit(X.astype(np.float32), y)
    assert np.array_equal(a.decision_function(wide[:, :2]), b.decision_function(X.astype(np.float32)))


def test_columns_far_from_zero_keep_their_digits():
    times = X.copy()
    times[:, 0] = 1.7e9 + 10 * X[:, 0]  # float32 has steps of 128 there
    assert CNMClassifier(**QUICK, scale="standard").fit(times, y).score(times, y) > 0.9


def test_missing_values_are_filled_where_asked():
    holes = X.copy()
    holes[::7, 0] = np.nan
    with pytest.raises(ValueError, match='column 0 holds NaN, and missing="error"'):
        CNMClassifier(**QUICK, missing="error").fit(holes, y)
    filled = CNMClassifier(**QUICK, missing="mean").fit(holes, y)
    assert np.isfinite(filled.decision_function(holes)).all()


# ---- Labels and weights ----


@pytest.mark.parametrize(
    "names",
    [
        ["no", "yes"],
        ["10", "9"],
        ["+1", "-1"],
        [b"a".decode(), "ä"],
        [False, True],
        [-1, 1],
        [1.0, 2.0],
        [2**60, 2**60 + 512],
    ],
)
def test_labels_of_any_kind(model, names):
    # The library sorts texts that are numbers as numbers, NumPy as texts; classes_ is NumPy's.
    named = np.array(names)[y]
    other = CNMClassifier(**QUICK).fit(X, named)
    assert np.array_equal(other.classes_, np.unique(named))
    assert np.mean(other.predict(Xt) == np.array(names)[yt]) > 0.9
    best = other.classes_[other.predict_proba(Xt).argmax(axis=1)]
    assert np.array_equal(best, other.predict(Xt))
    assert np.array_equal(other.classes_[(other.decision_function(Xt) > 0).astype(int)], other.predict(Xt))


def test_three_classes_in_the_order_of_texts():
    rows, labels = load_iris(return_X_y=True)
    named = np.array(["10", "9", "100"])[labels]
    other = CNMClassifier(**QUICK).fit(rows, named)
    assert list(other.classes_) == ["10", "100", "9"]
    assert other.score(rows, named) > 0.9
    for values in (other.predict_proba(rows), other.decision_function(rows)):
        assert np.array_equal(other.classes_[values.argmax(axis=1)], other.predict(rows))


def test_labels_that_are_one_number_are_refused():
    with pytest.raises(ValueError, match=r"differ as numbers|two classes"):
        CNMClassifier(**QUICK).fit(X, np.array(["1", "1.0"])[y])


def test_weights_count():
    even = CNMClassifier(**QUICK).fit(X, y)
    for heavy in (
        CNMClassifier(**QUICK, class_weight={0: 50.0, 1: 1.0}).fit(X, y),
        CNMClassifier(**QUICK).fit(X, y, sample_weight=np.where(y == 0, 50.0, 1.0)),
    ):
        assert (heavy.predict(Xt) == 0).sum() > (even.predict(Xt) == 0).sum()
    rare = np.concatenate([np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:10]])
    plain = CNMClassifier(**QUICK).fit(X[rare], y[rare])
    balanced = CNMClassifier(**QUICK, class_weight="balanced").fit(X[rare], y[rare])
    assert (balanced.predict(Xt) == 1).sum() > (plain.predict(Xt) == 1).sum()
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        CNMClassifier(**QUICK).fit(X, y, sample_weight=np.full(len(y), -1.0))


def test_groups_are_not_split():
    # Fifty points with random labels, eight noisy rows each: one row of a point gives away the
    # label of the others.
    random = np.random.RandomState(0)
    points, labels = random.normal(size=(50, 10)), random.randint(2, size=50)
    rows = np.tile(points, (8, 1)) + 0.01 * random.normal(size=(400, 10))
    labels = np.tile(labels, 8)
    groups = np.tile(np.arange(50), 8)
    options = {"n_components": 64, "effort": "quick", "epochs": 200, "validation": 0.25, "map_rate": 1.0}
    split = CNMClassifier(**options).fit(rows, labels)
    whole = CNMClassifier(**options).fit(rows, labels, groups=groups)
    assert split.history_["validation"][-1] > 0.95  # accuracy on validation rows
    assert whole.history_["validation"][-1] < 0.8
    names = np.array([f"point {group:02d}" for group in groups])
    named = CNMClassifier(**options).fit(rows, labels, groups=names)
    assert np.array_equal(named.decision_function(rows), whole.decision_function(rows))
    r2 = [CNMRegressor(**options).fit(rows, labels, groups=g).history_["validation"] for g in (None, groups)]
    assert r2[0][-1] > 0.9 > 0.5 > r2[1][-1]


def test_groups_are_one_for_each_row():
    for estimator in (CNMClassifier(**QUICK), CNMRegressor(**QUICK)):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            estimator.fit(X, y, groups=np.zeros(3))
    later = CNMClassifier(**QUICK).partial_fit(X, y, classes=[0, 1, 2], groups=np.arange(300) // 3)
    assert later.partial_fit(X, y, groups=np.arange(300) // 3).score(Xt, yt) > 0.8


def test_groups_go_through_a_search():
    groups = np.arange(300) // 3
    seen = []

    class Watched(CNMClassifier):
        def fit(self, X, y, sample_weight=None, groups=None):
            seen.append(None if groups is None else len(groups))
            return super().fit(X, y, sample_weight, groups)

    with config_context(enable_metadata_routing=True):
        model = Watched(method="rff", epochs=50).set_fit_request(groups=True)
        GridSearchCV(model, {"n_components": [4, 16]}, cv=GroupKFold(2)).fit(X, y, groups=groups)
    assert seen == [150] * 4 + [300]


# ---- Options for long and for small trainings ----


def test_a_teacher_and_pruning(tmp_path, model):
    large = CNMClassifier(n_components=64, effort="quick", epochs=40).fit(X, y)
    large.save(tmp_path / "large.cnm")
    taught = CNMClassifier(n_components=4, effort="quick", epochs=40, teacher=tmp_path / "large.cnm").fit(X, y)
    alone = CNMClassifier(n_components=4, effort="quick", epochs=40).fit(X, y)
    assert not np.array_equal(taught.decision_function(Xt), alone.decision_function(Xt))
    assert taught.score(Xt, yt) > 0.9
    pruned = CNMClassifier(**QUICK, prune=0.5).fit(X, y)
    assert pruned.transform(Xt).shape == (100, 8)
    assert pruned.score(Xt, yt) > 0.9
    with pytest.raises(OSError, match=r"missing\.cnm"):
        CNMClassifier(**QUICK, teacher=tmp_path / "missing.cnm").fit(X, y)


@pytest.mark.parametrize("metric", ["accuracy", "balanced", "auc", "f1", "logloss"])
def test_metrics(metric):
    assert CNMClassifier(n_components=8, epochs=10, metric=metric).fit(X, y).score(Xt, yt) > 0.8
    with pytest.raises(ValueError, match=f"metric {metric} does not fit task"):
        CNMRegressor(**QUICK, metric=metric).fit(X, y)


def test_uneven_classes():
    """A metric sets decision thresholds and no probabilities; class weights change probabilities
    and leave no threshold to the metric."""
    draw = np.random.default_rng(3)
    rare = draw.random(6000) < 0.05
    rows = (draw.normal(size=(6000, 2)) + 1.6 * rare[:, None]).astype(np.float32)
    train, test = slice(0, 2000), slice(2000, None)
    models = {
        name: CNMClassifier(n_components=8, effort="quick", epochs=30, **options).fit(rows[train], rare[train])
        for name, options in {
            "plain": {},
            "balanced": {"metric": "balanced"},
            "f1": {"metric": "f1"},
            "weighed": {"metric": "balanced", "class_weight": "balanced"},
        }.items()
    }
    found = {name: model.predict(rows[test]) for name, model in models.items()}
    share = {name: model.predict_proba(rows[test])[:, 1].mean() for name, model in models.items()}
    evenly = {name: balanced_accuracy_score(rare[test], found[name]) for name in models}
    means = {name: f1_score(rare[test], found[name], average="macro") for name in models}
    assert evenly["balanced"] > evenly["plain"] + 0.05
    assert means["f1"] > max(means["balanced"], means["plain"] - 0.01)
    assert share["balanced"] == pytest.approx(0.05, abs=0.02)
    assert share["f1"] == pytest.approx(0.05, abs=0.02)
    assert share["weighed"] > 0.1
    assert "decision_offset" in models["balanced"].describe()
    assert "decision_offset" not in models["weighed"].describe()


def test_history_has_fixed_steps(model):
    again = CNMClassifier(**QUICK, n_jobs=2).fit(X, y)
    for name, values in model.history_.items():
        assert np.array_equal(values, again.history_[name], equal_nan=name == "validation")
    steps = model.history_["done"]
    assert len(steps) >= 20 and np.all(np.diff(steps) > 0) and steps[-1] == model.history_["total"][-1]
    assert model.n_iter_ == float(model.describe()["steps"]) == steps[-1]
    assert model.best_iteration_ is None and any("2 classes" in line for line in model.understood_)


@pytest.mark.parametrize("patience", [1, 3, 5, 10])
def test_early_stopping_says_how_far_it_went(patience):
    options = {"n_components": 16, "effort": "quick", "epochs": 400, "validation": 0.25, "patience": patience}
    model = CNMClassifier(**options).fit(X, y)
    history = model.history_
    scores = dict(zip(history["done"], history["validation"], strict=True))
    assert model.n_iter_ == history["done"][-1] < history["total"][-1]
    assert scores[model.best_iteration_] == np.nanmax(history["validation"])
    assert np.sum(history["done"][~np.isnan(history["validation"])] > model.best_iteration_) == patience


@pytest.mark.parametrize(("kind", "target"), [(CNMClassifier, y), (CNMRegressor, np.sin(2 * X[:, 0]))])
def test_rows_of_their_own_validate(kind, target):
    rows, held = slice(0, 200), slice(200, None)
    options = {"n_components": 16, "effort": "quick", "epochs": 60, "dtype": "f32"}
    model = kind(**options).fit(X[rows], target[rows], eval_set=(X[held], target[held]))
    plain = kind(**options).fit(X[rows], target[rows])
    scores = model.history_["validation"]
    assert np.sum(~np.isnan(scores)) >= 10 and plain.best_iteration_ is None
    assert np.nanmax(scores) == pytest.approx(model.score(X[held], target[held]), abs=0.02)
    assert model.describe()["final_loss"] == plain.describe()["final_loss"]  # they do not train
    listed = kind(**options).fit(X[rows], target[rows], eval_set=[(X[held], target[held])])
    assert np.array_equal(listed.transform(X), model.transform(X))
    hasty = kind(**{**options, "epochs": 2000}, patience=1)
    hasty.fit(X[rows], target[rows], eval_set=(X[held], target[held]))
    assert hasty.n_iter_ < hasty.history_["total"][-1] and hasty.best_iteration_ < hasty.n_iter_


def test_what_an_eval_set_may_not_be():
    model = CNMClassifier(**QUICK)
    for wrong in (X, (X,), [(X, y), (X, y)], "yes"):
        with pytest.raises(ValueError, match="eval_set must be one pair"):
            model.fit(X, y, eval_set=wrong)
    with pytest.raises(ValueError, match="not among the classes"):
        model.fit(X, y, eval_set=(Xt, yt + 1))
    with pytest.raises(ValueError, match="expecting 2 features"):
        model.fit(X, y, eval_set=(Xt[:, :1], yt))
    with pytest.raises(ValueError, match="validation does not go with"):
        CNMClassifier(**QUICK, validation=0.2).fit(X, y, eval_set=(Xt, yt))
    with pytest.raises(ValueError, match="need method cnm"):
        CNMClassifier(n_components=8, method="rff").fit(X, y, eval_set=(Xt, yt))


def test_a_time_limit_shortens():
    endless = CNMClassifier(n_components=64, effort="quick", epochs=1000000, time_limit=0.2).fit(X, y)
    assert endless.history_["done"][-1] < 1000000 * 300 / 16
    assert endless.score(Xt, yt) > 0.9


# ---- Probabilities ----


@pytest.mark.parametrize("loss", ["softmax", "logistic", "hinge", "squared-hinge", "crammer-singer"])
def test_probabilities(loss):
    model = CNMClassifier(**QUICK, loss=loss).fit(X, y)
    p = model.predict_proba(Xt)
    assert np.allclose(p.sum(axis=1), 1)
    assert np.array_equal(model.classes_[p.argmax(axis=1)], model.predict(Xt))
    assert log_loss(yt, p) < 0.4
    assert np.array_equal(model.predict_log_proba(Xt), np.log(p))


# ---- Arrays ----


def test_arrays_are_those_of_the_formula(model):
    model = CNMClassifier(**QUICK, scale="standard", dtype="f32").fit(X, y)
    z = np.sqrt(2 / 16) * np.cos((Xt - model.offset_) @ model.theta_ + model.phase_)
    assert np.allclose(z, model.transform(Xt), atol=1e-5)
    assert np.allclose(z @ model.head_[0] + model.intercept_[0], model.decision_function(Xt), atol=1e-4)
    assert model.theta_.shape == (2, 16)
    assert len(model.history_["loss"]) > 0
    assert model.history_["done"][-1] == model.history_["total"][-1]


def test_arrays_need_a_model():
    assert not hasattr(CNMClassifier(), "theta_")
    with pytest.raises(AttributeError, match="not fitted"):
        _ = CNMRegressor().head_


# ---- Regression ----


@pytest.mark.parametrize("kind", [np.asarray, lambda two: two.tolist(), pd.DataFrame])
def test_targets_of_several_columns_are_refused_with_a_way_out(kind):
    two = kind(np.stack([y, 1 - y], axis=1))
    with pytest.raises(ValueError, match=r"y has 2 columns.*MultiOutputRegressor\(CNMRegressor\(\)\)"):
        CNMRegressor(**QUICK).fit(X, two)
    with pytest.raises(ValueError, match=r"y has 2 columns.*MultiOutputClassifier\(CNMClassifier\(\)\)"):
        CNMClassifier(**QUICK).fit(X, two)
    both = MultiOutputClassifier(CNMClassifier(**QUICK)).fit(X, np.stack([y, 1 - y], axis=1))
    assert both.predict(Xt).shape == (100, 2)


def test_regression():
    rows = np.linspace(-3, 3, 400).reshape(-1, 1)
    target = 100 + 10 * np.sin(2 * rows[:, 0])
    model = CNMRegressor(**QUICK).fit(rows, target)
    assert model.score(rows, target) > 0.99
    assert model.head_.shape == (1, 16)
    heavy = CNMRegressor(**QUICK).fit(rows, target, sample_weight=np.where(rows[:, 0] > 0, 100.0, 1.0))
    assert not np.array_equal(heavy.predict(rows), model.predict(rows))
    again = clone(model).partial_fit(rows[::2], target[::2]).partial_fit(rows[1::2], target[1::2])
    assert again.score(rows, target) > 0.95


# ---- partial_fit ----


def test_partial_fit_goes_on(model):
    first = CNMClassifier(**QUICK).partial_fit(X[:150], y[:150])
    before = first.score(Xt, yt)
    first.partial_fit(X[150:], y[150:])
    assert first.score(Xt, yt) >= before - 0.05
    assert first.describe()["warm_start"] == "from an earlier model"


def test_a_continuation_makes_no_estimate():
    model = CNMClassifier(estimate="yes", **QUICK).partial_fit(X[:150], y[:150])
    assert "estimate" in model.describe()
    model.partial_fit(X[150:], y[150:])
    assert "estimate" not in model.describe()
    assert model.estimate == "yes"


def test_partial_fit_with_classes_that_come_later():
    rows, labels = load_iris(return_X_y=True)
    two = labels < 2
    model = CNMClassifier(**QUICK).partial_fit(rows[two], labels[two], classes=[0, 1, 2])
    assert model.predict_proba(rows).shape == (150, 3)
    assert set(model.predict(rows[two])) == {0, 1}
    for _ in range(3):
        model.partial_fit(rows, labels)
    assert model.score(rows, labels) > 0.9
    with pytest.raises(ValueError, match="not among the classes"):
        model.partial_fit(rows, labels + 1)


# ---- warm_start ----


@pytest.mark.parametrize(("kind", "target"), [(CNMClassifier, y), (CNMRegressor, X[:, 0])])
def test_warm_start_goes_on(kind, target):
    warm = kind(**QUICK, warm_start=True).fit(X, target)
    cold = kind(**QUICK).fit(X, target)
    assert np.array_equal(warm.transform(Xt), cold.transform(Xt))
    assert "warm_start" not in warm.describe()
    warm.set_params(epochs=2).fit(X, target)
    assert warm.describe()["warm_start"] == "from an earlier model"
    assert warm.n_iter_ == 2 * (300 // cold.describe()["batch"])
    assert not np.array_equal(warm.transform(Xt), cold.transform(Xt))
    warm.set_params(n_components=24).fit(X, target)
    assert warm.transform(Xt).shape == (100, 24)
    assert "warm_start" not in warm.set_params(warm_start=False, n_components=16).fit(X, target).describe()
    assert clone(warm.set_params(warm_start=True)).fit(X, target).describe().get("warm_start") is None


def test_warm_start_needs_the_same_columns_and_classes():
    warm = CNMClassifier(**QUICK, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="classes of the earlier fit"):
        warm.fit(X, y + 1)
    with pytest.raises(ValueError, match="expecting 2 features"):
        warm.fit(X[:, :1], y)
    assert warm.score(Xt, yt) > 0.9


# ---- Maps ----


@pytest.mark.parametrize("gamma", [0.0016, "scale"])
def test_a_random_map_stands_for_the_kernel_of_rbf_sampler(gamma):
    rows = 5 * np.random.RandomState(0).normal(size=(200, 16))  # must not be scaled
    scale = 1 / (16 * rows.var()) if gamma == "scale" else gamma
    K = np.exp(-scale * ((rows[:, None] - rows[None]) ** 2).sum(axis=2))

    def error(kind):
        maps = [kind(gamma=gamma, n_components=64, random_state=seed).fit_transform(rows) for seed in range(6)]
        return np.mean([np.abs(z @ z.T - K).mean() for z in maps])

    assert error(RandomFourierMap) < np.sqrt(1.5 / 64)  # 1.5 / k bounds the variance of an entry
    assert error(RandomFourierMap) < error(RBFSampler)


def test_maps_for_the_same_kernel():
    rows = np.random.RandomState(0).normal(size=(300, 16)).astype(np.float32)
    K = np.exp(-0.02 * ((rows[:, None] - rows[None]) ** 2).sum(axis=2))
    for a_map in (
        CirculantMap(gamma=0.02, n_components=2048),
        CompactKernelMap(gamma=0.02, n_components=128, map_steps=200, batch=100),
    ):
        z = a_map.fit_transform(rows)
        assert z.dtype == np.float32
        assert np.abs(z @ z.T - K).mean() < 0.05


# ---- With others ----


def test_pipelines_searches_and_calibration():
    pipeline = make_pipeline(StandardScaler(), CNMClassifier(**QUICK))
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9
    grid = GridSearchCV(CNMClassifier(**QUICK), {"n_components": [2, 16], "noise": [0.0, 0.1]}, cv=2).fit(X, y)
    assert grid.best_score_ > 0.9
    calibrated = CalibratedClassifierCV(CNMClassifier(**QUICK), cv=2).fit(X, y)
    assert log_loss(yt, calibrated.predict_proba(Xt)) < 0.4
    mapped = make_pipeline(RandomFourierMap(gamma=1.0, n_components=64), LogisticRegression()).fit(X, y)
    assert mapped.score(Xt, yt) > 0.9


def test_set_output_and_names(model):
    frame = pd.DataFrame(X, columns=["a", "b"])
    a_map = RandomFourierMap(n_components=3).set_output(transform="pandas").fit(frame)
    out = a_map.transform(frame)
    assert list(out.columns) == ["randomfouriermap0", "randomfouriermap1", "randomfouriermap2"]
    assert list(model.get_feature_names_out()[:2]) == ["cnmclassifier0", "cnmclassifier1"]


def test_random_state(model):
    same = CNMClassifier(**QUICK, random_state=7).fit(X, y).decision_function(Xt)
    assert np.array_equal(CNMClassifier(**QUICK, random_state=7).fit(X, y).decision_function(Xt), same)
    assert not np.array_equal(CNMClassifier(**QUICK, random_state=8).fit(X, y).decision_function(Xt), same)
    seeded = CNMClassifier(**QUICK, random_state=np.random.RandomState(0)).fit(X, y)
    assert seeded.score(Xt, yt) > 0.9


def test_threads_change_nothing(model):
    for n_jobs in (1, 2, 7, -1):
        other = CNMClassifier(**QUICK, n_jobs=n_jobs).fit(X, y)
        assert np.array_equal(other.decision_function(Xt), model.decision_function(Xt))


def test_one_model_serves_many_threads(model):
    wanted = model.predict_proba(Xt)
    with ThreadPoolExecutor(4) as pool:
        for got in pool.map(lambda _: model.predict_proba(Xt), range(16)):
            assert np.array_equal(got, wanted)
        for fitted in pool.map(lambda _: CNMClassifier(**QUICK).fit(X, y), range(4)):
            assert np.array_equal(fitted.predict_proba(Xt), wanted)


def test_pickles_clones_and_parameters(model):
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(Xt), model.predict_proba(Xt))
    assert again.get_params() == model.get_params()
    shown = CNMClassifier().get_params()
    assert (shown["method"], shown["effort"], shown["prune"], shown["resume"]) == ("cnm", "normal", 0.0, False)
    assert clone(model.set_params(noise=0.25)).get_params()["noise"] == 0.25
    model.set_params(noise="auto")
    assert not hasattr(clone(model), "classes_")


def _predict_in_child(queue, model):
    queue.put((model.predict(Xt), CNMClassifier(**QUICK).fit(X, y).predict(Xt)))


def test_after_a_fork(model):
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_predict_in_child, args=(queue, model))
    child.start()
    predicted, trained = queue.get(timeout=60)
    child.join()
    assert np.array_equal(predicted, model.predict(Xt))
    assert np.array_equal(trained, model.predict(Xt))


def test_in_joblib_workers(model):
    grid = GridSearchCV(CNMClassifier(**QUICK), {"n_components": [4, 16]}, cv=2, n_jobs=2).fit(X, y)
    assert grid.best_score_ > 0.9


def test_what_makes_no_sense_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match=r"n_components cannot be \"many\".*whole number"):
        CNMClassifier(n_components="many").fit(X, y)
    with pytest.raises(ValueError, match=r"noise 0\.1 needs method cnm"):
        CNMClassifier(method="rff", noise=0.1).fit(X, y)
    with pytest.raises(ValueError, match="did you mean quick"):
        CNMClassifier(effort="quik").fit(X, y)
    with pytest.raises(OSError, match="no such file"):
        cnm.load("no such file")


def test_a_quantile_is_passed_on():
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (2000, 1)).astype(np.float32)
    y = X[:, 0] + rng.normal(size=2000)
    model = cnm.CNMRegressor(loss="quantile", quantile=0.9, n_components=8, effort="quick").fit(X[:1000], y[:1000])
    below = np.mean(y[1000:] <= model.predict(X[1000:]))
    assert abs(below - 0.9) < 3 * np.sqrt(0.09 * 2 / 1000)


# ---- Stacks of layers ----


def test_layers_are_a_tuple_or_a_text():
    quick = {"effort": "quick", "epochs": 40}
    model = CNMClassifier(layers=(16, 8), **quick).fit(X, y)
    same = CNMClassifier(layers="dense:16,dense:8", **quick).fit(X, y)
    assert np.array_equal(model.decision_function(Xt), same.decision_function(Xt))
    assert model.describe()["layers"] == "dense:16,dense:8"
    assert [theta.shape for theta in model.thetas_] == [(2, 16), (16, 8)]
    assert model.score(Xt, yt) > 0.85
    assert clone(model).get_params()["layers"] == (16, 8)
    with pytest.raises(AttributeError, match="thetas_"):
        _ = model.theta_
    mixed = CNMClassifier(layers=("columns:4", 8), **quick).fit(X, y)
    assert mixed.describe()["layers"] == "columns:4,dense:8"


def test_one_layer_has_theta(model):
    assert len(model.thetas_) == 1
    assert np.array_equal(model.thetas_[0], model.theta_)
