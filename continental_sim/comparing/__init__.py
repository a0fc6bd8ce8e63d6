"""Studies beside each other: variants of rules, and what differs."""
