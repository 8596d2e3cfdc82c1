"""The implementation of the checks of `tuckaway.store_contract`."""
