found_here(yes).
