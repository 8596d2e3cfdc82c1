"""The subjects of overhead.py, one module each."""
