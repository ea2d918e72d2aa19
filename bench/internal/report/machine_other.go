//go:build !unix && !windows

package report

// kernel returns "": the system has no such call.
func kernel() string { return "" }
