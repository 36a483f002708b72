"""Permutation importance of columns, from rows that fit keeps."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import permutation_importance

from cnm import CNMClassifier, CNMRegressor, RandomFourierMap, _importance

QUICK = {"n_components": 32, "effort": "quick", "epochs": 60}
X = np.random.RandomState(0).normal(size=(400, 5))
CLASSES = (X[:, 1] * X[:, 3] > 0).astype(int)
TARGETS = np.sin(2 * X[:, 2]) + 0.3 * X[:, 0]


@pytest.fixture(scope="module")
def classifier():
    return CNMClassifier(**QUICK).fit(X, CLASSES)


def test_the_columns_that_matter_are_found(classifier):
    found = classifier.feature_importances_
    assert found.shape == (5,) and np.all(found >= 0) and found.sum() == pytest.approx(1)
    assert set(np.argsort(found)[-2:]) == {1, 3} and found[[1, 3]].sum() > 0.9
    regression = CNMRegressor(**QUICK).fit(X, TARGETS).feature_importances_
    assert list(np.argsort(regression)[-2:]) == [0, 2] and regression[[0, 2]].sum() > 0.9


def test_they_are_those_of_scikit_learn(classifier):
    reference = permutation_importance(classifier, X, CLASSES, scoring="neg_log_loss", n_repeats=20, random_state=1)
    wanted = np.maximum(reference.importances_mean, 0)
    assert np.allclose(classifier.feature_importances_, wanted / wanted.sum(), atol=0.05)


def test_they_are_the_same_every_time_and_do_not_touch_the_model(classifier):
    again = CNMClassifier(**QUICK).fit(X, CLASSES)
    before = again.decision_function(X)
    assert np.array_equal(again.feature_importances_, classifier.feature_importances_)
    assert np.array_equal(again.decision_function(X), before)


def test_constant_columns_and_weights_count():
    rows = X.copy()
    rows[:, 4] = 7
    model = CNMRegressor(**QUICK).fit(rows, TARGETS, sample_weight=np.where(X[:, 0] > 0, 1.0, 0.0))
    assert model.feature_importances_[4] == 0
    assert model._sample.weights.max() == 1 and model.feature_importances_.argmax() == 2


def test_sparse_rows_and_few_rows(monkeypatch):
    few = sparse.csr_matrix(np.where(X > 0, X, 0).astype(np.float32))
    model = CNMClassifier(**QUICK).fit(few, (few[:, [2]].toarray() > 0.5).ravel())
    dense = CNMClassifier(**QUICK).fit(few.toarray(), (few[:, [2]].toarray() > 0.5).ravel())
    assert np.allclose(model.feature_importances_, dense.feature_importances_)
    monkeypatch.setattr(_importance, "MOST_ROWS", 100)
    sampled = CNMClassifier(**QUICK).fit(X, CLASSES)
    assert sampled._sample.X.shape == (100, 5)
    assert set(np.argsort(sampled.feature_importances_)[-2:]) == {1, 3}


def test_a_new_fit_has_new_importances():
    model = CNMRegressor(**QUICK).fit(X, TARGETS)
    assert model.feature_importances_.argmax() == 2
    assert model.fit(X, X[:, 4]).feature_importances_.argmax() == 4


def test_columns_are_selected_by_them(classifier):
    assert not hasattr(classifier, "coef_")
    selector = SelectFromModel(CNMClassifier(**QUICK), max_features=2, threshold=-np.inf).fit(X, CLASSES)
    assert list(np.flatnonzero(selector.get_support())) == [1, 3]


def test_pickles_leave_the_rows_out(classifier):
    fresh = CNMClassifier(**QUICK).fit(X, CLASSES)
    assert len(pickle.dumps(fresh)) < 6000 < X.nbytes
    with pytest.raises(AttributeError, match="permutation_importance takes any rows"):
        _ = pickle.loads(pickle.dumps(fresh)).feature_importances_
    computed = fresh.feature_importances_
    assert np.array_equal(pickle.loads(pickle.dumps(fresh)).feature_importances_, computed)
    assert not hasattr(RandomFourierMap(n_components=2).fit(X), "feature_importances_")
