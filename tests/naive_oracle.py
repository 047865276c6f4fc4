"""NBTree in plain Python, row by row, from its definition; rows in our order or in Java's.

A row is (values, class, weight); a missing value is None. In Java's order it is WEKA's program:
rows are sorted in place by every numeric attribute in turn, by a quicksort that mixes equal ones
up, the folds of a node are its rows as they lie, and those of a branch are shuffled and then
stratified.
"""

import math
from collections import Counter
from functools import cache
from itertools import pairwise, starmap

FOLDS = 5


class NBTree:
    """Grown at once: ``attribute``, ``threshold``, ``children``, or a naive Bayes in ``model``."""

    def __init__(self, rows, cards, classes, order, parent=None, min_rows=30, reduction=0.05):
        self.cards, self.order = cards, order
        self.weight = sum(weight for *_, weight in rows)
        self.model = NaiveBayes(rows, cards, classes) if rows else parent
        self.children = []
        self.attribute, self.threshold = self.choose(rows, classes, min_rows, reduction)
        if self.attribute is None:
            return
        self.children = [
            NBTree(branch, cards, classes, order, self.model, min_rows, reduction)
            for branch in branches(rows, self.attribute, self.threshold, cards)
        ]

    def choose(self, rows, classes, min_rows, reduction):
        cards, order = self.cards, self.order
        if len(rows) < FOLDS or self.weight < min_rows - 1e-6 or len({c for _, c, _ in rows}) < 2:
            return None, None
        errors = fold_errors(rows, order.folds_of_node(rows), cards, classes)
        best, least = (None, None), errors
        for j, card in enumerate(cards):
            if not card:
                order.sort(rows, j)
            threshold = None if card else best_threshold(rows, j, classes)
            if not usable(rows, j, card, threshold):
                continue
            found = order.judge(
                branches(rows, j, threshold, cards), cards, classes, numeric=not card
            )
            if found is not None and found < least - 1e-9:
                best, least = (j, threshold), found
        return best if errors - least >= reduction * errors - 1e-9 else (None, None)

    def distribution(self, values):
        """Probabilities of the classes of a row."""
        if not self.children:
            return self.model.distribution(values)
        value = values[self.attribute]
        if value is not None:
            branch = value if self.threshold is None else int(value > self.threshold)
            return self.children[branch].distribution(values)
        found = [(child.weight, child.distribution(values)) for child in self.children]
        return [sum(w * d[c] for w, d in found) / self.weight for c in range(len(found[0][1]))]

    def lines(self, depth=0):
        """As WEKA prints it, without the numbers of the leaves."""
        for k, child in enumerate(self.children):
            test = (
                f"= v{k}" if self.threshold is None else f"{'<>'[k]}{'='[k:]} {self.threshold:.10g}"
            )
            yield "|   " * depth + f"a{self.attribute} {test}"
            yield from child.lines(depth + 1)


class NaiveBayes:
    """Counts and one more of each; numbers are cut by the MDL rule."""

    def __init__(self, rows, cards, classes):
        self.classes = range(classes)
        self.cuts = [
            None if card else mdl_cuts(sorted_column(rows, j)) for j, card in enumerate(cards)
        ]
        self.cards = [card or len(cuts) + 1 for card, cuts in zip(cards, self.cuts, strict=True)]
        self.prior, self.counts, self.known = Counter(), Counter(), Counter()
        self.coded = [(self.codes(values), c, weight) for values, c, weight in rows]
        self.learn(self.coded, 1)

    def learn(self, coded, sign):
        for codes, c, weight in coded:
            self.prior[c] += sign * weight
            for j, code in codes:
                self.counts[j, code, c] += sign * weight
                self.known[j, c] += sign * weight
        total = sum(self.prior.values()) + len(self.classes)
        self.first = [math.log((self.prior[c] + 1) / total) for c in self.classes]
        self.term = cache(self.terms)

    def codes(self, values):
        return [
            (j, value if cuts is None else sum(value > cut for cut in cuts))
            for j, (value, cuts) in enumerate(zip(values, self.cuts, strict=True))
            if value is not None
        ]

    def terms(self, j, code):
        return [
            math.log((self.counts[j, code, c] + 1) / (self.known[j, c] + self.cards[j]))
            for c in self.classes
        ]

    def logs(self, codes):
        return list(map(sum, zip(self.first, *starmap(self.term, codes), strict=True)))

    def distribution(self, values):
        joint = self.logs(self.codes(values))
        shares = [math.exp(x - max(joint)) for x in joint]
        return [share / sum(shares) for share in shares]

    def predicted(self, codes):
        joint = self.logs(codes)
        return next(c for c, x in enumerate(joint) if x >= max(joint) - 1e-10)


def fold_errors(rows, folds, cards, classes):
    """The fold's rows are taken out of the counts; the cuts stay."""
    model, wrong = NaiveBayes(rows, cards, classes), 0.0
    for fold in range(FOLDS):
        tested = [row for row, f in zip(model.coded, folds, strict=True) if f == fold]
        model.learn(tested, -1)
        wrong += sum(w for codes, c, w in tested if model.predicted(codes) != c)
        model.learn(tested, 1)
    return wrong


def branches(rows, j, threshold, cards):
    """Rows whose value is missing go down all branches that have others, in part."""
    found = [[] for _ in range(cards[j] or 2)]
    bags = Counter()
    for values, _, weight in rows:
        if values[j] is not None:
            bags[branch_of(values[j], threshold)] += weight
    for values, c, weight in rows:
        if values[j] is not None:
            found[branch_of(values[j], threshold)].append((values, c, weight))
            continue
        for k, bag in bags.items():
            found[k].append((values, c, weight * bag / sum(bags.values())))
    return found


def branch_of(value, threshold):
    return value if threshold is None else int(value > threshold)


def usable(rows, j, card, threshold):
    """Two values with two rows, or a threshold."""
    bags = Counter()
    for values, _, weight in rows:
        if values[j] is not None:
            bags[values[j]] += weight
    return threshold is not None if not card else sum(b >= 2 - 1e-6 for b in bags.values()) >= 2


def best_threshold(rows, j, classes):
    """C4.5's: the largest gain, less the bits that name one of the thresholds, must be positive."""
    known, total = sorted_column(rows, j), sum(w for *_, w in rows)
    weight = sum(w for *_, w in known)
    tenth = 0.1 * weight / classes
    least = 2 if tenth <= 2 + 1e-6 else min(tenth, 25)
    best, most, points = None, 0.0, 0
    for k, lower, upper in places(known):
        low, high = known[k - 1][0], known[k][0]
        if low + 1e-5 >= high or min(sum(lower), sum(upper)) < least - 1e-6:
            continue
        points += 1
        whole = [a + b for a, b in zip(lower, upper, strict=True)]
        gain = (bits(whole) - bits(lower) - bits(upper)) / total
        if gain > most + 1e-6:
            best, most = (low + high) / 2, gain
    return best if points and most - math.log2(points) / total > 1e-6 else None


def mdl_cuts(known):
    """Fayyad and Irani's."""
    weight, best, least = sum(w for *_, w in known), None, math.inf
    for k, lower, upper in places(known):
        inside = (bits(lower) + bits(upper)) / weight
        if inside < least - 1e-12:
            best, least = k, inside
    if best is None:
        return []
    parts = known, known[:best], known[best:]
    means = [bits(class_sums(part)) / sum(w for *_, w in part) for part in parts]
    kinds = [len({c for _, c, _ in part}) for part in parts]
    of_all, *of_parts = [kind * mean for kind, mean in zip(kinds, means, strict=True)]
    delta = math.log2(3 ** kinds[0] - 2) - (of_all - sum(of_parts))
    if means[0] - least <= max((math.log2(len(known) - 1) + delta) / weight, 0.0) + 1e-12:
        return []
    cut = (known[best - 1][0] + known[best][0]) / 2
    return [*mdl_cuts(known[:best]), cut, *mdl_cuts(known[best:])]


def sorted_column(rows, j):
    return sorted((v[j], c, w) for v, c, w in rows if v[j] is not None)


def class_sums(known):
    sums = [0.0] * (1 + max((c for _, c, _ in known), default=0))
    for _, c, weight in known:
        sums[c] += weight
    return sums


def places(known):
    """Where the value changes, with the weights of the classes below and above."""
    upper = class_sums(known)
    lower = [0.0] * len(upper)
    for k, ((low, c, weight), (high, *_)) in enumerate(pairwise(known), start=1):
        lower[c] += weight
        upper[c] -= weight
        if low < high:
            yield k, lower, upper


def bits(sums):
    """Weight times entropy."""
    total = sum(sums)
    return -sum(w * math.log2(w / total) for w in sums if w > 1e-9)


class TableOrder:
    """Rows stay as they are; folds get them in turn, those of branches class after class."""

    def sort(self, rows, j):
        pass

    def folds_of_node(self, rows):
        return [k % FOLDS for k in range(len(rows))]

    def judge(self, parts, cards, classes, numeric):
        """Errors of the branches, None unless two of them have a row a fold."""
        if sum(len(part) >= FOLDS for part in parts) < 2:
            return None
        errors = 0.0
        for part in parts:
            if len(part) < FOLDS:
                errors += sum(w for *_, w in part)
                continue
            by_class = sorted(part, key=lambda row: row[1])
            errors += fold_errors(by_class, self.folds_of_node(part), cards, classes)
        return errors


class JavaOrder:
    """What WEKA does with the order of rows, which are moved about in place."""

    def sort(self, rows, j):
        for _ in range(2):
            keys = [math.inf if values[j] is None else values[j] for values, *_ in rows]
            index = list(range(len(rows)))
            quicksort(keys, index, 0, len(rows) - 1)
            rows[:] = [rows[k] for k in index]

    def folds_of_node(self, rows):
        size, more = divmod(len(rows), FOLDS)
        return [f for f in range(FOLDS) for _ in range(size + (f < more))]

    def judge(self, parts, cards, classes, numeric):
        """A branch of five rows is judged at nominal tests only."""
        random, errors, judged = JavaRandom(1), 0.0, 0
        for part in parts:
            if len(part) < FOLDS + numeric:
                errors += sum(w for *_, w in part)
                continue
            judged += 1
            mixed = stratified(random.shuffled(part))
            errors += fold_errors(mixed, self.folds_of_node(mixed), cards, classes)
        return errors if judged > 1 else None


class JavaRandom:
    """java.util.Random."""

    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def bits(self):
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> 17

    def below(self, n):
        if n & -n == n:
            return (n * self.bits()) >> 31
        while True:
            drawn = self.bits()
            if drawn - drawn % n + n - 1 < 1 << 31:
                return drawn % n

    def shuffled(self, rows):
        rows = list(rows)
        for k in range(len(rows) - 1, 0, -1):
            other = self.below(k + 1)
            rows[k], rows[other] = rows[other], rows[k]
        return rows


def stratified(rows):
    """Rows of a class side by side, by swaps; then every fifth."""
    at = 1
    while at < len(rows):
        first = rows[at - 1]
        for k in range(at, len(rows)):
            if rows[k][1] == first[1]:
                rows[at], rows[k] = rows[k], rows[at]
                at += 1
        at += 1
    return [row for f in range(FOLDS) for row in rows[f::FOLDS]]


def quicksort(keys, index, left, right):
    """WEKA's, with the median of three."""

    def swap_if_larger(a, b):
        if keys[index[a]] > keys[index[b]]:
            index[a], index[b] = index[b], index[a]

    if right <= left:
        return
    center = (left + right) // 2 if right - left > 2 else left + 1
    if right - left == 1:
        swap_if_larger(left, right)
        return
    swap_if_larger(left, center)
    swap_if_larger(left, right)
    swap_if_larger(center, right)
    if right - left == 2:
        return
    index[center], index[right - 1] = index[right - 1], index[center]
    pivot, low, high = keys[index[right - 1]], left, right - 1
    while True:
        low += 1
        while keys[index[low]] < pivot:
            low += 1
        high -= 1
        while keys[index[high]] > pivot:
            high -= 1
        if low >= high:
            break
        index[low], index[high] = index[high], index[low]
    index[low], index[right - 1] = index[right - 1], index[low]
    quicksort(keys, index, left, low - 1)
    quicksort(keys, index, low + 1, right)


def rows_of(table):
    """The rows of a `MixedTable`."""
    columns = []
    for column, card in zip(table.columns, table.cards, strict=True):
        gone = (lambda x, card=card: x >= card) if card else (lambda x: x != x)
        columns.append([None if gone(x) else x for x in column.tolist()])
    values = list(zip(*columns, strict=True))
    return list(zip(values, table.target.tolist(), table.row_weights.tolist(), strict=True))
