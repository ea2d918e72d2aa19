// Package measure runs arms against each other on one workload and a number of
// waiters, and counts latency, CPU time and allocations.
//
// # What a run is
//
// Each waiter owns a stream and goes round: it queues a piece of work and a mark,
// waits for the ticket, and takes down how long after the device's store it was
// running again. The pieces come from a seed, the same for every arm.
//
// The arms run in turn, a slice each, and all of them in each round, in an order
// that is drawn anew for each round: whatever else the machine does hits all of
// them alike. Before the first round each arm runs a slice that does not count, so
// that estimators have learned and caches are warm. Between slices the garbage is
// collected, so that it is not within them.
//
// CPU time is that of the whole process over a slice, the waiters' own queueing
// included, which is the same for every arm.
package measure
