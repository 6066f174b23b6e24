"""The modules that talk to a model, one file an engine."""
