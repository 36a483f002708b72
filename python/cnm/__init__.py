"""Compact nonlinear maps: kernel accuracy from a model of a few kilobytes, for scikit-learn.

>>> from sklearn.datasets import make_moons
>>> from cnm import CNMClassifier
>>> X, y = make_moons(600, noise=0.2, random_state=0)
>>> model = CNMClassifier(n_components=8, effort="quick").fit(X[:400], y[:400])
>>> bool(model.score(X[400:], y[400:]) > 0.94)
True

The library that the command ``cnm`` uses computes everything; models are the same files
(:func:`load`, ``model.save``).
"""

from ._classifier import CNMClassifier
from ._library import VERSION as __version__
from ._load import load
from ._maps import CirculantMap, CompactKernelMap, RandomFourierMap
from ._regressor import CNMRegressor
from ._tune import Tuning, tune
from ._warnings import CNMWarning

__all__ = [
    "CNMClassifier",
    "CNMRegressor",
    "CNMWarning",
    "CirculantMap",
    "CompactKernelMap",
    "RandomFourierMap",
    "Tuning",
    "__version__",
    "load",
    "tune",
]
