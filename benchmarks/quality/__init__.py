"""What the question of density quality needs: tables, and models by one interface."""
