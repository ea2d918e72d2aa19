package soft

// heavyBytes is the most that a fill or a copy moves on somebody else's
// goroutine: a few hundred nanoseconds.
const heavyBytes = 4096

// A fillTask sets memory.
type fillTask struct {
	buf   *buffer
	dst   []byte
	value byte
}

func (t *fillTask) heavy() bool { return len(t.dst) > heavyBytes }

func (t *fillTask) run() error {
	fill(t.dst, t.value)
	return nil
}

func (t *fillTask) settle(ran bool) { t.buf.landed(&t.buf.dev.counters.fills, len(t.dst), ran) }

// A copyInTask moves host bytes, which it owns, into memory.
type copyInTask struct {
	buf *buffer
	dst []byte
	src []byte
}

func (t *copyInTask) heavy() bool { return len(t.dst) > heavyBytes }

func (t *copyInTask) run() error {
	copy(t.dst, t.src)
	return nil
}

func (t *copyInTask) settle(ran bool) { t.buf.landed(&t.buf.dev.counters.copiesIn, len(t.dst), ran) }

// A copyOutTask moves memory into a staging buffer, and Retire that to where the
// caller wants it: dst is written by the goroutine that retires, never by the
// device, so that a wait which failed or was cancelled has no late writer.
type copyOutTask struct {
	buf    *buffer
	src    []byte
	staged []byte
	dst    []byte
	// mark is the number of the first mark behind the copy.
	mark uint64
	// done says that staged holds the bytes. The stream's mutex guards it.
	done bool
}

func (t *copyOutTask) heavy() bool { return len(t.src) > heavyBytes }

func (t *copyOutTask) run() error {
	copy(t.staged, t.src)
	return nil
}

func (t *copyOutTask) settle(ran bool) {
	t.done = ran
	t.buf.landed(&t.buf.dev.counters.copiesOut, len(t.src), ran)
	t.src = nil
}

// landed counts work of n bytes if it ran, and lets go of its buffer.
func (b *buffer) landed(what *count, n int, ran bool) {
	if ran {
		what.Add(1)
		b.dev.counters.bytes.Add(int64(n))
	}
	b.letGo()
}
