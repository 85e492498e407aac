package main

import (
	"bytes"
	"encoding/binary"
)

// The linker writes into every program which line of which file each instruction came from, and
// the name of each function, for tracebacks. A page shows none; what the runtime itself
// needs of these tables (how a stack unwinds, where its pointers are) stays.

// tableHead is how Go's table of functions starts since 1.20: magic, padding, the size of an
// instruction's step and of a pointer in WebAssembly.
var tableHead = []byte{0xF1, 0xFF, 0xFF, 0xFF, 0, 0, 1, 8}

// Where the words of the head and the fields of a function's entry stand, in bytes.
const (
	headFuncs, headNames, headUnits, headFiles, headPCs, headEntries, headSize = 8, 32, 40, 48, 56, 64, 72

	entryName, entryStack, entryFile, entryLine, entryTables, entryStart, entrySize = 4, 16, 20, 24, 28, 36, 44
)

// runtimeName stands for the name of every function of the runtime: the scheduler tells its
// own goroutines by this prefix. All others lose theirs.
const runtimeName = "runtime."

// dropLines clears lines, files and names from the table of functions in a memory image, and
// reports whether it found the one table that it understands; else it leaves the image alone.
// It takes a ninth of the engine and of the reader, as they travel.
func dropLines(image []byte) bool {
	at := bytes.Index(image, tableHead)
	if at < 0 || bytes.Contains(image[at+1:], tableHead) || len(image)-at < headSize {
		return false
	}
	table := image[at:]
	word := func(offset int) int { return int(binary.LittleEndian.Uint64(table[offset:])) }
	funcs, names, units, files, pcs, entries := word(headFuncs), word(headNames), word(headUnits), word(headFiles), word(headPCs), word(headEntries)
	if !(headSize <= names && names < units && units <= files && files < pcs && pcs < entries && entries+8*funcs < len(table)) {
		return false
	}
	kept, ok := keptTables(table, funcs, pcs, entries)
	if !ok {
		return false
	}
	for i := range funcs {
		clearEntry(entryOf(table, entries, i), table[names:units])
	}
	for i := range kept {
		if !kept[i] {
			table[pcs+i] = 0
		}
	}
	clear(table[names:units])
	copy(table[names+1:], runtimeName)
	clear(table[files:pcs])
	return true
}

// entryOf is function i's entry and what follows it; nil when there is none.
func entryOf(table []byte, entries, i int) []byte {
	at := entries + int(binary.LittleEndian.Uint32(table[entries+8*i+4:]))
	if at+entrySize > len(table) {
		return nil
	}
	return table[at:]
}

// keptTables marks the bytes of table[pcs:entries] that the runtime needs: for each function
// how its stack unwinds, and its tables of pointers and safe points.
func keptTables(table []byte, funcs, pcs, entries int) (kept []bool, ok bool) {
	kept = make([]bool, entries-pcs)
	for i := range funcs {
		entry := entryOf(table, entries, i)
		if entry == nil {
			return nil, false
		}
		n := int(binary.LittleEndian.Uint32(entry[entryTables:]))
		if n > 16 || entrySize+4*n > len(entry) {
			return nil, false
		}
		if !keepTable(table[pcs:entries], kept, binary.LittleEndian.Uint32(entry[entryStack:])) {
			return nil, false
		}
		for k := range n {
			if !keepTable(table[pcs:entries], kept, binary.LittleEndian.Uint32(entry[entrySize+4*k:])) {
				return nil, false
			}
		}
	}
	return kept, true
}

// clearEntry makes one function's entry forget its lines, and its name unless it is the
// runtime's.
func clearEntry(entry, names []byte) {
	name := binary.LittleEndian.Uint32(entry[entryName:])
	to := uint32(0)
	if int(name) < len(names) && bytes.HasPrefix(names[name:], []byte(runtimeName)) {
		to = 1
	}
	binary.LittleEndian.PutUint32(entry[entryName:], to)
	clear(entry[entryFile : entryLine+4])
	clear(entry[entryStart : entryStart+4])
}

// keepTable marks one table of pairs (change of value, change of place), which ends with a
// change of 0 after the first pair.
func keepTable(pcs []byte, kept []bool, offset uint32) bool {
	if offset == 0 {
		return true
	}
	at := int(offset)
	for first := true; ; first = false {
		if at >= len(pcs) {
			return false
		}
		start := at
		v, n := binary.Uvarint(pcs[at:])
		if n <= 0 {
			return false
		}
		at += n
		if v == 0 && !first {
			kept[start] = true
			return true
		}
		_, n = binary.Uvarint(pcs[at:])
		if n <= 0 {
			return false
		}
		at += n
		for i := start; i < at; i++ {
			kept[i] = true
		}
	}
}
