package port_test

import (
	"errors"
	"fmt"

	"gpureactor/port"
)

// A device stores rising numbers into a word; a ticket is one of them.
func ExampleTicket() {
	var line port.Line
	slot, err := port.NewSlot(3)
	if err != nil {
		fmt.Println(err)
		return
	}
	word := line.Word(slot)
	ticket := port.NewTicket(word, 2)
	word.Store(1)
	fmt.Println(ticket, ticket.Reached())
	word.Store(5) // a later store completes it too
	fmt.Println(ticket, ticket.Reached())
	// Output:
	// ticket(slot 3, target 2) false
	// ticket(slot 3, target 2) true
}

// The code is an error's identity; the driver's status comes with it.
func ExampleError() {
	err := fmt.Errorf("decode: %w", port.DriverError("cuStreamQuery", 700, "CUDA_ERROR_ILLEGAL_ADDRESS"))
	var e *port.Error
	fmt.Println(errors.Is(err, port.Backend), errors.As(err, &e), e.Driver.Status)
	fmt.Println(err)
	// Output:
	// true true 700
	// decode: cuStreamQuery failed with status 700 (CUDA_ERROR_ILLEGAL_ADDRESS)
}
