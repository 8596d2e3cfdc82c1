"""Programs that could hang, for tests that run each in an interpreter of its own."""
