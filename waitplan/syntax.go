package waitplan

import (
	"fmt"
	"strconv"

	"gpureactor/port"
)

// A SyntaxError says where a text stops being a plan. It is wrapped by the errors
// of Parse and ParseBands.
type SyntaxError struct {
	// Text is what was parsed.
	Text string
	// Offset is the byte at which the fault begins, 0 to len(Text).
	Offset int
	// Fault is the first thing wrong, and what is allowed instead.
	Fault string
}

// Error names the place alone: the error that wraps it has the text and the fault.
func (e *SyntaxError) Error() string { return fmt.Sprintf("at byte %d", e.Offset) }

// invalid returns the error for a text with a fault at an offset.
func invalid(text string, offset int, fault string) error {
	return port.NewError(port.InvalidPlan, strconv.Quote(clip(text, 200)), fault).
		WithCause(&SyntaxError{Text: text, Offset: offset, Fault: fault})
}

// clip shortens what an error repeats of its input.
func clip(s string, longest int) string {
	if len(s) <= longest {
		return s
	}
	return s[:longest] + "..."
}
