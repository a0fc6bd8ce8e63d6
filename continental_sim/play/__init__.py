"""Studies played: begun, handed out in blocks, kept, gone on with and added up."""
