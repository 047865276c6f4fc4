"""Views of our results in the form of a paper: tables, figures and conclusions."""
