"""The two sizes of a run: quick (every panel in 15 minutes on two cores) and full."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Mode:
    """The sizes of a run. Limits of rows are LIBSVM's only: cnm and LIBLINEAR always train and test
    on all rows."""

    name: str
    features: tuple  # k of figures 1 and 2
    random_features: tuple  # further k for random features, on sets without a Table 2
    further: dict  # further k of one set
    further_random: dict  # further k of one set, for random features
    kernel_features: int  # the largest k of kernel-approximating maps
    circulant_features: tuple  # k of learned circulant maps besides d and 2d
    seeds: int
    costly_seeds: int  # of the curves on COSTLY sets
    table2_seeds: int
    joint: dict  # options of the joint recipe: how far it goes in choosing its settings
    iterations: int  # of the alternating recipe
    wide_iterations: int  # on WIDE sets
    kernel_steps: int
    cv_rows: int
    train_rows: int
    further_rows: dict  # another limit of training rows for one set
    test_rows: int
    multiples: tuple  # gamma / knn for the tuned machine: 1 and 4 are the two rules
    costs: tuple
    remark_sets: tuple
    cost_sizes: tuple


EVERYTHING = 10**9
COSTLY = ("mnist", "cifar", "forest")  # wide or long sets: fewer seeds of the curves
WIDE = ("mnist", "cifar")  # fewer iterations of the alternating recipe
QUICK = Mode(
    name="quick",
    features=(8, 32, 128),
    random_features=(512,),
    further={"banana": (16,), "usps": (16,)},
    further_random={"usps": (64, 256)},
    kernel_features=128,
    circulant_features=(),
    seeds=1,
    costly_seeds=1,
    table2_seeds=1,
    joint={"effort": "quick"},
    iterations=100,
    wide_iterations=50,
    kernel_steps=400,
    cv_rows=800,
    train_rows=3000,
    further_rows={"ijcnn": 12000},
    test_rows=2500,
    multiples=(0.5, 1.0, 4.0),
    costs=(1, 10, 100),
    remark_sets=("usps", "banana", "letter"),
    cost_sizes=(256, 1024, 4096),
)
FULL = Mode(
    name="full",
    features=(8, 16, 32, 64, 128, 256, 512),
    random_features=(1024, 2048),
    further={},
    further_random={},
    kernel_features=512,
    circulant_features=(8, 32, 128),
    seeds=5,
    costly_seeds=3,
    table2_seeds=5,
    joint={},
    iterations=100,
    wide_iterations=100,
    kernel_steps=400,
    cv_rows=3000,
    train_rows=20000,
    further_rows={"ijcnn": EVERYTHING},
    test_rows=EVERYTHING,
    multiples=(0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0),
    costs=(1, 10, 100),
    remark_sets=("usps", "banana", "letter", "magic04"),
    cost_sizes=(256, 512, 1024, 2048, 4096, 8192),
)


def with_seeds(mode, seeds):
    """MODE with the same number of seeds for everything random, or as it is where SEEDS is None."""
    return mode if seeds is None else replace(mode, seeds=seeds, costly_seeds=seeds, table2_seeds=seeds)
