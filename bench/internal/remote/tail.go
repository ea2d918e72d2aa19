package remote

import (
	"bytes"
	"sync"
)

// keptBytes is how much of what a child says last goes into its error.
const keptBytes = 1 << 10

// A tailBuffer keeps the end of what is written to it.
type tailBuffer struct {
	mu   sync.Mutex
	text []byte
}

// Write never fails.
func (b *tailBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, p...)
	b.text = b.text[max(0, len(b.text)-keptBytes):]
	return len(p), nil
}

// String returns the text without the white space around it.
func (b *tailBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(bytes.TrimSpace(b.text))
}
