"""What lies on disk: a study as files that are whole or not there."""
