package hostmem

import "testing"

func TestSharedFileCannotShrink(t *testing.T) {
	p, f := newShared(t, 1)
	defer p.Release()
	if f.Truncate(0) == nil {
		t.Error("the file behind a shared page was shortened")
	}
}
