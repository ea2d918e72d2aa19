package report

import (
	"runtime"
	"runtime/debug"
)

// Machine describes where rows were measured. What is not known is empty.
type Machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Kernel string `json:"kernel"`
	GOOS   string `json:"goos"`
	GOARCH string `json:"goarch"`
	Go     string `json:"go"`
	// Commit is the revision that the program was built from, with "+dirty" behind
	// it when files had been changed.
	Commit string `json:"commit"`
}

// ThisMachine describes the one that the program runs on.
func ThisMachine() Machine {
	return Machine{
		CPU: cpuModel(), Cores: runtime.NumCPU(), Kernel: kernel(),
		GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, Go: runtime.Version(), Commit: commit(),
	}
}

func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var revision, suffix string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			suffix = "+dirty"
		}
	}
	if revision == "" {
		return ""
	}
	return revision + suffix
}
