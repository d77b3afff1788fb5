"""The stress rig: scenarios, checks, rows, plot and report. Uses the agent, is never used by it."""
