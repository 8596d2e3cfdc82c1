"""What the checks of `tuckaway.store_contract` do."""
