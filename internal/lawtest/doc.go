// Package lawtest holds the laws that keep the module's structure, as functions
// over its source. Its tests apply every law to this module, and show on planted
// trees that every clause of every law can fail.
//
// Arrows go from a level to those below it, as the table in layers.go says; where
// there is no arrow there is no import:
//
//	level 5   bench  examples/*
//	level 4   gpureactor (the root)
//	level 3   hosts/*  backends/*     rows below: hosts/wordwait for hosts,
//	                                  backends/mapped and resident for backends
//	level 2   fill -> reactor
//	level 1   reactor -> waitplan -> deadline
//	level 0   port
//	beside    internal/*
//
// The laws:
//
//  1. The core (port, deadline, waitplan, reactor, fill) imports the standard
//     library and what lies below it, no unsafe, and never reads or waits for
//     real time: time enters by port.Clock.
//  2. No backend reaches the reactor or fill; no host reaches a vendor backend.
//  3. purego stands in internal/dl only, and there is no cgo. Programs on the
//     default path do not reach either: they link to a static binary.
//  4. unsafe stands in a few named files, each use with its reason, and nothing
//     is linked by name.
//  5. Every package exports the same on every platform.
//  6. Every package, and every name it exports, is documented.
//  7. Every package with tests looks for leaks after them, by internal/testmain.
//
// A law reads source with go/parser, whatever build constraints a file has, so a
// violation in a file for another system is seen on this one.
package lawtest
