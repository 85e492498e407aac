// Command library is the engine for other programs, as a WebAssembly module: the npm package loads it. Its answers are
// those of package jsonapi.
package main

import (
	"unsafe"

	"github.com/figs-web/figs-web/wasm/jsonapi"
)

var engine = jsonapi.New()

// in is the buffer that the caller fills; out keeps the last answer alive until the next call.
var in, out []byte

// main never ends: the exports below are called while it sleeps.
func main() { select {} }

// buffer returns where the caller writes its next n bytes.
//
//go:wasmexport buffer
func buffer(n uint32) uint32 {
	in = engine.Buffer(int(n))
	return address(in)
}

// feed gives the first n bytes of the buffer to an agent's file.
//
//go:wasmexport feed
func feed(agent, file, n uint32) { engine.Feed(int(agent), int(file), int(n)) }

// call answers the request in the first n bytes of the buffer: the address of the answer in the upper half, its length in
// the lower.
//
//go:wasmexport call
func call(n uint32) uint64 {
	out = engine.Call(in[:n])
	return uint64(address(out))<<32 | uint64(len(out))
}

func address(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
