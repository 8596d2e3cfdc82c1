"""What overhead.py measures, one subject for each module."""
