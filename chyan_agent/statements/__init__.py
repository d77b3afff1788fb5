"""What a text states, read by rule: facts, changes, evidence. Pure."""
