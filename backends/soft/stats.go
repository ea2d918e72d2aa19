package soft

import "sync/atomic"

type count = atomic.Int64

// counters are the device's running counts. Each is moved by whoever does what
// it counts, and read alone: a snapshot is not one moment of them all.
type counters struct {
	streams, marks, stores, late, lost, faults count
	fills, copiesIn, copiesOut, kernels, bytes count
	dropped, badRetires, keptBytes             count
}

// Stats are counts since Open, but for those said to be current.
type Stats struct {
	// Streams is the number of streams open, Buffers and BufferBytes that of the
	// buffers not given back: current.
	Streams, Buffers, BufferBytes int64
	// Marks were queued, Stores landed in a word, wrong and repeated ones too.
	Marks, Stores int64
	// LateStores landed late, LostStores never will, or only out of their turn.
	LateStores, LostStores int64
	// Faults of the script or of Inject came to pass.
	Faults int64
	// Fills, CopiesIn, CopiesOut and Kernels finished, and moved Bytes, those of
	// kernels not counted.
	Fills, CopiesIn, CopiesOut, Kernels, Bytes int64
	// Dropped pieces of work were queued and never ran: the device was lost, or
	// stepped and closed.
	Dropped int64
	// BadRetires broke the contract of Source.Retire: numbers out of order, or a
	// success before the work was done.
	BadRetires int64
	// KeptBytes were kept on purpose at Close.
	KeptBytes int64
}

// Stats returns the counts. It may be called at any time, after Close too.
func (d *Device) Stats() Stats {
	c := &d.counters
	return Stats{
		Streams: c.streams.Load(), Buffers: d.memory.count(), BufferBytes: d.memory.bytes(),
		Marks: c.marks.Load(), Stores: c.stores.Load(),
		LateStores: c.late.Load(), LostStores: c.lost.Load(), Faults: c.faults.Load(),
		Fills: c.fills.Load(), CopiesIn: c.copiesIn.Load(), CopiesOut: c.copiesOut.Load(),
		Kernels: c.kernels.Load(), Bytes: c.bytes.Load(), Dropped: c.dropped.Load(),
		BadRetires: c.badRetires.Load(), KeptBytes: c.keptBytes.Load(),
	}
}
