"""The regressor."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d

from ._base import Base, HeadMixin, documented
from ._data import set_groups, set_targets, set_weights
from ._library import Handle
from ._model import Array, Model
from ._parameters import CNMRegressorParameters
from ._rows import check_one_target, one_pair


@documented
class CNMRegressor(CNMRegressorParameters, HeadMixin, RegressorMixin, Base):
    """Regressor with a compact nonlinear map, learned together with a linear model on top of it.

    y(x) = wᵀ Z(x) + c with Z(x) = √(2/k) cos(Θᵀ x + b).
    Parameters are the options of ``cnm train``; "auto" leaves a choice to the library.
    ``effort="quick"`` trains at once, without a search for hyperparameters.

    {parameters}

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : array of str, where X was a DataFrame
    theta_, phase_, offset_ : arrays of the map
    head_, intercept_ : arrays of the linear model on its features
    feature_importances_ : array of shape (n_features_in_,)
        Permutation importance of each column on training rows
    history_ : dict of arrays
        phase, done, total, loss and validation: 20 points or more of each phase, at steps that do
        not depend on the clock; validation is NaN where the validation rows were not scored
    understood_ : list of str
        What was understood of the rows, as the command says it: shown with ``verbose=True``
    n_iter_ : int
        Steps that were made: fewer than ``history_["total"]`` after early stopping
    best_iteration_ : int or None
        The step whose parameters are kept, the best on validation rows

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

    def _targets(self, X: Any, y: Any, *, reset: bool) -> tuple[Any, Array, Handle]:
        """Returns checked rows, targets, and both for the library."""
        check_one_target(y, type(self).__name__, "MultiOutputRegressor")
        X, y = self._check_both(X, y, reset=reset, numeric=True)
        y, rows = column_or_1d(y, warn=True), self._rows(X)
        set_targets(rows, y)
        return X, y, rows

    def _fit_rows(
        self, X: Any, y: Any, sample_weight: Any, groups: Any, start: Model | None, eval_set: Any = None
    ) -> CNMRegressor:
        X, y, rows = self._targets(X, y, reset=start is None)
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self._keep_sample(X, y, weights)
        set_weights(rows, weights)
        set_groups(rows, self._check_groups(X, groups))
        validation = None if eval_set is None else self._targets(*one_pair(eval_set), reset=False)[2]
        self._learn(rows, self._settings(), start, validation)
        return self

    def _losses(self, X: Any, target: Array) -> Array:
        residuals: Array = self._model.scores(X, self._threads)[:, 0] - target
        return residuals * residuals

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, eval_set: Any = None) -> CNMRegressor:
        """Learns the map and the linear model.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
        groups : array of shape (n_samples,), optional
            Group of each row, as a number or text. No group is split between training and
            validation rows: in ``validation`` and in the search for hyperparameters.
        eval_set : (X, y), optional
            Rows that only validate, instead of a share of the rows (``validation``): the parameters
            that are best on them are kept, ``patience`` counts on them, and ``history_`` has their
            scores.
        """
        start = self._model if self.warm_start and hasattr(self, "_model") else None
        return self._fit_rows(X, y, sample_weight, groups, start, eval_set)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> CNMRegressor:
        """Continues the training with new rows; the first call is a whole training.

        Parameters are those of fit."""
        return self._fit_rows(X, y, sample_weight, groups, getattr(self, "_model", None))

    def predict(self, X: Any) -> Array:
        """Returns the prediction for each row, (n_samples,)."""
        check_is_fitted(self)
        return self._model.scores(self._check_rows(X, reset=False), self._threads)[:, 0]
