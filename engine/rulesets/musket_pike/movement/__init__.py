"""Moving from hex to hex: steps and what they cost, stacks, facings, formations, detachments."""
