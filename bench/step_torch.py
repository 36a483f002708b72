"""The joint recipe in PyTorch as it is shipped: the peer of step.c.

    step_torch.py ROWS COLUMNS LAYERS CLASSES THREADS

LAYERS are those of --layers: 784, or 256,128, or circulant:784,dense:64; a circulant layer has as
many features as columns. Prints the seconds of an epoch, the best of several after a first one.

Rows, batches of 256, model and updates are those of src/learn/fit/fit_joint.c: scores = W^T (3
sqrt(2/k) cos(theta^T u + b)) + c, with cosines of cosines where there are more layers, softmax,
Adam with a learning rate for each array and a cosine schedule, fresh normal noise on the rows,
decay of theta. Denormal numbers are flushed. Neither tuned nor compiled.
"""

import math
import sys
import time

import torch

BATCH = 256
EPOCHS = 6


def make_rows(rows, columns, classes):
    generator = torch.Generator().manual_seed(1)
    labels = torch.arange(rows) % classes
    values = torch.rand(rows, columns, generator=generator)
    values += 0.7 * (torch.arange(columns)[None, :] % classes == labels[:, None]).float()
    return values, labels


class Layer:
    """cos(project(u) + b): theta is a matrix, or the filter of a circulant one."""

    def __init__(self, text, columns, unit):
        kind, _, features = text.rpartition(":")
        self.unit, self.features, self.circulant = unit, int(features), kind == "circulant"
        shape = (columns,) if self.circulant else (columns, self.features)
        self.theta = (unit * torch.randn(shape)).requires_grad_()
        self.phase = (2 * math.pi * torch.rand(self.features)).requires_grad_()
        self.signs = torch.randint(0, 2, (columns,)) * 2.0 - 1.0

    def __call__(self, u):
        if self.circulant:
            products = torch.fft.rfft(u * self.signs) * torch.fft.rfft(self.theta)
            return torch.cos(torch.fft.irfft(products, n=u.shape[1]) + self.phase)
        return torch.cos(u @ self.theta + self.phase)


def make_layers(text, columns, unit):
    layers = []
    for part in text.split(","):
        layers.append(Layer(part, columns, unit))
        columns = layers[-1].features
        unit = math.sqrt(2 / columns)
    return layers


def epoch_seconds(rows, columns, text, classes):
    values, labels = make_rows(rows, columns, classes)
    sigma = math.sqrt(columns / 6)  # the distance of two rows, near enough
    unit = 1 / sigma
    layers = make_layers(text, columns, unit)
    features = layers[-1].features
    head = torch.zeros(features, classes, requires_grad=True)
    intercept = torch.zeros(classes, requires_grad=True)
    rates = [*(0.05 * layer.unit for layer in layers), 0.05, 0.03]
    groups = [{"params": [layer.theta]} for layer in layers]
    groups += [{"params": [layer.phase for layer in layers]}, {"params": [head, intercept]}]
    optimiser = torch.optim.Adam(groups, betas=(0.9, 0.99), eps=1e-8)
    steps = EPOCHS * (rows // BATCH)
    gain = 3 * math.sqrt(2 / features)
    noise = 0.1 * sigma / math.sqrt(columns)
    best, step = math.inf, 0
    for _ in range(EPOCHS):
        start = time.perf_counter()
        order = torch.randperm(rows)
        for first in range(0, rows - BATCH + 1, BATCH):
            factor = (1 + math.cos(math.pi * step / steps)) / 2
            for group, rate in zip(optimiser.param_groups, rates):
                group["lr"] = factor * rate
            batch = order[first : first + BATCH]
            u = values[batch] + noise * torch.randn(BATCH, columns)
            for layer in layers:
                u = layer(u)
            scores = gain * u @ head + intercept
            loss = torch.nn.functional.cross_entropy(scores, labels[batch])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            with torch.no_grad():
                for layer in layers:
                    layer.theta.mul_(1 - factor * 0.05 * 0.1)
            step += 1
        best = min(best, time.perf_counter() - start)
    for layer in layers:
        values = layer(values)
    scores = gain * values @ head + intercept
    if (scores.argmax(1) == labels).float().mean() < 0.9:
        sys.exit("the peer learned nothing")
    return best


def main():
    rows, columns, text, classes, threads = sys.argv[1:]
    torch.set_num_threads(int(threads))
    torch.set_flush_denormal(True)
    print(epoch_seconds(int(rows), int(columns), text, int(classes)))


main()
