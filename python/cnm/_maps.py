"""Maps without a head, as transformers: Z(x)ᵀ Z(y) approximates a kernel K(x, y)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from ._base import Base, documented
from ._frames import TypedRows
from ._parameters import CirculantMapParameters, CompactKernelMapParameters, RandomFourierMapParameters


def _variance(X: Any) -> float:
    if isinstance(X, TypedRows):
        raise ValueError('gamma="scale" needs columns of numbers: give a number, or "auto"')
    if sparse.issparse(X):
        mean = X.mean()
        return float(X.multiply(X).mean() - mean * mean)
    return float(np.nanvar(X, dtype=np.float64))


class _KernelMap(Base):
    """Base of the three maps. Columns are not scaled unless `scale` is given, for gamma's sake."""

    gamma: Any
    scale: Any

    def _settings(self) -> dict[str, Any]:
        settings = super()._settings()
        settings["scale"] = "none" if self.scale is None else self.scale
        return settings

    def fit(self, X: Any, y: Any = None) -> Any:
        """Creates the map for rows like X.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_samples, n_features)
        y : ignored
        """
        X = self._check_rows(X, reset=True)
        settings = self._settings()
        if self.gamma == "scale":
            variance = _variance(X)
            settings["gamma"] = 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
        self._learn(self._rows(X), settings)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = True
        return tags


@documented
class RandomFourierMap(RandomFourierMapParameters, _KernelMap):
    """Random Fourier features (Rahimi and Recht, 2007), as RBFSampler, with the same gamma.

    For the Gaussian kernel the directions are orthogonal in blocks (Yu et al., 2016) unless
    ``init`` is given: the same mean, less variance. Columns are not scaled unless ``scale`` is
    given. ``gamma="scale"`` is 1 / (n_features · variance of X).

    {parameters}

    Examples
    --------
    >>> import numpy as np
    >>> from cnm import RandomFourierMap
    >>> X = np.random.RandomState(0).normal(size=(50, 3))
    >>> Z = RandomFourierMap(gamma=0.1, n_components=4096).fit_transform(X)
    >>> K = np.exp(-0.1 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    >>> bool(abs(Z @ Z.T - K).max() < 0.1)
    True
    """

    _fixed: ClassVar[dict[str, Any]] = {"method": "rff", "task": "map"}

    def _settings(self) -> dict[str, Any]:
        settings = super()._settings()
        if settings.get("init") is None and settings.get("kernel") in (None, "gaussian"):
            settings["init"] = "orthogonal"
        return settings


@documented
class CirculantMap(CirculantMapParameters, _KernelMap):
    """Random features from circulant matrices, for k features of d columns.

    A row takes O(k log d) time, and the map O(k) memory.

    {parameters}

    Examples
    --------
    >>> import numpy as np
    >>> from cnm import CirculantMap
    >>> X = np.random.RandomState(0).normal(size=(20, 64)).astype(np.float32)
    >>> CirculantMap(gamma=0.01, n_components=256).fit_transform(X).shape
    (20, 256)
    """

    _fixed: ClassVar[dict[str, Any]] = {"method": "rff", "task": "map", "projection": "circulant"}


@documented
class CompactKernelMap(CompactKernelMapParameters, _KernelMap):
    """Map that is learned, without labels, to approximate the kernel with few features.

    {parameters}

    Examples
    --------
    >>> import numpy as np
    >>> from cnm import CompactKernelMap
    >>> X = np.random.RandomState(0).normal(size=(200, 3))
    >>> CompactKernelMap(gamma=0.1, n_components=16, map_steps=50, batch=64).fit_transform(X).shape
    (200, 16)
    """

    _fixed: ClassVar[dict[str, Any]] = {"method": "kernel-approximation", "task": "map"}
    _least_rows: ClassVar[int] = 2  # it learns from pairs of rows
