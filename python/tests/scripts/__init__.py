"""Programs that could hang, for tests that run each in a separate interpreter."""
