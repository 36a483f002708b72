"""The joint recipe in PyTorch as it is shipped: the peer of step.c.

    step_torch.py ROWS COLUMNS FEATURES CLASSES THREADS

Prints the seconds of an epoch, the best of several after a first one. Rows, batches of 256, model
and updates are those of src/learn/fit/fit_joint.c: scores = W^T (3 sqrt(2/k) cos(theta^T u + b)) +
c, softmax, Adam with a learning rate for each array and a cosine schedule, fresh normal noise on
the rows, decay of theta. Denormal numbers are flushed. Neither tuned nor compiled.
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


def epoch_seconds(rows, columns, features, classes):
    values, labels = make_rows(rows, columns, classes)
    sigma = math.sqrt(columns / 6)  # the distance of two rows, near enough
    unit = 1 / sigma
    theta = (unit * torch.randn(columns, features)).requires_grad_()
    phase = (2 * math.pi * torch.rand(features)).requires_grad_()
    head = torch.zeros(features, classes, requires_grad=True)
    intercept = torch.zeros(classes, requires_grad=True)
    rates = [0.05 * unit, 0.05, 0.03]
    groups = [{"params": [theta]}, {"params": [phase]}, {"params": [head, intercept]}]
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
            scores = gain * torch.cos(u @ theta + phase) @ head + intercept
            loss = torch.nn.functional.cross_entropy(scores, labels[batch])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            with torch.no_grad():
                theta.mul_(1 - factor * 0.05 * 0.1)
            step += 1
        best = min(best, time.perf_counter() - start)
    scores = gain * torch.cos(values @ theta + phase) @ head + intercept
    if (scores.argmax(1) == labels).float().mean() < 0.9:
        sys.exit("the peer learned nothing")
    return best


def main():
    rows, columns, features, classes, threads = (int(argument) for argument in sys.argv[1:])
    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)
    print(epoch_seconds(rows, columns, features, classes))


main()
