"""Maps without a head: transformers for any pipeline. All stand for a kernel K(x, y) ≈ Z(x)ᵀ Z(y) on rows as they come."""

from __future__ import annotations

import os
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import sparse

from ._base import Base, documented


def _variance(X: Any) -> float:
    if sparse.issparse(X):
        mean = X.mean()
        return float(X.multiply(X).mean() - mean * mean)
    return float(np.var(X, dtype=np.float64))


class _KernelMap(Base):
    """What the three maps share. Columns are not scaled unless `scale` asks for it: gamma means what it means elsewhere."""

    gamma: float | str | None

    def _settings(self) -> dict[str, Any]:
        settings = super()._settings()
        if settings.get("scale") is None:
            settings["scale"] = "none"
        return settings

    def fit(self, X: Any, y: Any = None) -> Any:
        """Makes the map for rows like X.

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
class RandomFourierMap(_KernelMap):
    """Random Fourier features: in meaning what RBFSampler is, with the same gamma.

    For the Gaussian kernel the directions are drawn in orthogonal blocks, unless ``init`` says otherwise: the same mean, less
    variance. Columns are not scaled unless ``scale`` asks for it. ``gamma="scale"`` is 1 / (n_features · variance of X).

    Parameters
    ----------
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

    def __init__(
        self,
        *,
        n_components: int | None = None,
        gamma: float | str | None = None,
        kernel: Literal["gaussian", "laplacian", "cauchy"] | None = None,
        init: Literal["random", "orthogonal"] | None = None,
        phase: Literal["uniform", "none"] | None = None,
        activation: Literal["cos", "sigmoid", "relu"] | None = None,
        scale: str | None = None,
        missing: Literal["error", "mean"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.gamma = gamma
        self.kernel = kernel
        self.init = init
        self.phase = phase
        self.activation = activation
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _settings(self) -> dict[str, Any]:
        settings = super()._settings()
        if settings.get("init") is None and settings.get("kernel") in (None, "gaussian"):
            settings["init"] = "orthogonal"
        return settings


@documented
class CirculantMap(_KernelMap):
    """Random features from circulant matrices: O(k log d) time and O(k) memory for k features of d columns.

    Parameters
    ----------
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

    def __init__(
        self,
        *,
        n_components: int | None = None,
        gamma: float | str | None = None,
        kernel: Literal["gaussian", "laplacian", "cauchy"] | None = None,
        phase: Literal["uniform", "none"] | None = None,
        activation: Literal["cos", "sigmoid", "relu"] | None = None,
        scale: str | None = None,
        missing: Literal["error", "mean"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.gamma = gamma
        self.kernel = kernel
        self.phase = phase
        self.activation = activation
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs


@documented
class CompactKernelMap(_KernelMap):
    """A map that is learned, without labels, to approximate the kernel with few features.

    Parameters
    ----------
    {parameters}
    verbose : bool, default False
        Show progress: a bar where tqdm is installed.

    Examples
    --------
    >>> import numpy as np
    >>> from cnm import CompactKernelMap
    >>> X = np.random.RandomState(0).normal(size=(200, 3))
    >>> CompactKernelMap(gamma=0.1, n_components=16, map_steps=50, batch=64).fit_transform(X).shape
    (200, 16)
    """

    _fixed: ClassVar[dict[str, Any]] = {"method": "kernel", "task": "map"}
    _least_rows: ClassVar[int] = 2  # it learns from pairs of rows

    def __init__(
        self,
        *,
        n_components: int | None = None,
        gamma: float | str | None = None,
        kernel: Literal["gaussian", "laplacian", "cauchy"] | None = None,
        projection: Literal["dense", "circulant", "circulant-diagonal"] | None = None,
        init: Literal["random", "orthogonal"] | None = None,
        phase: Literal["uniform", "none"] | None = None,
        activation: Literal["cos", "sigmoid", "relu"] | None = None,
        map_steps: int | None = None,
        batch: int | None = None,
        theta_penalty: str | None = None,
        validation: float | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float | None = None,
        resume: bool | None = None,
        scale: str | None = None,
        missing: Literal["error", "mean"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_components = n_components
        self.gamma = gamma
        self.kernel = kernel
        self.projection = projection
        self.init = init
        self.phase = phase
        self.activation = activation
        self.map_steps = map_steps
        self.batch = batch
        self.theta_penalty = theta_penalty
        self.validation = validation
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.resume = resume
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
