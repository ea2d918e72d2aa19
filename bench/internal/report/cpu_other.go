//go:build !linux && !darwin

package report

// cpuModel returns "": GOARCH has to do.
func cpuModel() string { return "" }
