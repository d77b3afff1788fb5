"""Tests: one file for each module, and laws that cross them."""
