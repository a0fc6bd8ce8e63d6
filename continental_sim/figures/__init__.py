"""From the cubes of a study to its figures, each with its interval, as tables and charts."""
