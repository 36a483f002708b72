"""Constructors of the estimators, written by scripts/reference from the table of options."""

from __future__ import annotations

import os
from typing import Any, Literal

import numpy as np

# CNM_VERSION of the library that has this table.
VERSION_NUMBER = 100

# The option of each parameter.
OPTIONS = {
    "method": "method",
    "n_components": "features",
    "projection": "projection",
    "layers": "layers",
    "init": "init",
    "phase": "phase",
    "kernel": "kernel",
    "gamma": "gamma",
    "activation": "activation",
    "dtype": "dtype",
    "recipe": "recipe",
    "iterations": "iterations",
    "head_steps": "head-steps",
    "map_steps": "map-steps",
    "loss": "loss",
    "quantile": "quantile",
    "alpha": "lambda",
    "theta_penalty": "theta-penalty",
    "epochs": "epochs",
    "batch": "batch",
    "difference_noise": "difference-noise",
    "translate": "translate",
    "noise": "noise",
    "decay": "decay",
    "map_rate": "map-rate",
    "distill": "distill",
    "estimate": "estimate",
    "effort": "effort",
    "metric": "metric",
    "teacher": "teacher",
    "skip": "skip",
    "prune": "prune",
    "validation": "validation",
    "patience": "patience",
    "time_limit": "time-limit",
    "class_weight": "class-weight",
    "checkpoint": "checkpoint",
    "checkpoint_every": "checkpoint-every",
    "resume": "resume",
    "scale": "scale",
    "missing": "missing",
    "random_state": "seed",
    "n_jobs": "threads",
}


class CNMClassifierParameters:
    """Parameters of :class:`CNMClassifier`."""

    def __init__(
        self,
        *,
        method: Literal["cnm", "rff", "kernel-approximation", "linear"] | None = None,
        n_components: int | None = None,
        projection: Literal["dense", "circulant", "circulant-diagonal"] | None = None,
        layers: str | tuple[int | str, ...] | None = None,
        init: Literal["auto", "random", "orthogonal"] | None = None,
        phase: Literal["uniform", "none"] | None = None,
        kernel: Literal["gaussian", "laplacian", "cauchy"] | None = None,
        gamma: float | str | None = None,
        activation: Literal["cos", "sigmoid", "relu"] | None = None,
        dtype: Literal["auto", "f32", "f16"] | None = None,
        recipe: Literal["joint", "alternating"] | None = None,
        iterations: int | None = None,
        head_steps: int | None = None,
        map_steps: int | None = None,
        loss: Literal["auto", "hinge", "squared-hinge", "logistic", "softmax", "crammer-singer"] | None = None,
        alpha: float | None = None,
        theta_penalty: str | None = None,
        epochs: int | None = None,
        batch: int | None = None,
        difference_noise: float | None = None,
        translate: float | None = None,
        noise: float | None = None,
        decay: float | None = None,
        map_rate: float | None = None,
        distill: Literal["auto", "yes", "no"] | None = None,
        estimate: Literal["auto", "yes", "no"] | None = None,
        effort: Literal["quick", "normal", "thorough"] | None = None,
        metric: Literal["auto", "accuracy", "balanced", "auc", "f1", "logloss"] | None = None,
        teacher: str | os.PathLike[str] | None = None,
        skip: str | None = None,
        prune: float | None = None,
        validation: float | None = None,
        patience: int | None = None,
        time_limit: float | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float | None = None,
        resume: bool | None = None,
        scale: Literal["auto", "none", "global", "standard", "range", "asinh", "wide", "quantile"] | None = None,
        missing: Literal["auto", "mean", "error"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        """
        Parameters
        ----------
        method : {"cnm", "rff", "kernel-approximation", "linear"}, default None (cnm)
            The map: cnm learns it with the task, rff draws random Fourier features,
            kernel-approximation fits features to the kernel, linear has no map.
        n_components : int, default None (auto)
            Number of features k of the map; auto = 128, or a number from 64 to 512 that
            ``method="cnm"`` chooses on validation rows for a dense map. Values: auto, 1 to 1e9.
        projection : {"dense", "circulant", "circulant-diagonal"}, default None (dense)
            dense learns any theta; circulant takes O(k log d) time and O(k) memory instead of O(k
            d); circulant-diagonal also learns a diagonal.
        layers : str or tuple, default None
            Layers of the map, of which each takes the features of the one before: 128,64 or
            circulant-diagonal:784,dense:64; in place of ``projection`` and ``n_components``, which
            are one layer. (128, 64) is 128,64.
        init : {"auto", "random", "orthogonal"}, default None (auto)
            Draw the columns of theta independently, or in orthogonal blocks (Gaussian kernel only);
            auto = random, but orthogonal where a joint training keeps the random map.
        phase : {"uniform", "none"}, default None (uniform)
            Random phases from [0, 2 pi), or no phases.
        kernel : {"gaussian", "laplacian", "cauchy"}, default None (gaussian)
            The kernel that random features approximate; learned features start from them.
        gamma : float or str, default None (auto)
            Bandwidth: K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to
            the 50th neighbour; auto = knn, and a joint training may change it. Values: auto, knn,
            paper, a number from 1e-20 to 1e20.
        activation : {"cos", "sigmoid", "relu"}, default None (cos)
            The function behind the projection.
        dtype : {"auto", "f32", "f16"}, default None (auto)
            Floating-point type of the model's weights; auto = f16 where at most 1 in 1000
            predictions for training rows changes.
        recipe : {"joint", "alternating"}, default None (joint)
            How ``method="cnm"`` trains: map and head together, or in turn as in the paper's
            Algorithms 1-3 (hinge loss).
        iterations : int, default None (auto)
            Iterations of ``recipe="alternating"``; auto = 200. Values: auto, 1 to 1e9.
        head_steps : int, default None (auto)
            Steps of the head in an iteration of ``recipe="alternating"``; auto = 100. Values: auto,
            1 to 1e9.
        map_steps : int, default None (auto)
            Steps of the map: in an iteration of ``recipe="alternating"``, auto = 100; of
            ``method="kernel-approximation"``, auto = 1000. Values: auto, 1 to 1e9.
        loss : str, default None (auto)
            auto = softmax for ``method="cnm"`` ``recipe="joint"``, otherwise hinge; for regression
            squared, or huber where targets have outliers that other rows do not predict. Values:
            auto, hinge, squared-hinge, logistic, softmax, crammer-singer.
        alpha : float, default None (auto)
            Weight of the L2 penalty on the head; auto = 0, 0.001, or what validation rows prefer,
            for ``recipe="joint"``; otherwise 1/rows, at least 1e-4. Values: auto, 1e-12 to 1e6.
        theta_penalty : str, default None (none)
            Penalty on a learned theta: V times the sum of |theta|, or of theta^2 / 2. Values: none,
            l1:V, l2:V.
        epochs : int, default None (auto)
            Passes over the rows; auto = 25, and at least 5000 to 16000 steps (the fewer columns,
            the more), for ``recipe="joint"``; 10000 steps for a head alone. Values: auto, 1 to 1e6.
        batch : int, default None (auto)
            Rows in a mini-batch; auto = rows/16, from 16 to 256, for ``recipe="joint"``, otherwise
            500. Values: auto, 1 to 1e6.
        difference_noise : float, default None (auto)
            Noise on the rows of a joint training along the differences of other rows, in units of a
            difference; auto: chosen on validation rows. Values: auto, 0 to 10.
        translate : float, default None (auto)
            Random translation of rows that are square images, in a joint training, in pixels; 0
            also turns off mirroring; auto: chosen on validation rows. Values: auto, 0 to 10.
        noise : float, default None (auto)
            Gaussian noise on the rows of a joint training, in units of s / sqrt(d), s as for
            ``gamma``; auto: chosen on validation rows. Values: auto, 0 to 100.
        decay : float, default None (auto)
            Weight decay of theta in a joint training; auto: chosen on validation rows. Values:
            auto, 0 to 100.
        map_rate : float, default None (auto)
            Learning rate of the map in a joint training: 1 learns the map in full, 0 keeps the
            random map and solves for the head; auto = 1 where rows are many, otherwise chosen on
            validation rows. Values: auto, 0 to 1.
        distill : {"auto", "yes", "no"}, default None (auto)
            After a joint training on at most 2000 rows, distil an ensemble of kernel ridge models
            into the model; auto = yes where their leave-one-out loss is low enough.
        estimate : {"auto", "yes", "no"}, default None (auto)
            Train once more without a fifth of the rows and score that model on them, beside a
            linear one and a constant; auto = no, but yes for the command cnm train where no rows
            are held out otherwise.
        effort : {"quick", "normal", "thorough"}, default None (normal)
            How much work to spend on choosing map rate, scaling, width, noise and decay before a
            training: none (and a third of the steps), up to twice, or up to ten times the training.
        metric : {"auto", "accuracy", "balanced", "auc", "f1", "logloss"}, default None (auto)
            The metric that such choices optimise and predict shows; balanced and f1 also set
            decision thresholds; auto = accuracy, or rmse for regression. The method score stays
            scikit-learn's.
        teacher : str or path, default None
            A larger model of the same rows: a joint training learns from its scores, too.
        skip : str, default None
            Stages of a training to leave out, to see what each is worth: detect, estimate, search,
            distill, prune or calibrate.
        prune : float, default None (0)
            Share of the features to remove after a joint training, those that change the scores
            least; the others are then trained a little more.
        validation : float, default None
            Fraction of the rows to hold out for validation, the last ones of each class (shuffle
            sorted rows first). The best parameters on them are kept.
        patience : int, default None (auto)
            Stop after N validations without progress (a joint training has 20, an alternating one
            has one each iteration); auto = never. Values: auto, 1 to 1e6.
        time_limit : float, default None (none)
            Seconds that a joint training may take, reading aside: it then tries and trains less,
            and another run may differ. Values: none, 1e-3 to 1e9.
        class_weight : dict or "balanced", default None
            Weights of classes in training.
        checkpoint : str or path, default None
            Write the state of the training to this file now and then, and when it is interrupted.
        checkpoint_every : float, default None (auto)
            Seconds between checkpoints; auto = 60. Values: auto, 1e-3 to 1e9.
        resume : bool, default None (no)
            Continue from the checkpoint, to the same model as without the interruption; start anew
            where there is no checkpoint yet. Needs the same rows and parameters.
        scale : str, default None (auto)
            How columns are scaled; fitted on the training rows and kept in the model. Values: auto,
            none, global, standard, range, asinh, wide, quantile.
        missing : {"auto", "mean", "error"}, default None (auto)
            Empty cells, ?, NA and nan: filled with the column's mean (kept in the model), with auto
            also noted in a feature of their own where they are many; or an error.
        random_state : int or RandomState, default None
            Seed of everything random. None gives the same model every time.
        n_jobs : int, default None
            Number of threads, as joblib counts them. None: all processors, or OMP_NUM_THREADS.
            Results do not depend on it.
        verbose : bool, default False
            Show progress: a bar where tqdm is installed.
        """
        self.method = method
        self.n_components = n_components
        self.projection = projection
        self.layers = layers
        self.init = init
        self.phase = phase
        self.kernel = kernel
        self.gamma = gamma
        self.activation = activation
        self.dtype = dtype
        self.recipe = recipe
        self.iterations = iterations
        self.head_steps = head_steps
        self.map_steps = map_steps
        self.loss = loss
        self.alpha = alpha
        self.theta_penalty = theta_penalty
        self.epochs = epochs
        self.batch = batch
        self.difference_noise = difference_noise
        self.translate = translate
        self.noise = noise
        self.decay = decay
        self.map_rate = map_rate
        self.distill = distill
        self.estimate = estimate
        self.effort = effort
        self.metric = metric
        self.teacher = teacher
        self.skip = skip
        self.prune = prune
        self.validation = validation
        self.patience = patience
        self.time_limit = time_limit
        self.class_weight = class_weight
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.resume = resume
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class CNMRegressorParameters:
    """Parameters of :class:`CNMRegressor`."""

    def __init__(
        self,
        *,
        method: Literal["cnm", "rff", "kernel-approximation", "linear"] | None = None,
        n_components: int | None = None,
        projection: Literal["dense", "circulant", "circulant-diagonal"] | None = None,
        layers: str | tuple[int | str, ...] | None = None,
        init: Literal["auto", "random", "orthogonal"] | None = None,
        phase: Literal["uniform", "none"] | None = None,
        kernel: Literal["gaussian", "laplacian", "cauchy"] | None = None,
        gamma: float | str | None = None,
        activation: Literal["cos", "sigmoid", "relu"] | None = None,
        dtype: Literal["auto", "f32", "f16"] | None = None,
        map_steps: int | None = None,
        loss: Literal["auto", "squared", "huber", "epsilon", "quantile"] | None = None,
        quantile: float | None = None,
        alpha: float | None = None,
        theta_penalty: str | None = None,
        epochs: int | None = None,
        batch: int | None = None,
        difference_noise: float | None = None,
        translate: float | None = None,
        noise: float | None = None,
        decay: float | None = None,
        map_rate: float | None = None,
        distill: Literal["auto", "yes", "no"] | None = None,
        estimate: Literal["auto", "yes", "no"] | None = None,
        effort: Literal["quick", "normal", "thorough"] | None = None,
        metric: Literal["auto", "rmse", "mae"] | None = None,
        teacher: str | os.PathLike[str] | None = None,
        skip: str | None = None,
        prune: float | None = None,
        validation: float | None = None,
        patience: int | None = None,
        time_limit: float | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float | None = None,
        resume: bool | None = None,
        scale: Literal["auto", "none", "global", "standard", "range", "asinh", "wide", "quantile"] | None = None,
        missing: Literal["auto", "mean", "error"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        """
        Parameters
        ----------
        method : {"cnm", "rff", "kernel-approximation", "linear"}, default None (cnm)
            The map: cnm learns it with the task, rff draws random Fourier features,
            kernel-approximation fits features to the kernel, linear has no map.
        n_components : int, default None (auto)
            Number of features k of the map; auto = 128, or a number from 64 to 512 that
            ``method="cnm"`` chooses on validation rows for a dense map. Values: auto, 1 to 1e9.
        projection : {"dense", "circulant", "circulant-diagonal"}, default None (dense)
            dense learns any theta; circulant takes O(k log d) time and O(k) memory instead of O(k
            d); circulant-diagonal also learns a diagonal.
        layers : str or tuple, default None
            Layers of the map, of which each takes the features of the one before: 128,64 or
            circulant-diagonal:784,dense:64; in place of ``projection`` and ``n_components``, which
            are one layer. (128, 64) is 128,64.
        init : {"auto", "random", "orthogonal"}, default None (auto)
            Draw the columns of theta independently, or in orthogonal blocks (Gaussian kernel only);
            auto = random, but orthogonal where a joint training keeps the random map.
        phase : {"uniform", "none"}, default None (uniform)
            Random phases from [0, 2 pi), or no phases.
        kernel : {"gaussian", "laplacian", "cauchy"}, default None (gaussian)
            The kernel that random features approximate; learned features start from them.
        gamma : float or str, default None (auto)
            Bandwidth: K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to
            the 50th neighbour; auto = knn, and a joint training may change it. Values: auto, knn,
            paper, a number from 1e-20 to 1e20.
        activation : {"cos", "sigmoid", "relu"}, default None (cos)
            The function behind the projection.
        dtype : {"auto", "f32", "f16"}, default None (auto)
            Floating-point type of the model's weights; auto = f16 where at most 1 in 1000
            predictions for training rows changes.
        map_steps : int, default None (auto)
            Steps of the map: in an iteration of ``--recipe alternating``, auto = 100; of
            ``method="kernel-approximation"``, auto = 1000. Values: auto, 1 to 1e9.
        loss : {"auto", "squared", "huber", "epsilon", "quantile"}, default None (auto)
            auto = softmax for ``method="cnm"`` ``--recipe joint``, otherwise hinge; for regression
            squared, or huber where targets have outliers that other rows do not predict.
        quantile : float, default None (auto)
            The quantile that ``loss="quantile"`` predicts: with 0.9, nine of ten targets are
            expected below their prediction; auto = 0.5, the median. Values: auto, 0.001 to 0.999.
        alpha : float, default None (auto)
            Weight of the L2 penalty on the head; auto = 0, 0.001, or what validation rows prefer,
            for ``--recipe joint``; otherwise 1/rows, at least 1e-4. Values: auto, 1e-12 to 1e6.
        theta_penalty : str, default None (none)
            Penalty on a learned theta: V times the sum of |theta|, or of theta^2 / 2. Values: none,
            l1:V, l2:V.
        epochs : int, default None (auto)
            Passes over the rows; auto = 25, and at least 5000 to 16000 steps (the fewer columns,
            the more), for ``--recipe joint``; 10000 steps for a head alone. Values: auto, 1 to 1e6.
        batch : int, default None (auto)
            Rows in a mini-batch; auto = rows/16, from 16 to 256, for ``--recipe joint``, otherwise
            500. Values: auto, 1 to 1e6.
        difference_noise : float, default None (auto)
            Noise on the rows of a joint training along the differences of other rows, in units of a
            difference; auto: chosen on validation rows. Values: auto, 0 to 10.
        translate : float, default None (auto)
            Random translation of rows that are square images, in a joint training, in pixels; 0
            also turns off mirroring; auto: chosen on validation rows. Values: auto, 0 to 10.
        noise : float, default None (auto)
            Gaussian noise on the rows of a joint training, in units of s / sqrt(d), s as for
            ``gamma``; auto: chosen on validation rows. Values: auto, 0 to 100.
        decay : float, default None (auto)
            Weight decay of theta in a joint training; auto: chosen on validation rows. Values:
            auto, 0 to 100.
        map_rate : float, default None (auto)
            Learning rate of the map in a joint training: 1 learns the map in full, 0 keeps the
            random map and solves for the head; auto = 1 where rows are many, otherwise chosen on
            validation rows. Values: auto, 0 to 1.
        distill : {"auto", "yes", "no"}, default None (auto)
            After a joint training on at most 2000 rows, distil an ensemble of kernel ridge models
            into the model; auto = yes where their leave-one-out loss is low enough.
        estimate : {"auto", "yes", "no"}, default None (auto)
            Train once more without a fifth of the rows and score that model on them, beside a
            linear one and a constant; auto = no, but yes for the command cnm train where no rows
            are held out otherwise.
        effort : {"quick", "normal", "thorough"}, default None (normal)
            How much work to spend on choosing map rate, scaling, width, noise and decay before a
            training: none (and a third of the steps), up to twice, or up to ten times the training.
        metric : {"auto", "rmse", "mae"}, default None (auto)
            The metric that such choices optimise and predict shows; balanced and f1 also set
            decision thresholds; auto = accuracy, or rmse for regression. The method score stays
            scikit-learn's.
        teacher : str or path, default None
            A larger model of the same rows: a joint training learns from its scores, too.
        skip : str, default None
            Stages of a training to leave out, to see what each is worth: detect, estimate, search,
            distill, prune or calibrate.
        prune : float, default None (0)
            Share of the features to remove after a joint training, those that change the scores
            least; the others are then trained a little more.
        validation : float, default None
            Fraction of the rows to hold out for validation, the last ones of each class (shuffle
            sorted rows first). The best parameters on them are kept.
        patience : int, default None (auto)
            Stop after N validations without progress (a joint training has 20, an alternating one
            has one each iteration); auto = never. Values: auto, 1 to 1e6.
        time_limit : float, default None (none)
            Seconds that a joint training may take, reading aside: it then tries and trains less,
            and another run may differ. Values: none, 1e-3 to 1e9.
        checkpoint : str or path, default None
            Write the state of the training to this file now and then, and when it is interrupted.
        checkpoint_every : float, default None (auto)
            Seconds between checkpoints; auto = 60. Values: auto, 1e-3 to 1e9.
        resume : bool, default None (no)
            Continue from the checkpoint, to the same model as without the interruption; start anew
            where there is no checkpoint yet. Needs the same rows and parameters.
        scale : str, default None (auto)
            How columns are scaled; fitted on the training rows and kept in the model. Values: auto,
            none, global, standard, range, asinh, wide, quantile.
        missing : {"auto", "mean", "error"}, default None (auto)
            Empty cells, ?, NA and nan: filled with the column's mean (kept in the model), with auto
            also noted in a feature of their own where they are many; or an error.
        random_state : int or RandomState, default None
            Seed of everything random. None gives the same model every time.
        n_jobs : int, default None
            Number of threads, as joblib counts them. None: all processors, or OMP_NUM_THREADS.
            Results do not depend on it.
        verbose : bool, default False
            Show progress: a bar where tqdm is installed.
        """
        self.method = method
        self.n_components = n_components
        self.projection = projection
        self.layers = layers
        self.init = init
        self.phase = phase
        self.kernel = kernel
        self.gamma = gamma
        self.activation = activation
        self.dtype = dtype
        self.map_steps = map_steps
        self.loss = loss
        self.quantile = quantile
        self.alpha = alpha
        self.theta_penalty = theta_penalty
        self.epochs = epochs
        self.batch = batch
        self.difference_noise = difference_noise
        self.translate = translate
        self.noise = noise
        self.decay = decay
        self.map_rate = map_rate
        self.distill = distill
        self.estimate = estimate
        self.effort = effort
        self.metric = metric
        self.teacher = teacher
        self.skip = skip
        self.prune = prune
        self.validation = validation
        self.patience = patience
        self.time_limit = time_limit
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.resume = resume
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class RandomFourierMapParameters:
    """Parameters of :class:`RandomFourierMap`."""

    def __init__(
        self,
        *,
        n_components: int | None = None,
        init: Literal["auto", "random", "orthogonal"] | None = None,
        phase: Literal["uniform", "none"] | None = None,
        kernel: Literal["gaussian", "laplacian", "cauchy"] | None = None,
        gamma: float | str | None = None,
        activation: Literal["cos", "sigmoid", "relu"] | None = None,
        scale: Literal["auto", "none", "global", "standard", "range", "asinh", "wide", "quantile"] | None = None,
        missing: Literal["auto", "mean", "error"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """
        Parameters
        ----------
        n_components : int, default None (auto)
            Number of features k of the map; auto = 128, or a number from 64 to 512 that ``--method
            cnm`` chooses on validation rows for a dense map. Values: auto, 1 to 1e9.
        init : {"auto", "random", "orthogonal"}, default None (auto)
            Draw the columns of theta independently, or in orthogonal blocks (Gaussian kernel only);
            auto = random, but orthogonal where a joint training keeps the random map.
        phase : {"uniform", "none"}, default None (uniform)
            Random phases from [0, 2 pi), or no phases.
        kernel : {"gaussian", "laplacian", "cauchy"}, default None (gaussian)
            The kernel that random features approximate; learned features start from them.
        gamma : float or str, default None (auto)
            Bandwidth: K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to
            the 50th neighbour; auto = knn, and a joint training may change it. Values: auto, knn,
            paper, a number from 1e-20 to 1e20.
        activation : {"cos", "sigmoid", "relu"}, default None (cos)
            The function behind the projection.
        scale : str, default None (auto)
            How columns are scaled; fitted on the training rows and kept in the model. Values: auto,
            none, global, standard, range, asinh, wide, quantile.
        missing : {"auto", "mean", "error"}, default None (auto)
            Empty cells, ?, NA and nan: filled with the column's mean (kept in the model), with auto
            also noted in a feature of their own where they are many; or an error.
        random_state : int or RandomState, default None
            Seed of everything random. None gives the same model every time.
        n_jobs : int, default None
            Number of threads, as joblib counts them. None: all processors, or OMP_NUM_THREADS.
            Results do not depend on it.
        """
        self.n_components = n_components
        self.init = init
        self.phase = phase
        self.kernel = kernel
        self.gamma = gamma
        self.activation = activation
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs


class CirculantMapParameters:
    """Parameters of :class:`CirculantMap`."""

    def __init__(
        self,
        *,
        n_components: int | None = None,
        phase: Literal["uniform", "none"] | None = None,
        kernel: Literal["gaussian", "laplacian", "cauchy"] | None = None,
        gamma: float | str | None = None,
        activation: Literal["cos", "sigmoid", "relu"] | None = None,
        scale: Literal["auto", "none", "global", "standard", "range", "asinh", "wide", "quantile"] | None = None,
        missing: Literal["auto", "mean", "error"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """
        Parameters
        ----------
        n_components : int, default None (auto)
            Number of features k of the map; auto = 128, or a number from 64 to 512 that ``--method
            cnm`` chooses on validation rows for a dense map. Values: auto, 1 to 1e9.
        phase : {"uniform", "none"}, default None (uniform)
            Random phases from [0, 2 pi), or no phases.
        kernel : {"gaussian", "laplacian", "cauchy"}, default None (gaussian)
            The kernel that random features approximate; learned features start from them.
        gamma : float or str, default None (auto)
            Bandwidth: K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to
            the 50th neighbour; auto = knn, and a joint training may change it. Values: auto, knn,
            paper, a number from 1e-20 to 1e20.
        activation : {"cos", "sigmoid", "relu"}, default None (cos)
            The function behind the projection.
        scale : str, default None (auto)
            How columns are scaled; fitted on the training rows and kept in the model. Values: auto,
            none, global, standard, range, asinh, wide, quantile.
        missing : {"auto", "mean", "error"}, default None (auto)
            Empty cells, ?, NA and nan: filled with the column's mean (kept in the model), with auto
            also noted in a feature of their own where they are many; or an error.
        random_state : int or RandomState, default None
            Seed of everything random. None gives the same model every time.
        n_jobs : int, default None
            Number of threads, as joblib counts them. None: all processors, or OMP_NUM_THREADS.
            Results do not depend on it.
        """
        self.n_components = n_components
        self.phase = phase
        self.kernel = kernel
        self.gamma = gamma
        self.activation = activation
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs


class CompactKernelMapParameters:
    """Parameters of :class:`CompactKernelMap`."""

    def __init__(
        self,
        *,
        n_components: int | None = None,
        projection: Literal["dense", "circulant", "circulant-diagonal"] | None = None,
        init: Literal["auto", "random", "orthogonal"] | None = None,
        phase: Literal["uniform", "none"] | None = None,
        kernel: Literal["gaussian", "laplacian", "cauchy"] | None = None,
        gamma: float | str | None = None,
        activation: Literal["cos", "sigmoid", "relu"] | None = None,
        map_steps: int | None = None,
        theta_penalty: str | None = None,
        batch: int | None = None,
        validation: float | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float | None = None,
        resume: bool | None = None,
        scale: Literal["auto", "none", "global", "standard", "range", "asinh", "wide", "quantile"] | None = None,
        missing: Literal["auto", "mean", "error"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        """
        Parameters
        ----------
        n_components : int, default None (auto)
            Number of features k of the map; auto = 128, or a number from 64 to 512 that ``--method
            cnm`` chooses on validation rows for a dense map. Values: auto, 1 to 1e9.
        projection : {"dense", "circulant", "circulant-diagonal"}, default None (dense)
            dense learns any theta; circulant takes O(k log d) time and O(k) memory instead of O(k
            d); circulant-diagonal also learns a diagonal.
        init : {"auto", "random", "orthogonal"}, default None (auto)
            Draw the columns of theta independently, or in orthogonal blocks (Gaussian kernel only);
            auto = random, but orthogonal where a joint training keeps the random map.
        phase : {"uniform", "none"}, default None (uniform)
            Random phases from [0, 2 pi), or no phases.
        kernel : {"gaussian", "laplacian", "cauchy"}, default None (gaussian)
            The kernel that random features approximate; learned features start from them.
        gamma : float or str, default None (auto)
            Bandwidth: K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to
            the 50th neighbour; auto = knn, and a joint training may change it. Values: auto, knn,
            paper, a number from 1e-20 to 1e20.
        activation : {"cos", "sigmoid", "relu"}, default None (cos)
            The function behind the projection.
        map_steps : int, default None (auto)
            Steps of the map: in an iteration of ``--recipe alternating``, auto = 100; of ``--method
            kernel-approximation``, auto = 1000. Values: auto, 1 to 1e9.
        theta_penalty : str, default None (none)
            Penalty on a learned theta: V times the sum of |theta|, or of theta^2 / 2. Values: none,
            l1:V, l2:V.
        batch : int, default None (auto)
            Rows in a mini-batch; auto = rows/16, from 16 to 256, for ``--recipe joint``, otherwise
            500. Values: auto, 1 to 1e6.
        validation : float, default None
            Fraction of the rows to hold out for validation, the last ones of each class (shuffle
            sorted rows first). The best parameters on them are kept.
        checkpoint : str or path, default None
            Write the state of the training to this file now and then, and when it is interrupted.
        checkpoint_every : float, default None (auto)
            Seconds between checkpoints; auto = 60. Values: auto, 1e-3 to 1e9.
        resume : bool, default None (no)
            Continue from the checkpoint, to the same model as without the interruption; start anew
            where there is no checkpoint yet. Needs the same rows and parameters.
        scale : str, default None (auto)
            How columns are scaled; fitted on the training rows and kept in the model. Values: auto,
            none, global, standard, range, asinh, wide, quantile.
        missing : {"auto", "mean", "error"}, default None (auto)
            Empty cells, ?, NA and nan: filled with the column's mean (kept in the model), with auto
            also noted in a feature of their own where they are many; or an error.
        random_state : int or RandomState, default None
            Seed of everything random. None gives the same model every time.
        n_jobs : int, default None
            Number of threads, as joblib counts them. None: all processors, or OMP_NUM_THREADS.
            Results do not depend on it.
        verbose : bool, default False
            Show progress: a bar where tqdm is installed.
        """
        self.n_components = n_components
        self.projection = projection
        self.init = init
        self.phase = phase
        self.kernel = kernel
        self.gamma = gamma
        self.activation = activation
        self.map_steps = map_steps
        self.theta_penalty = theta_penalty
        self.batch = batch
        self.validation = validation
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.resume = resume
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
