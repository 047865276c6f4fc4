"""Description lengths of Drugan and van der Gaag (2004), from rows and by their definitions."""

import itertools
import math
from collections import Counter


def entropy(*columns):
    """``H`` of the joint value of some columns, in nats."""
    rows = list(zip(*columns, strict=True))
    return -math.fsum(n / len(rows) * math.log(n / len(rows)) for n in Counter(rows).values())


def entropy_given(column, *given):
    return entropy(column, *given) - (entropy(*given) if given else 0.0)


def information(x, y, *given):
    """``I(X;Y|given)``."""
    return entropy_given(x, *given) - entropy_given(x, y, *given)


def is_redundant(column, target, *given):
    """``N(a, s, c) / N(a, s) = N(s, c) / N(s)`` for all values that occur, as section 2 says."""
    rows = list(zip(*given, column, target, strict=True))
    with_both, with_a = Counter(rows), Counter(row[:-1] for row in rows)
    with_c, alone = Counter((*row[:-2], row[-1]) for row in rows), Counter(row[:-2] for row in rows)
    return all(
        with_both[*s, a, c] * alone[tuple(s)] == with_c[*s, c] * n
        for (*s, a), n in with_a.items()
        for c in set(target)
    )


def tree(columns, attributes, *given, sizes=None):
    """Parents in the heaviest tree, the first attribute its root: Kruskal, then a walk.

    Of equal edges that with the smaller product of sizes counts, then the first.
    """
    sizes = [1] * len(columns) if sizes is None else sizes
    pairs = itertools.combinations(sorted(attributes), 2)
    weights = {(a, b): round(information(columns[a], columns[b], *given), 12) for a, b in pairs}
    part = {a: a for a in attributes}
    near = {a: [] for a in attributes}

    def order(edge):
        return -weights[edge], sizes[edge[0]] * sizes[edge[1]], edge

    for a, b in sorted(weights, key=order):
        if part[a] != part[b]:
            part = {c: part[a] if p == part[b] else p for c, p in part.items()}
            near[a].append(b)
            near[b].append(a)
    parents, waiting = {}, [(a, None) for a in sorted(attributes)[:1]]
    while waiting:
        a, parent = waiting.pop()
        parents[a] = parent
        waiting += [(b, a) for b in near[a] if b != parent]
    return parents


def earlier(columns, attributes, k):
    """For every attribute the k earlier ones that tell most about it; of equals the first."""
    return {
        a: sorted(
            (b for b in attributes if b < a),
            key=lambda b: (-round(information(columns[a], columns[b]), 12), b),
        )[:k]
        for a in attributes
    }


def auxiliary_parents(columns, attributes, auxiliary):
    """Parents of every attribute in an auxiliary network: "tree", "none", or k earlier ones."""
    if auxiliary == "tree":
        return {a: [] if p is None else [p] for a, p in tree(columns, attributes).items()}
    return earlier(columns, attributes, 0 if auxiliary == "none" else auxiliary)


def classifier(columns, target, cards, attributes, network):
    """Attribute parents of every attribute of a TAN or of naive Bayes."""
    if network == "naive":
        return dict.fromkeys(attributes)
    return tree(columns, attributes, target, sizes=[card - 1 for card in cards])


def length(columns, target, cards, attributes, score="mdl-fs", network="tan", auxiliary="tree"):
    """The score of the classifier of some attributes; ``cards`` has that of the class last."""
    rows, classes = len(target), cards[-1]
    parents = classifier(columns, target, cards, attributes, network)
    parameters, likelihood = classes - 1, -rows * entropy(target)
    for a, p in parents.items():
        parameters += (cards[a] - 1) * classes * (1 if p is None else cards[p])
        given = [target] if p is None else [columns[p], target]
        likelihood -= rows * entropy_given(columns[a], *given)
    if score == "mdl":  # the others are nodes without arcs
        others = set(range(len(columns))) - set(attributes)
        likelihood -= rows * math.fsum(entropy(columns[a]) for a in others)
    else:
        for a, given in auxiliary_parents(columns, attributes, auxiliary).items():
            likelihood += rows * entropy_given(columns[a], *(columns[b] for b in given))
    return math.log(rows) / 2 * parameters - likelihood
