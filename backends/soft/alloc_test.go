package soft

import (
	"context"
	"runtime"
	"testing"

	"gpureactor/port/manual"
)

func TestSteadyStateAllocatesNothing(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		config Config
		run    func(t *testing.T, s *Stream)
	}{
		{"mark, stepped", Config{Alarm: new(manual.Clock)}, func(t *testing.T, s *Stream) { markTest(t, s) }},
		{"delay of 0 and mark, stepped", Config{Alarm: new(manual.Clock)}, func(t *testing.T, s *Stream) {
			must(t, s.Delay(0))
			markTest(t, s)
		}},
		{"delay, mark, status and retire, live", Config{}, func(t *testing.T, s *Stream) {
			must(t, s.Delay(us))
			ticket := markTest(t, s)
			for !ticket.Reached() {
				runtime.Gosched()
			}
			_, err := s.Status()
			must(t, err)
			s.Retire(ticket.Target(), nil)
		}},
		{"delay, mark and block, live", Config{}, func(t *testing.T, s *Stream) {
			must(t, s.Delay(20*us))
			must(t, s.Block(ctx, markTest(t, s)))
		}},
		{"acquire and release", Config{}, func(t *testing.T, s *Stream) {
			must(t, s.Acquire())
			s.Release()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := openLive(t, c.config)
			s := newTestStream(t, d)
			for range 20 {
				c.run(t, s)
			}
			if n := testing.AllocsPerRun(200, func() { c.run(t, s) }); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}
