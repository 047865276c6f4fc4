"""File formats of networks, one module per format: each reads bytes and writes text.

The formats share these modules: `errors` (the error that readers raise), `limits` (the largest
network in a file), `source` and `lexer` (text with line numbers), `elements` (XML with line
numbers), `numbers` (probabilities), `labels` (how any label is written to any file),
`parsed_network` (the nodes and tables that a reader has collected) and `writer_nodes` (the nodes as
a writer spells them).
"""
