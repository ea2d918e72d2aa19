package hammer

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A campaign is one call of Run under way.
type campaign struct {
	Config
	code func(*Worker) error
	// ended counts rounds; the watchdog looks whether it moves.
	ended atomic.Int64
	// fail ends the campaign; the first cause stays.
	ctx  context.Context
	fail context.CancelCauseFunc
}

// errDone is the cause when every worker came to its end.
var errDone = errors.New("done")

func (c Config) campaign(code func(*Worker) error) *campaign {
	ctx, fail := context.WithCancelCause(context.Background())
	return &campaign{Config: c, code: code, ctx: ctx, fail: fail}
}

func (c Config) run(code func(*Worker) error) error {
	m := c.campaign(code)
	if err := m.watch(m.start()); err != nil {
		return err
	}
	m.fail(errDone)
	if err := context.Cause(m.ctx); !errors.Is(err, errDone) {
		return err
	}
	return nil
}

// start lets all workers go at once and returns a channel that is closed when
// the last has ended.
func (m *campaign) start() <-chan struct{} {
	var (
		barrier = make(chan struct{})
		done    = make(chan struct{})
		running sync.WaitGroup
	)
	for id := range m.Goroutines {
		w := m.worker(m.ctx, id)
		running.Go(func() {
			<-barrier
			m.work(w)
		})
	}
	close(barrier)
	go func() {
		running.Wait()
		close(done)
	}()
	return done
}

// work runs w's rounds. Code that ends its goroutine, as t.FailNow does, fails
// the campaign as an error would.
func (m *campaign) work(w *Worker) {
	finished := false
	defer func() {
		if !finished {
			m.fail(fmt.Errorf("worker %d, round %d: the code ended its goroutine", w.ID, w.Round))
		}
	}()
	for ; w.Round < m.Rounds && m.ctx.Err() == nil; w.Round++ {
		w.Noise()
		if err := m.code(w); err != nil {
			m.fail(fmt.Errorf("worker %d, round %d: %w", w.ID, w.Round, err))
		}
		m.ended.Add(1)
	}
	finished = true
}

// watch returns when done is closed, or with an error when no round ended for
// the stall time.
func (m *campaign) watch(done <-chan struct{}) error {
	tick := time.NewTicker(m.Stall)
	defer tick.Stop()
	for last := int64(-1); ; {
		select {
		case <-done:
			return nil
		case <-tick.C:
		}
		now := m.ended.Load()
		if now == last {
			return m.hang(now)
		}
		last = now
	}
}

// hang ends the campaign, so that workers which still can will stop.
func (m *campaign) hang(ended int64) error {
	stacks := allStacks()
	if cause := context.Cause(m.ctx); cause != nil {
		return fmt.Errorf("%w; then the other workers did not stop\n%s", cause, stacks)
	}
	err := fmt.Errorf("no round ended for %v after %d of %d\n%s", m.Stall, ended, m.Goroutines*m.Rounds, stacks)
	m.fail(err)
	return err
}

func allStacks() []byte {
	buf := make([]byte, 64<<10)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) || len(buf) >= 16<<20 {
			return buf[:n]
		}
		buf = make([]byte, 2*len(buf))
	}
}

func invalid(what string, value any, allowed string) error {
	return fmt.Errorf("%s is %v: want %s", what, value, allowed)
}
