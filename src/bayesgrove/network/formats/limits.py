"""Limits on the size of a network in a file, for readers and writers."""

MAX_BYTES = 256_000_000
"""Bytes of a file, uncompressed."""
MAX_CELLS = 1 << 24
"""Cells of all conditional tables together, with all configurations."""
MAX_NODES = 100_000
"""Nodes of a network."""
MAX_STATES = 1_000_000
"""States of all nodes together."""
MAX_DEPTH = 100
"""Nesting depth of elements or parentheses."""
MAX_ELEMENTS = 5_000_000
"""Elements of an XML file: enough for the largest network that can be written."""
