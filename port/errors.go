package port

import (
	"strconv"
	"strings"
)

// Sentinels for errors.Is: the codes that callers most often ask for.
var (
	ErrNotSupported   error = NotSupported
	ErrClosed         error = Closed
	ErrDeviceLost     error = DeviceLost
	ErrForeign        error = Foreign
	ErrCancelled      error = Cancelled
	ErrOutOfRange     error = OutOfRange
	ErrInvalidSlot    error = InvalidSlot
	ErrInvalidConfig  error = InvalidConfig
	ErrInvalidPlan    error = InvalidPlan
	ErrInvalidProgram error = InvalidProgram
	ErrStalled        error = Stalled
)

// Driver is what a driver said: its raw status and that status's vendor name.
type Driver struct {
	Status int64
	Name   string
}

// An Error is an error or warning of this module. Errors are immutable once
// made and may be shared between goroutines and waits.
type Error struct {
	// Code is the identity.
	Code Code
	// Args fill the code's form.
	Args []string
	// Driver is set when a driver call was the cause.
	Driver *Driver
	// Cause is wrapped; nil when there is none.
	Cause error
}

// NewError returns an error with code c. args fill the form's places in order; a
// wrong number of them is a bug of the caller, and shows in the text.
func NewError(c Code, args ...string) *Error { return &Error{Code: c, Args: args} }

// WithCause returns a copy of e that wraps cause.
func (e *Error) WithCause(cause error) *Error {
	c := *e
	c.Cause = cause
	return &c
}

// WithDriver returns a copy of e that carries a driver's status and its name.
func (e *Error) WithDriver(status int64, name string) *Error {
	c := *e
	c.Driver = &Driver{Status: status, Name: name}
	return &c
}

// DriverError returns the error of a failed driver call: code Backend.
func DriverError(call string, status int64, name string) *Error {
	return NewError(Backend, call, strconv.FormatInt(status, 10)).WithDriver(status, name)
}

// Error returns the text: the form with its arguments, the driver's name for the
// status, then the cause.
func (e *Error) Error() string {
	var b strings.Builder
	rest := e.Code.Form()
	if rest == "" {
		rest = e.Code.Error()
	}
	for _, a := range e.Args {
		before, after, ok := strings.Cut(rest, "{}")
		if !ok {
			after = rest + " (extra: " + a + ")"
			before, a = "", ""
		}
		b.WriteString(before)
		b.WriteString(a)
		rest = after
	}
	b.WriteString(rest)
	if e.Driver != nil && e.Driver.Name != "" {
		b.WriteString(" (" + e.Driver.Name + ")")
	}
	if e.Cause != nil {
		b.WriteString(": " + e.Cause.Error())
	}
	return b.String()
}

// Is matches a Code, which is how the sentinels work.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == e.Code
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }
