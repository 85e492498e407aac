// Command reader is the views as a WebAssembly module: selections and attachments in, HTML
// out, in a worker. Natively it only builds.
package main

import (
	"unsafe"

	"github.com/figs-web/figs-web/wasm/reader/pages"
)

// in is the buffer that the caller fills; out keeps the last answer alive until the next call.
var in, out []byte

// main never ends: the exports below are called while it sleeps.
func main() { select {} }

// buffer returns where the caller writes its next n bytes.
//
//go:wasmexport buffer
func buffer(n uint32) uint32 {
	in = make([]byte, n)
	return address(in)
}

// call answers the request that stands in the first n bytes of the buffer: the answer's
// address in the upper half, its length in the lower.
//
//go:wasmexport call
func call(n uint32) uint64 {
	out = pages.Answer(in[:n])
	in = nil
	return uint64(address(out))<<32 | uint64(len(out))
}

func address(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
