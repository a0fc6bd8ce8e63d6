"""For authors of strategies: a strategy asked about a hand, and a strategy file checked."""
