"""Laws that hold for any history, tried on very many."""
