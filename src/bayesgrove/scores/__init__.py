"""Scores and measures: pure functions of tables of counts."""
