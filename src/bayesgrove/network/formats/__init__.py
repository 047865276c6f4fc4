"""File formats of networks, one a module: each reads bytes and writes text.

What they share: `errors` (what a reader raises), `source` and `lexer` (text with places),
`elements` (XML with places), `numbers`, `labels` (how any label goes into any file), `draft` (what
a reader has gathered) and `written` (what a writer has to put down).
"""
