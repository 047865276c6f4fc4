"""scikit-learn estimators: bases, classifiers, selectors, calibration.

The public names are those of `bayesgrove`.
"""
