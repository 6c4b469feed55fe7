"""The commands of the program, each over one function of the library."""
