"""scikit-learn estimators: base classes, classifiers, selectors and calibration.

`bayesgrove` exports the public names.
"""
