"""Two pages' structures → a number in [0, 1]; a module for each measure."""
