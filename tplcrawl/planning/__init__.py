"""What to fetch next, and what not: budgets by template, random draws, and when to stop."""
