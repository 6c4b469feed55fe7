"""What charts show, as numbers: axes, and densities, predictions and leaves along one or two columns."""
