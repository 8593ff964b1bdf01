"""What follows from steps: whom they reach, what is found out, what is left and can be done again."""
