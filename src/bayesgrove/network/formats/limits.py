"""How large a network in a file may be; readers and writers keep to the same limits."""

MAX_BYTES = 256_000_000
"""Bytes of a file, unpacked."""
MAX_CELLS = 1 << 24
"""Cells of all conditional tables together, written out in full."""
MAX_NODES = 100_000
MAX_STATES = 1_000_000
"""States of all nodes together."""
MAX_DEPTH = 100
"""How deep elements or parentheses may be nested."""
MAX_ELEMENTS = 5_000_000
"""Elements of an XML file: enough for the largest network that is written."""
