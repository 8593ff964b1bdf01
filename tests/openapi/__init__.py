"""The contract and the facts on handlers it is made from."""
