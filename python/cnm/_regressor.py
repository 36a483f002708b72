"""The regressor."""

from __future__ import annotations

import os
from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d

from ._base import Base, HeadMixin, documented
from ._data import set_groups, set_targets, set_weights
from ._model import Array, Model


@documented
class CNMRegressor(HeadMixin, RegressorMixin, Base):
    """Regressor with a compact nonlinear map, learned together with the linear model on top of it.

    y(x) = wᵀ Z(x) + c with Z(x) = √(2/k) cos(Θᵀ x + b). Parameters are the options of ``cnm train``; None leaves a choice to the
    library. ``effort="quick"`` trains at once, without looking for good settings first.

    Parameters
    ----------
    {parameters}
    verbose : bool, default False
        Show progress: a bar where tqdm is installed.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : array of str, where X was a DataFrame
    theta_, phase_, offset_ : arrays of the map
    coef_, intercept_ : arrays of the linear model on its features
    history_ : dict of arrays: phase, done, total, loss, validation, seconds, about ten entries a second

    Examples
    --------
    >>> import numpy as np
    >>> from cnm import CNMRegressor
    >>> X = np.linspace(-3, 3, 300, dtype=np.float32).reshape(-1, 1)
    >>> y = np.sin(2 * X[:, 0])
    >>> model = CNMRegressor(n_components=16, effort="quick", epochs=60).fit(X, y)
    >>> bool(model.score(X, y) > 0.99)
    True
    """

    _fixed: ClassVar[dict[str, Any]] = {"task": "regress"}

    def __init__(
        self,
        *,
        method: Literal["cnm", "rff", "kernel", "linear"] | None = None,
        n_components: int | None = None,
        projection: Literal["dense", "circulant", "circulant-diagonal"] | None = None,
        init: Literal["auto", "random", "orthogonal"] | None = None,
        phase: Literal["uniform", "none"] | None = None,
        kernel: Literal["gaussian", "laplacian", "cauchy"] | None = None,
        gamma: float | str | None = None,
        activation: Literal["cos", "sigmoid", "relu"] | None = None,
        weights: Literal["auto", "f32", "f16"] | None = None,
        map_steps: int | None = None,
        loss: Literal["auto", "squared", "huber", "epsilon"] | None = None,
        alpha: float | None = None,
        theta_penalty: str | None = None,
        epochs: int | None = None,
        batch: int | None = None,
        noise: float | None = None,
        decay: float | None = None,
        hold: float | None = None,
        imitate: Literal["auto", "yes", "no"] | None = None,
        shift: float | None = None,
        drift: float | None = None,
        effort: Literal["quick", "normal", "thorough"] | None = None,
        metric: Literal["auto", "rmse", "mae"] | None = None,
        validation: float | None = None,
        patience: int | None = None,
        teacher: str | os.PathLike[str] | None = None,
        prune: float | None = None,
        time_limit: float | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float | None = None,
        resume: bool | None = None,
        scale: str | None = None,
        missing: Literal["error", "mean"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.n_components = n_components
        self.projection = projection
        self.init = init
        self.phase = phase
        self.kernel = kernel
        self.gamma = gamma
        self.activation = activation
        self.weights = weights
        self.map_steps = map_steps
        self.loss = loss
        self.alpha = alpha
        self.theta_penalty = theta_penalty
        self.epochs = epochs
        self.batch = batch
        self.noise = noise
        self.decay = decay
        self.hold = hold
        self.imitate = imitate
        self.shift = shift
        self.drift = drift
        self.effort = effort
        self.metric = metric
        self.validation = validation
        self.patience = patience
        self.teacher = teacher
        self.prune = prune
        self.time_limit = time_limit
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.resume = resume
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit_rows(self, X: Any, y: Any, sample_weight: Any, groups: Any, start: Model | None) -> CNMRegressor:
        X, y = self._check_both(X, y, reset=start is None, numeric=True)
        rows = self._rows(X)
        set_targets(rows, column_or_1d(y, warn=True))
        if sample_weight is not None:
            set_weights(rows, _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True))
        set_groups(rows, self._check_groups(X, groups))
        self._learn(rows, self._settings(), start)
        return self

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> CNMRegressor:
        """Learns map and linear model.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
        groups : array of shape (n_samples,), optional
            Rows that belong together, by number or text: they are never split between rows that train and rows that judge, in
            ``validation`` and the choice of settings.
        """
        return self._fit_rows(X, y, sample_weight, groups, None)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> CNMRegressor:
        """Goes on with new rows; the first call is a whole training. Parameters are those of fit."""
        return self._fit_rows(X, y, sample_weight, groups, getattr(self, "_model", None))

    def predict(self, X: Any) -> Array:
        """The number for each row, (n_samples,)."""
        check_is_fitted(self)
        return self._model.scores(self._check_rows(X, reset=False), self._threads)[:, 0]
