"""Statistics: confidence intervals and skill ratings."""
