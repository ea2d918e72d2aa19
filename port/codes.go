package port

import "strconv"

// A Code is the identity of an error or a warning. Numbers are never reused and
// their order never changes; texts may. A Code is itself an error, so that
// errors.Is(err, port.DeviceLost) holds for every error that carries it.
type Code uint16

// The registry. Append only. 1 to 8 are those of the reference.
const (
	// InvalidPlan: a wait plan was refused. Arguments: the text, the fault.
	InvalidPlan Code = iota + 1
	// ParkFallback (warning): a plan's park is replaced. Arguments: requested
	// plan, missing capability, why, the plan that runs.
	ParkFallback
	// ExecutorFallback (warning): an executor is replaced. Arguments: requested,
	// why, what runs.
	ExecutorFallback
	// ExecutorRefused: an executor is not available under strict. Arguments:
	// requested, why.
	ExecutorRefused
	// InvalidExecutor: no executor has that name. Arguments: the text, the
	// accepted names.
	InvalidExecutor
	// PendedInline: something that must finish at once did not. Argument: site.
	PendedInline
	// Stalled: nothing registered can ever wake what is left. Argument: tasks.
	Stalled
	// Backend: a driver call failed. Arguments: what failed, the status.
	Backend
	// NotSupported: this platform, driver or device lacks something. Arguments:
	// what is missing, what to do.
	NotSupported
	// Closed: something is used after its Close. Argument: what.
	Closed
	// DeviceLost: the device or its context is gone. Arguments: device, how.
	DeviceLost
	// Foreign: a handle of another device, reactor or domain. Arguments: what,
	// whose it is, who refuses it.
	Foreign
	// InvalidSlot: no word has that slot. Argument: the slot.
	InvalidSlot
	// InvalidSource: nil, or not a source. Argument: what is wrong.
	InvalidSource
	// InvalidTicket: the zero ticket. Argument: what is wrong.
	InvalidTicket
	// InvalidConfig: a field out of bounds. Arguments: field, value, allowed.
	InvalidConfig
	// InvalidProgram: a program, kernel or launch is refused. Arguments: what,
	// what is wrong.
	InvalidProgram
	// OutOfRange: a size or range is refused. Arguments: what, value, allowed.
	OutOfRange
	// InvalidDescriptor: a descriptor is refused. Arguments: descriptor, why.
	InvalidDescriptor
	// FutureBusy: a future that is pending is submitted again.
	FutureBusy
	// Cancelled: a future was cancelled by its owner.
	Cancelled
	// MarkRefused: the driver did not queue a store. Argument: why.
	MarkRefused
	// Unsettled: close could not wait for the device, and memory was kept on
	// purpose. Arguments: what, why, bytes kept.
	Unsettled
	// PlanRefused: a plan cannot run under strict. Arguments: plan, missing
	// capability, why.
	PlanRefused
	// ExecutorBusy: an executor that runs is to run again.
	ExecutorBusy

	codeEnd
)

type form struct{ name, text string }

// forms[c] has one {} for each argument of c.
var forms = [codeEnd]form{
	InvalidPlan:       {"InvalidPlan", "wait plan {}: {}"},
	ParkFallback:      {"ParkFallback", "wait plan {} needs {}, which is missing ({}); running {}"},
	ExecutorFallback:  {"ExecutorFallback", "executor {} is not available ({}); running {}"},
	ExecutorRefused:   {"ExecutorRefused", "executor {} is not available ({}) and no fallback is allowed"},
	InvalidExecutor:   {"InvalidExecutor", "unknown executor {}: want one of {}"},
	PendedInline:      {"PendedInline", "{} did not finish at once"},
	Stalled:           {"Stalled", "nothing registered can wake the tasks left: {}"},
	Backend:           {"Backend", "{} failed with status {}"},
	NotSupported:      {"NotSupported", "{} is not supported here: {}"},
	Closed:            {"Closed", "{} is closed"},
	DeviceLost:        {"DeviceLost", "device {} is lost: {}"},
	Foreign:           {"Foreign", "{} belongs to {}, not to {}"},
	InvalidSlot:       {"InvalidSlot", "slot {}: a line has slots 0 to 7"},
	InvalidSource:     {"InvalidSource", "source: {}"},
	InvalidTicket:     {"InvalidTicket", "ticket: {}"},
	InvalidConfig:     {"InvalidConfig", "setting {} is {}: want {}"},
	InvalidProgram:    {"InvalidProgram", "{}: {}"},
	OutOfRange:        {"OutOfRange", "{} is {}: want {}"},
	InvalidDescriptor: {"InvalidDescriptor", "descriptor {}: {}"},
	FutureBusy:        {"FutureBusy", "future is pending: wait for it or cancel it before submitting it again"},
	Cancelled:         {"Cancelled", "future was cancelled"},
	MarkRefused:       {"MarkRefused", "mark refused: {}"},
	Unsettled:         {"Unsettled", "{} could not settle ({}); kept {} bytes on purpose"},
	PlanRefused:       {"PlanRefused", "wait plan {} needs {}, which is missing ({}), and no fallback is allowed"},
	ExecutorBusy:      {"ExecutorBusy", "the executor runs already: one Run at a time, and none from its own tasks"},
}

// Codes returns every code in registry order.
func Codes() []Code {
	all := make([]Code, 0, codeEnd-1)
	for c := Code(1); c < codeEnd; c++ {
		all = append(all, c)
	}
	return all
}

// Number returns the code's number.
func (c Code) Number() int { return int(c) }

// Form returns the text with one {} for each argument, "" for an unknown code.
func (c Code) Form() string {
	if c < codeEnd {
		return forms[c].text
	}
	return ""
}

// String returns the code's name.
func (c Code) String() string {
	if c > 0 && c < codeEnd {
		return forms[c].name
	}
	return "Code(" + strconv.Itoa(int(c)) + ")"
}

// Error returns the name and number: a Code is the sentinel for its errors.
func (c Code) Error() string { return c.String() + " (" + strconv.Itoa(int(c)) + ")" }
