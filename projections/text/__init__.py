"""The game as text: a plan for a terminal, a post for a forum, what playtests say."""
