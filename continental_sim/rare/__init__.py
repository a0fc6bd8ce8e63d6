"""Rare events of a deal: their rates, by multilevel splitting."""
