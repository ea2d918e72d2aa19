package testmain

import "go.uber.org/goleak"

// goroutines finds those that were not there at the start. Each comes with its
// own stack and the place that started it.
func goroutines() Check {
	var before goleak.Option
	return Check{
		Name:    "goroutines",
		patient: true,
		Start:   func() { before = goleak.IgnoreCurrent() },
		Leaks: func() []string {
			if err := goleak.Find(before); err != nil {
				return []string{err.Error()}
			}
			return nil
		},
	}
}
