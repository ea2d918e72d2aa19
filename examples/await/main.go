// Await queues work on a device and awaits it: the smallest useful program.
package main

import (
	"context"
	"fmt"
	"log"

	"gpureactor"
)

func main() {
	rt, err := gpureactor.Open(gpureactor.Config{})
	check(err)
	defer rt.Close()
	stream, err := rt.NewStream()
	check(err)
	buffer, err := rt.Device().Alloc(1 << 20)
	check(err)

	check(stream.Fill(buffer, 0, buffer.Size(), 42)) // device work
	result := make([]byte, 4)                        //
	check(stream.CopyOut(result, buffer, 0))         // read back behind it
	future, err := stream.Submit("await/result")     // a future for all of it
	check(err)                                       //
	check(future.Wait(context.Background()))         // done, failed or cancelled
	fmt.Println(result, future.Report().Kind, rt)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
