"""What a mixture is multiplied by, so that it has the margins of its table and trees find no difference."""
