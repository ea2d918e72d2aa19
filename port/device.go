package port

import (
	"math"
	"time"
)

// A Device is an opened backend: memory, programs and streams. All methods may
// be called from any goroutine.
type Device interface {
	// Info describes the device.
	Info() DeviceInfo

	// Domain returns what all of the device's streams fail together with.
	Domain() *Domain

	// Alloc returns size bytes of device memory, contents undefined. It refuses
	// a size below 1 with ErrOutOfRange.
	Alloc(size int64) (Buffer, error)

	// Load makes a program's kernels ready in the form that this backend runs.
	// A program without that form is refused with ErrNotSupported, one that does
	// not build with ErrInvalidProgram and the driver's log.
	Load(p Program) (Module, error)

	// NewStream returns a stream of its own that runs its work in order and
	// beside the other streams.
	NewStream() (Stream, error)

	// Close waits for queued work, then frees streams, modules and memory. If it
	// cannot settle it keeps what a device may still write to, says so in the
	// error and counts it. A second Close does nothing and returns nil. Work in
	// flight at Close ends each wait: done, or failed.
	Close() error
}

// DeviceInfo describes a device. Text is for people.
type DeviceInfo struct {
	// Backend is the name that selects the backend, such as "soft" or "cuda".
	Backend string
	// Name is the device's own name, Driver the library and its version.
	Name, Driver string
	// MemoryBytes is the size of its memory, 0 when unknown.
	MemoryBytes int64
	// NoDeviceWord says why streams cannot store completion words, so that its
	// sources are peekers; empty when they can.
	NoDeviceWord string
}

// A Buffer is device memory. Backends refuse a buffer of another device with
// ErrForeign.
type Buffer interface {
	// Size returns the size in bytes.
	Size() int64
	// Free gives the memory back, once work queued before has finished. A second
	// Free, and every use after it, is refused with ErrClosed.
	Free() error
}

// A Stream is a queue of device work that runs in order, and the source for
// waiting on it. Its methods queue and return; a refused call queues nothing.
type Stream interface {
	Source

	// Fill sets n bytes of dst from byte offset to value.
	Fill(dst Buffer, offset, n int64, value byte) error

	// CopyIn copies src to dst at byte offset. src may be reused on return.
	CopyIn(dst Buffer, offset int64, src []byte) error

	// CopyOut copies len(dst) bytes of src from byte offset into dst. dst holds
	// them once a ticket marked behind the copy was retired, which every wait of
	// this module does before it returns; until then it must be left alone.
	CopyOut(dst []byte, src Buffer, offset int64) error

	// Launch runs a kernel.
	Launch(l Launch) error

	// Close waits for the stream's work, then closes it. Later calls are refused
	// with ErrClosed; a second Close does nothing and returns nil.
	Close() error
}

// A Delayer is a stream that can be busy for a given time: a calibrated kernel
// on a GPU, an alarm on a software device.
type Delayer interface {
	// Delay queues work that takes d. It refuses a negative d.
	Delay(d time.Duration) error
}

// A Gater is a stream that can be held back by the host.
type Gater interface {
	// Gate queues a gate: work behind it starts only after open was called.
	// open may be called any number of times from any goroutine. Whoever queues
	// a gate must open it before the stream or its device is closed.
	Gate() (open func(), err error)
}

// A Program is a set of kernels in one or several forms. Each backend takes the
// form it can run; kernels have the same names and arguments in all of them.
type Program struct {
	// Name is for error texts.
	Name string
	// Go holds kernels as Go functions, for the software device.
	Go map[string]GoKernel
	// OpenCL, HIP and Metal are source texts, PTX is CUDA's assembly.
	OpenCL, HIP, Metal, PTX string
}

// A Module holds a program's kernels, ready to launch.
type Module interface {
	// Kernel returns the kernel of that name; an unknown one is refused with
	// ErrInvalidProgram and the names there are.
	Kernel(name string) (Kernel, error)
	// Close frees the module once work queued before has finished.
	Close() error
}

// A Kernel is a function that a device can run.
type Kernel interface {
	Name() string
}

// A Launch is one run of a kernel. The zero sizes of Grid and Block mean 1.
type Launch struct {
	Kernel Kernel
	// Grid is the number of blocks, Block the number of threads in each.
	Grid, Block [3]uint32
	// Args are the kernel's arguments. The slice may be reused on return.
	Args []Arg
}

// A GoKernel is a kernel of the software device. It runs once a launch, on a
// goroutine of the device. An error fails the stream; a panic does so too.
type GoKernel func(c KernelCall) error

// KernelCall is what a GoKernel sees of its launch.
type KernelCall struct {
	// Grid and Block are the launch's sizes, zeros replaced by 1.
	Grid, Block [3]uint32
	// Args are the launch's arguments.
	Args []Arg
	// Memory holds, for every argument that is a buffer, its bytes from the
	// argument's offset to its end; nil for the others.
	Memory [][]byte
}

// ArgKind tells what an argument holds.
type ArgKind uint8

// The kinds of argument.
const (
	ArgBuffer ArgKind = iota + 1
	ArgInt32
	ArgUint32
	ArgInt64
	ArgUint64
	ArgFloat32
	ArgFloat64
)

// An Arg is one typed kernel argument. The zero Arg is refused by Launch.
type Arg struct {
	kind   ArgKind
	buffer Buffer
	bits   uint64
}

// BufferArg passes b from byte offset on.
func BufferArg(b Buffer, offset int64) Arg {
	return Arg{kind: ArgBuffer, buffer: b, bits: uint64(offset)}
}

// Int32Arg passes v.
func Int32Arg(v int32) Arg { return Arg{kind: ArgInt32, bits: uint64(uint32(v))} }

// Uint32Arg passes v.
func Uint32Arg(v uint32) Arg { return Arg{kind: ArgUint32, bits: uint64(v)} }

// Int64Arg passes v.
func Int64Arg(v int64) Arg { return Arg{kind: ArgInt64, bits: uint64(v)} }

// Uint64Arg passes v.
func Uint64Arg(v uint64) Arg { return Arg{kind: ArgUint64, bits: v} }

// Float32Arg passes v.
func Float32Arg(v float32) Arg {
	return Arg{kind: ArgFloat32, bits: uint64(math.Float32bits(v))}
}

// Float64Arg passes v.
func Float64Arg(v float64) Arg { return Arg{kind: ArgFloat64, bits: math.Float64bits(v)} }

// Kind tells which of the accessors below is meant.
func (a Arg) Kind() ArgKind { return a.kind }

// Buffer returns the buffer and the byte offset into it; nil for other kinds.
func (a Arg) Buffer() (Buffer, int64) { return a.buffer, int64(a.bits) }

// Bits returns the raw little-endian value, zero-extended to 64 bits.
func (a Arg) Bits() uint64 { return a.bits }

// Int returns the value of an integer argument, sign kept.
func (a Arg) Int() int64 {
	if a.kind == ArgInt32 {
		return int64(int32(a.bits))
	}
	return int64(a.bits)
}

// Float returns the value of a floating-point argument.
func (a Arg) Float() float64 {
	if a.kind == ArgFloat32 {
		return float64(math.Float32frombits(uint32(a.bits)))
	}
	return math.Float64frombits(a.bits)
}
