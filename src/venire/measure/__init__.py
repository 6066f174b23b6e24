"""What frozen runs say about a model and a setting: stability, validity, ranking, and the targets to measure them on."""
