"""Base of all estimators: turns parameters into options, checks rows, owns the model."""

from __future__ import annotations

import inspect
import os
from typing import Any, ClassVar, TypeVar

import joblib
import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from ._data import rows_of, set_names
from ._library import Handle
from ._model import Array, Model
from ._parameters import OPTIONS
from ._training import train

Self = TypeVar("Self", bound="Base")

# Types whose values a float32 represents exactly.
_SMALL = (np.bool_, np.int8, np.int16, np.uint8, np.uint16, np.float16)


def _row_type(X: Any) -> Any:
    """Returns the types that rows may have: float64 unless float32 is enough."""
    small = getattr(X, "dtype", None) in [np.dtype(kind) for kind in _SMALL]
    return [np.float32] if small else [np.float64, np.float32]


def _thread_count(n_jobs: int | None) -> int | None:
    """Returns the number of threads; None leaves it to the library (all processors).

    joblib limits its workers by OMP_NUM_THREADS, which holds here too."""
    if n_jobs is not None:
        return int(joblib.effective_n_jobs(n_jobs))
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return int(limit) if limit.isdigit() and int(limit) > 0 else None


def documented(cls: type[Any]) -> type[Any]:
    """Puts the constructor's docstring into the class's docstring, where {parameters} stands."""
    parameters = inspect.cleandoc(cls.__init__.__doc__ or "")
    cls.__doc__ = inspect.cleandoc(cls.__doc__ or "").replace("{parameters}", parameters)
    return cls


class Base(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A model of the library behind scikit-learn's interface."""

    _fixed: ClassVar[dict[str, Any]] = {}  # options that the class sets
    _least_rows: ClassVar[int] = 1
    _parameters: ClassVar[tuple[str, ...]]
    _model: Model

    # ---- Parameters ----

    @classmethod
    def _parameter_names(cls) -> tuple[str, ...]:
        if "_parameters" not in cls.__dict__:  # inspecting a signature is slow
            cls._parameters = tuple(cls._get_param_names())
        return cls._parameters

    def _settings(self) -> dict[str, Any]:
        """Returns the options of a training by name."""
        values = {OPTIONS[name]: getattr(self, name) for name in self._parameter_names() if name in OPTIONS}
        seed = values.get("seed")
        if seed is not None and not isinstance(seed, (int, np.integer)):
            values["seed"] = int(check_random_state(seed).randint(2**31 - 1))
        values["threads"] = _thread_count(values.get("threads"))
        return {**values, **self._fixed}

    @property
    def _threads(self) -> int:
        return _thread_count(getattr(self, "n_jobs", None)) or 0

    # ---- Rows ----

    def _finite(self) -> Any:
        return "allow-nan" if getattr(self, "missing", None) == "mean" else True

    def _check_rows(self, X: Any, *, reset: bool) -> Any:
        return validate_data(
            self,
            X,
            accept_sparse="csr",
            dtype=_row_type(X),
            ensure_all_finite=self._finite(),
            ensure_min_samples=self._least_rows if reset else 1,
            reset=reset,
        )

    def _check_both(self, X: Any, y: Any, *, reset: bool, numeric: bool) -> tuple[Any, Any]:
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse="csr",
            dtype=_row_type(X),
            ensure_all_finite=self._finite(),
            reset=reset,
            y_numeric=numeric,
        )
        return X, y

    def _check_groups(self, X: Any, groups: Any) -> Array | None:
        """Returns a number for each row's group."""
        if groups is None:
            return None
        names = column_or_1d(groups)
        check_consistent_length(X, names)
        return np.asarray(np.unique(names, return_inverse=True)[1])

    def _rows(self, X: Any) -> Handle:
        rows = rows_of(X)
        set_names(rows, getattr(self, "feature_names_in_", None))
        return rows

    # ---- The model ----

    def _learn(self, rows: Handle, settings: dict[str, Any], start: Model | None = None) -> None:
        """Trains a model and adopts it; after Ctrl-C adopts the model so far and raises."""
        model, understood, interrupted = train(rows, settings, start, bool(getattr(self, "verbose", False)))
        self._adopt(model)
        self.history_ = model.history()
        self.understood_ = understood
        if interrupted:
            raise KeyboardInterrupt

    def _adopt(self, model: Model) -> None:
        """Makes the model that of this estimator, which is fitted then."""
        self._model = model

    def _described(self, *keys: str) -> int | None:
        """Returns the first of these entries of the model's description as a whole number, or None."""
        if not hasattr(self, "_model"):
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        description = self._model.description()
        return next((int(float(description[key])) for key in keys if key in description), None)

    @property
    def n_iter_(self) -> int:
        """Steps of the training that were made; iterations where the head was solved for."""
        made = self._described("steps", "head_iterations")
        if made is None:  # a map without a head
            made = int(self.history_["done"][-1]) if len(self.history_.get("done", ())) > 0 else 1
        return made

    @property
    def best_iteration_(self) -> int | None:
        """The step with the best score on validation rows, whose parameters are kept; None without such rows."""
        return self._described("best_step")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._finite() == "allow-nan"
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags

    def _array(self, name: str) -> Array | None:
        if not hasattr(self, "_model"):
            raise AttributeError(f"this {type(self).__name__} is not fitted yet: it has no {name}")
        return self._model.array(name)

    @property
    def theta_(self) -> Array:
        """The matrix of the map, (n_features_in_, n_components), whatever the projection."""
        thetas = self.thetas_
        if len(thetas) > 1:
            raise AttributeError(f"a map of {len(thetas)} layers has no theta_: thetas_ has one for each layer")
        return thetas[0]

    @property
    def thetas_(self) -> list[Array]:
        """The matrices of the map's layers, from the first to the last."""
        first = self._array("theta")
        count = self._model.description().get("layers", "").count(",") + 1
        thetas = [first, *(self._array(f"layer{i}.theta") for i in range(2, count + 1))]
        return [theta for theta in thetas if theta is not None]

    @property
    def phase_(self) -> Array:
        """The phases of the map, (n_components,); zeros where it has none."""
        phase = self._array("phase")
        return np.zeros(self._model.features) if phase is None else phase[0]

    @property
    def offset_(self) -> Array:
        """The means that are subtracted from the columns before the map, (n_features_in_,)."""
        offset = self._array("offset")
        return np.zeros(self._model.columns) if offset is None else offset[0]

    @property
    def _n_features_out(self) -> int:
        return self._model.features

    def transform(self, X: Any) -> Any:
        """Returns the map's features of X.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        Z : float32 array of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        return self._model.transform(self._check_rows(X, reset=False), self._threads)

    def describe(self) -> dict[str, str]:
        """Returns the model's description: that of ``cnm inspect``."""
        check_is_fitted(self)
        return self._model.description()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a .cnm file, which :func:`cnm.load` and the command read."""
        check_is_fitted(self)
        self._model.save(path)


class HeadMixin:
    """The linear model on the features that transform returns."""

    _array: Any

    @property
    def coef_(self) -> Array:
        """Weights of the features, (outputs, n_components).

        Scores are transform(X) @ coef_.T + intercept_."""
        head: Array = self._array("head")
        return np.asarray(head.T)

    @property
    def intercept_(self) -> Array:
        """Intercepts of the scores, (outputs,)."""
        bias: Array = self._array("bias")
        return np.asarray(bias[0])
