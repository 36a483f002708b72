"""scikit-learn's own checks of an estimator, all of them, for every estimator of the package."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from cnm import CirculantMap, CNMClassifier, CNMRegressor, CompactKernelMap, RandomFourierMap

# Training takes mini-batches in random order: a row twice is not a row of weight 2, bit for bit.
# scikit-learn declares the same of LinearSVC and SGDClassifier.
WEIGHTS = "mini-batches: a row of weight 2 is not the same as the row twice"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": WEIGHTS,
    "check_sample_weight_equivalence_on_sparse_data": WEIGHTS,
}


def expected(estimator):
    return EXPECTED if hasattr(estimator, "predict") else {}


@parametrize_with_checks(
    [
        CNMClassifier(effort="quick"),
        CNMClassifier(n_components=32, method="rff", epochs=200),
        CNMRegressor(effort="quick"),
        RandomFourierMap(n_components=16),
        CirculantMap(n_components=16),
        CompactKernelMap(n_components=8, map_steps=20, batch=16),
    ],
    expected_failed_checks=expected,
)
def test_check(estimator, check):
    check(estimator)


def test_expected_failures_are_those_of_scikit_learn():
    common = pytest.importorskip("sklearn.utils._test_common.instance_generator")
    from sklearn.linear_model import SGDClassifier
    from sklearn.svm import LinearSVC

    declared = set()
    for estimator in (LinearSVC(), SGDClassifier()):
        declared |= set(common._get_expected_failed_checks(estimator))
    assert set(EXPECTED) <= declared
