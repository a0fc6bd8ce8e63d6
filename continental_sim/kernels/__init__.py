"""The compiled code: random streams, meld tables, the table, the view, the game."""
