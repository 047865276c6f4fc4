"""Pure functions of tables."""
