"""What each package does with an output: a function from the model server and an output to what the package put into the
context. The packages run their own code with their own defaults; only what they demand to be given is given."""
