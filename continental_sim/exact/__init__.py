"""What can be counted: exact odds, and the simulation held against them."""
