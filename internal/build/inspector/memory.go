package main

import (
	"encoding/binary"
	"errors"
)

// readerPages is the most memory that the reader may ask for, in pages of 64 KiB: 512 MiB. An
// attachment made to swell then ends its own worker and nothing else.
const readerPages = 8192

var errModule = errors.New("not a WebAssembly module with one memory of its own")

// limitMemory writes a maximum into a module's memory section; one that is there stays.
func limitMemory(module []byte, pages uint64) ([]byte, error) {
	const memorySection = 5
	return rewriteSection(module, memorySection, func(body []byte) ([]byte, error) { return limitSection(body, pages) })
}

// rewriteSection replaces what one section of a module holds.
func rewriteSection(module []byte, wanted byte, rewrite func(body []byte) ([]byte, error)) ([]byte, error) {
	const header = 8
	if len(module) < header || string(module[:4]) != "\x00asm" {
		return nil, errModule
	}
	for at := header; at < len(module); {
		id := module[at]
		size, n := binary.Uvarint(module[at+1:])
		if n <= 0 || size > uint64(len(module)-at-1-n) {
			return nil, errModule
		}
		body := at + 1 + n
		end := body + int(size)
		if id != wanted {
			at = end
			continue
		}
		section, err := rewrite(module[body:end])
		if err != nil {
			return nil, err
		}
		out := append([]byte{}, module[:at]...)
		out = append(out, wanted)
		out = binary.AppendUvarint(out, uint64(len(section)))
		return append(append(out, section...), module[end:]...), nil
	}
	return nil, errModule
}

// limitSection rewrites a section that holds one memory: count, flags, minimum, maximum.
func limitSection(body []byte, pages uint64) ([]byte, error) {
	if len(body) < 3 || body[0] != 1 || body[1] > 1 {
		return nil, errModule
	}
	least, n := binary.Uvarint(body[2:])
	switch {
	case n <= 0 || least > pages:
		return nil, errModule
	case body[1] == 1:
		return body, nil
	}
	return binary.AppendUvarint(binary.AppendUvarint([]byte{1, 1}, least), pages), nil
}
