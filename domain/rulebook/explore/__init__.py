"""The house: moving, discovering rooms, laying tiles, and ways through walls."""
