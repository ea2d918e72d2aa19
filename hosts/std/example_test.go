package std_test

import (
	"fmt"
	"time"

	"gpureactor/hosts/std"
	"gpureactor/port"
)

func Example() {
	host := std.New(std.Config{})
	defer host.Close()

	fmt.Println(host.SleepUntil(host.Now().Add(time.Millisecond)))
	go host.Wake()
	fmt.Println(host.SleepUntil(port.Forever))
	// Output:
	// time
	// call
}
