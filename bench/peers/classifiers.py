"""Measures training time, prediction time and accuracy of scikit-learn's classifiers.

usage: classifiers.py TRAIN TEST FEATURES ROWS

TRAIN and TEST are LIBSVM text; ROWS of TRAIN are used. Prints "@ NAME_fit SECONDS", "@ NAME_predict
SECONDS" (a row), and "@ NAME_accuracy PERCENT" for SVC, for RBFSampler with LinearSVC at FEATURES
features, and for MLPClassifier with one layer of FEATURES. Columns are standardised.
"""

import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.kernel_approximation import RBFSampler
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC


def main():
    train, test, features, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    warnings.filterwarnings("ignore")
    x, y = load_svmlight_file(train, dtype=np.float32)
    x, y = x.toarray()[:count], y[:count]
    x_test, y_test = load_svmlight_file(test, n_features=x.shape[1], dtype=np.float32)
    x_test = x_test.toarray()
    classifiers = {
        "svc": SVC(C=10),
        "sampler": make_pipeline(
            RBFSampler(gamma=0.5 / x.shape[1], n_components=features, random_state=1), LinearSVC()
        ),
        "mlp": MLPClassifier((features,), random_state=1),
    }
    for name, classifier in classifiers.items():
        whole = make_pipeline(StandardScaler(), classifier)
        start = time.perf_counter()
        whole.fit(x, y)
        fitted = time.perf_counter()
        found = whole.predict(x_test)
        predicted = time.perf_counter()
        print(f"@ {name}_fit {fitted - start:.6g}")
        print(f"@ {name}_predict {(predicted - fitted) / len(y_test):.6g}")
        print(f"@ {name}_accuracy {100 * np.mean(found == y_test):.6g}", flush=True)


main()
