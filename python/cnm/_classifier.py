"""The classifier."""

from __future__ import annotations

import os
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d

from ._base import Base, HeadMixin, documented
from ._data import set_groups, set_targets, set_weights, set_words
from ._library import Handle
from ._model import Array, Model


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def class_numbers(labels: list[str], classes: Array) -> Array:
    """For each label of a model its place among the classes. The library takes texts that are numbers for numbers."""
    by_text = {str(value): i for i, value in enumerate(classes)}
    by_number = {_number(text): i for text, i in by_text.items() if _number(text) is not None}
    found = [by_text.get(label, by_number.get(_number(label))) for label in labels]
    if None in found or len(set(found)) != len(classes):
        raise ValueError(f"classes must differ as numbers where they all are numbers: {list(by_text)[:10]}")
    return np.array(found)


def classes_of(labels: list[str]) -> Array:
    """Classes from the labels of a file: whole numbers, numbers or words."""
    numbers = [_number(label) for label in labels]
    if any(number is None for number in numbers):
        return np.array(labels)
    values = np.array(numbers, dtype=float)
    whole = np.all(np.isfinite(values)) and np.all(values == np.round(values)) and np.all(np.abs(values) < 2**53)
    return values.astype(int) if whole else values


@documented
class CNMClassifier(HeadMixin, ClassifierMixin, Base):
    """Classifier with a compact nonlinear map, learned together with the linear model on top of it.

    scores(x) = Wᵀ Z(x) + c with Z(x) = √(2/k) cos(Θᵀ x + b). Parameters are the options of ``cnm train``; None leaves a choice to
    the library. ``effort="quick"`` trains at once, without looking for good settings first.

    Parameters
    ----------
    {parameters}
    verbose : bool, default False
        Show progress: a bar where tqdm is installed.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : array of str, where X was a DataFrame
    theta_, phase_, offset_ : arrays of the map
    coef_, intercept_ : arrays of the linear model on its features
    history_ : dict of arrays: phase, done, total, loss, validation, seconds, about ten entries a second

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cnm import CNMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CNMClassifier(n_components=16, effort="quick", epochs=60).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    >>> model.predict_proba(X[:1]).shape
    (1, 3)
    >>> model.transform(X).shape
    (150, 16)
    """

    _fixed: ClassVar[dict[str, Any]] = {"task": "classify", "class-weight": None}

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
        recipe: Literal["joint", "alternating"] | None = None,
        iterations: int | None = None,
        head_steps: int | None = None,
        map_steps: int | None = None,
        loss: str | None = None,
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
        metric: str | None = None,
        validation: float | None = None,
        patience: int | None = None,
        teacher: str | os.PathLike[str] | None = None,
        prune: float | None = None,
        time_limit: float | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float | None = None,
        resume: bool | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
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
        self.recipe = recipe
        self.iterations = iterations
        self.head_steps = head_steps
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
        self.class_weight = class_weight
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    # ---- Training ----

    def _labelled(self, X: Any, codes: Array, weights: Array | None, groups: Array | None) -> Handle:
        rows = self._rows(X)
        if self.classes_.dtype.kind in "iuf" and np.all(np.abs(self.classes_) < 2.0**53):
            set_targets(rows, self.classes_[codes])
        else:
            set_words(rows, [str(value) for value in self.classes_], codes)
        set_weights(rows, weights)
        set_groups(rows, groups)
        return rows

    def _weigh(self, X: Any, codes: Array, sample_weight: Any) -> Array | None:
        """A row's weight times its class's; None where all are 1."""
        if sample_weight is None and self.class_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        present = np.unique(codes)
        by_class = np.ones(len(self.classes_))
        by_class[present] = compute_class_weight(
            self.class_weight, classes=self.classes_[present], y=self.classes_[codes]
        )
        return np.asarray(weights * by_class[codes])

    def _with_all_classes(
        self, X: Any, codes: Array, weights: Array | None, groups: Array | None
    ) -> tuple[Any, Array, Array | None, Array | None]:
        """A copy of the first row, of weight 0, for each class that has none: the model then knows of it."""
        absent = np.setdiff1d(np.arange(len(self.classes_)), codes)
        if len(absent) == 0:
            return X, codes, weights, groups
        first = np.zeros(len(absent), dtype=int)
        X = sparse.vstack([X, X[first]], format="csr") if sparse.issparse(X) else np.vstack([X, X[first]])
        weights = np.ones(len(codes)) if weights is None else weights
        groups = None if groups is None else np.concatenate([groups, groups[first]])
        return X, np.concatenate([codes, absent]), np.concatenate([weights, np.zeros(len(absent))]), groups

    def _fit_codes(self, X: Any, codes: Array, sample_weight: Any, groups: Any, start: Model | None) -> None:
        weights, groups = self._weigh(X, codes, sample_weight), self._check_groups(X, groups)
        if weights is not None and len(np.unique(codes[weights > 0])) < 2 and start is None:
            raise ValueError("rows of at least two classes with weights above 0 are needed; here is only 1 class")
        if start is None:
            X, codes, weights, groups = self._with_all_classes(X, codes, weights, groups)
        settings = self._settings()
        if self.class_weight is not None:  # in the rows' weights, and the metric shifts nothing then
            settings["class-weight"] = "none"
        self._learn(self._labelled(X, codes, weights, groups), settings, start)

    def _adopt(self, model: Model) -> None:
        self._places = class_numbers(model.labels, self.classes_)
        super()._adopt(model)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> CNMClassifier:
        """Learns map and linear model.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_samples, n_features)
        y : array of shape (n_samples,), of numbers or texts
        sample_weight : array of shape (n_samples,), optional
        groups : array of shape (n_samples,), optional
            Rows that belong together (of one person, one day), by number or text: they are never split between rows that train and
            rows that judge, in ``validation``, the choice of settings and the calibration of probabilities.

        Examples
        --------
        Six looks at each of fifty things; the settings are judged on things that were not trained on.

        >>> import numpy as np
        >>> from cnm import CNMClassifier
        >>> random = np.random.RandomState(0)
        >>> things, side = random.normal(size=(50, 2)), np.arange(50) % 2
        >>> X = np.repeat(things + 2 * side[:, None], 6, axis=0) + 0.1 * random.normal(size=(300, 2))
        >>> model = CNMClassifier(n_components=8, epochs=20).fit(X, np.repeat(side, 6), groups=np.repeat(np.arange(50), 6))
        >>> model.predict([[-1.0, -1.0], [3.0, 3.0]])
        array([0, 1])
        """
        X, y = self._check_both(X, y, reset=True, numeric=False)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"rows of at least two classes are needed; here is only 1 class: {self.classes_[0]!r}")
        self._fit_codes(X, codes, sample_weight, groups, None)
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None, groups: Any = None
    ) -> CNMClassifier:
        """Goes on with new rows; the first call is a whole training.

        Parameters
        ----------
        X, y, sample_weight, groups : as for fit
        classes : array of all classes there will be; for the first call, if y has not all of them
        """
        first = not hasattr(self, "_model")
        X, y = self._check_both(X, y, reset=first, numeric=False)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        if first:
            self.classes_ = np.unique(y if classes is None else classes)
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(f"classes are {np.unique(classes)}, but those of the first call were {self.classes_}")
        codes = np.searchsorted(self.classes_, y)
        if np.any(codes >= len(self.classes_)) or np.any(self.classes_[codes % len(self.classes_)] != y):
            raise ValueError(f"y holds labels that are not among the classes {self.classes_}")
        if len(self.classes_) < 2:
            raise ValueError(f"at least two classes are needed; here is only 1 class: {self.classes_[0]!r}")
        self._fit_codes(X, codes, sample_weight, groups, None if first else self._model)
        return self

    # ---- Prediction ----

    def decision_function(self, X: Any) -> Array:
        """Scores: of the second of two classes, (n_samples,), or one for each class, (n_samples, n_classes)."""
        check_is_fitted(self)
        scores = self._model.scores(self._check_rows(X, reset=False), self._threads)
        if scores.shape[1] == 1:
            return scores[:, 0] if self._places[1] == 1 else -scores[:, 0]
        out = np.empty_like(scores)
        out[:, self._places] = scores
        return out

    def predict(self, X: Any) -> Array:
        """The class of each row, (n_samples,)."""
        check_is_fitted(self)
        numbers = self._model.classes(self._check_rows(X, reset=False), self._threads)
        return np.asarray(self.classes_[self._places[numbers]])

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, (n_samples, n_classes), in the order of classes_.

        The softmax of the scores; for margin losses (hinge and its kin) with a temperature that was calibrated in training.
        With metric="balanced" or "f1" they are those of the rows as they come, and predict need not be the most probable class.
        """
        check_is_fitted(self)
        probabilities = self._model.probabilities(self._check_rows(X, reset=False), self._threads)
        out = np.empty_like(probabilities)
        out[:, self._places] = probabilities
        return out

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of predict_proba."""
        return np.asarray(np.log(self.predict_proba(X)))
