"""Faults on purpose: the real storage code is killed, cut off and lied to, and has to recover."""
