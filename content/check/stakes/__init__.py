"""What is at stake for a side: tokens that work for whoever fights them, secrets given away, deaths that pay. All of it only warns."""
