"""What all estimators share: parameters to options, rows checked, the model and its arrays."""

from __future__ import annotations

import functools
import os
import textwrap
from typing import Any, ClassVar, TypeVar

import joblib
import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from ._data import rows_of, set_names
from ._library import Handle, option_table, parameter_name, sentence
from ._model import Array, Model
from ._training import train

Self = TypeVar("Self", bound="Base")

# Small whole numbers that a float32 holds exactly.
_SMALL = (np.bool_, np.int8, np.int16, np.uint8, np.uint16, np.float16)


def _row_type(X: Any) -> Any:
    """float32 rows stay as they are, and all others become float64 unless float32 holds them."""
    small = getattr(X, "dtype", None) in [np.dtype(kind) for kind in _SMALL]
    return [np.float32] if small else [np.float64, np.float32]


def _thread_count(n_jobs: int | None) -> int | None:
    """None leaves it to the library (all processors), unless joblib tells its workers how many each may use."""
    if n_jobs is not None:
        return int(joblib.effective_n_jobs(n_jobs))
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return int(limit) if limit.isdigit() and int(limit) > 0 else None


def _describe(option: dict[str, str], own: dict[str, str]) -> str:
    name = parameter_name(option["name"])
    text = own.get(name, f"{sentence(option['help'])}. Values: {option['values'].replace('|', ', ')}.")
    wrapped = textwrap.fill(text, 96, initial_indent="        ", subsequent_indent="        ")
    return f"    {name} : default None, which is {option['initial'] or 'none'}\n{wrapped}"


_OWN_WORDS = {
    "random_state": "Where everything random starts: a whole number, a RandomState, or None for the same model every time.",
    "n_jobs": "Threads, as joblib counts them; None: all processors, or OMP_NUM_THREADS. Results do not depend on it.",
    "class_weight": 'Weights of classes: a dict, "balanced", or None.',
    "checkpoint": "A file for the whole state of the training, written now and then, when it is interrupted and at its end.",
    "resume": "True: go on from the checkpoint, to the same model as if nothing had been between; afresh where there is none yet. "
    "It wants the same rows and parameters.",
    "validation": "Fraction of the rows to hold back, the last ones of each class (shuffle sorted rows first); the best parameters "
    "on them are kept.",
    "metric": "What the choices that effort makes are to make good, one of accuracy, balanced, auc, f1 and logloss for classes, rmse "
    "and mae for numbers; auto is accuracy or rmse. With balanced, classes weigh alike in training too. score stays scikit-learn's.",
    "prune": "Share of the features, 0 to 0.99, to take out after a joint training, those that the linear model uses least; the "
    "rest is trained a little more.",
    "teacher": "The file of a larger model of the same rows (see save): the map learns from its scores beside the labels.",
}


def documented(cls: type[Any]) -> type[Any]:
    """Puts what the library's table says of each parameter where the class's text has {parameters}."""
    parameters = cls._get_param_names()
    lines = [_describe(o, _OWN_WORDS) for o in option_table() if parameter_name(o["name"]) in parameters]
    cls.__doc__ = (cls.__doc__ or "").replace("    {parameters}", "\n".join(lines))
    return cls


@functools.cache
def _training_options(parameters: tuple[str, ...]) -> list[tuple[str, str]]:
    """The options of a training that these parameters stand for, each with its own."""
    names = [o["name"] for o in option_table() if "train" in o["purpose"].split()]
    return [(name, parameter_name(name)) for name in names if parameter_name(name) in parameters]


class Base(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A model of the library behind scikit-learn's interface."""

    _fixed: ClassVar[dict[str, Any]] = {}  # options that the class stands for
    _least_rows: ClassVar[int] = 1
    _parameters: ClassVar[tuple[str, ...]]
    _model: Model

    # ---- Parameters ----

    @classmethod
    def _parameter_names(cls) -> tuple[str, ...]:
        if "_parameters" not in cls.__dict__:  # signatures take long to look at
            cls._parameters = tuple(cls._get_param_names())
        return cls._parameters

    def _settings(self) -> dict[str, Any]:
        """Options by name, for a training."""
        values = {option: getattr(self, parameter) for option, parameter in _training_options(self._parameter_names())}
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
        """A number for each row's group."""
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
        """Trains; after Ctrl-C the model so far is kept and KeyboardInterrupt goes on."""
        model, history, interrupted = train(rows, settings, start, bool(getattr(self, "verbose", False)))
        self._adopt(model)
        self.history_ = history
        if interrupted:
            raise KeyboardInterrupt

    def _adopt(self, model: Model) -> None:
        """From now on the estimator is fitted."""
        self._model = model

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
        theta = self._array("theta")
        assert theta is not None
        return theta

    @property
    def phase_(self) -> Array:
        """The phases of the map, (n_components,); zeros where it has none."""
        phase = self._array("phase")
        return np.zeros(self._model.features) if phase is None else phase[0]

    @property
    def offset_(self) -> Array:
        """What is subtracted from the columns before the map, (n_features_in_,)."""
        offset = self._array("offset")
        return np.zeros(self._model.columns) if offset is None else offset[0]

    @property
    def _n_features_out(self) -> int:
        return self._model.features

    def transform(self, X: Any) -> Any:
        """The map's features of X.

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
        """What the model says about itself: the same as ``cnm inspect``."""
        check_is_fitted(self)
        return self._model.description()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a .cnm file, which :func:`cnm.load` and the command read."""
        check_is_fitted(self)
        self._model.save(path)


class HeadMixin:
    """The linear model on top of a map: coef_ and intercept_ for features as transform gives them."""

    _array: Any

    @property
    def coef_(self) -> Array:
        """Weights of the features, (outputs, n_components): scores = transform(X) @ coef_.T + intercept_."""
        head: Array = self._array("head")
        return np.asarray(head.T)

    @property
    def intercept_(self) -> Array:
        bias: Array = self._array("bias")
        return np.asarray(bias[0])
