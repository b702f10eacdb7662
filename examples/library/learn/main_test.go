package main

// Example shows what the program prints.
func Example() {
	main()
	// Output:
	// sex: +0.03 [+0.02, +0.03], met
	// an income of 55: false
}
