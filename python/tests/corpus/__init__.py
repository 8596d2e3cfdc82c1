"""The cases of ``cases/`` through the public interface. ``cases/README.md`` describes their format."""
