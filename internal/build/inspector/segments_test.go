package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
)

// withData is a module that has a custom section, a data section and one more.
func withData(list []segment) []byte {
	m := []byte("\x00asm\x01\x00\x00\x00\x00\x02\x01n")
	body := writeSegments(list)
	m = append(m, 11)
	m = binary.AppendUvarint(m, uint64(len(body)))
	return append(append(m, body...), 0, 2, 1, 'z')
}

// memoryOf applies a module's data as a browser does: in order.
func memoryOf(t *testing.T, module []byte) (memory []byte, count int) {
	t.Helper()
	memory = make([]byte, 1<<20)
	_, err := rewriteSection(module, 11, func(body []byte) ([]byte, error) {
		list, err := readSegments(body)
		for _, s := range list {
			copy(memory[s.offset:], s.bytes)
		}
		count = len(list)
		return body, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return memory, count
}

func TestJoinSegmentsKeepsTheMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var list []segment
		for at := uint64(r.IntN(100)); at < 1<<19; at += uint64(r.IntN(3 * joinGap)) {
			text := make([]byte, 1+r.IntN(40))
			for i := range text {
				text[i] = byte(r.Uint32())
			}
			list = append(list, segment{at, text})
			at += uint64(len(text))
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		before := withData(list)
		after, err := joinSegments(before, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, many := memoryOf(t, before)
		got, few := memoryOf(t, after)
		if !bytes.Equal(got, want) {
			t.Fatal("the module starts with another memory")
		}
		if few >= many {
			t.Errorf("%d segments were joined to %d", many, few)
		}
		if again, err := joinSegments(after, nil); err != nil || !bytes.Equal(again, after) {
			t.Errorf("joining twice is not joining once: %v", err)
		}
	}
}

func TestJoinSegmentsRefuses(t *testing.T) {
	passive := withData([]segment{{8, []byte("abc")}})
	passive[bytes.Index(passive, []byte{0, i32Const})] = 1
	for name, m := range map[string][]byte{
		"overlapping segments": withData([]segment{{0, []byte("abcd")}, {2, []byte("xy")}}),
		"a passive segment":    passive,
		"a cut section":        withData([]segment{{0, []byte("abcd")}})[:20],
		"no data":              []byte("\x00asm\x01\x00\x00\x00"),
	} {
		if _, err := joinSegments(m, nil); !errors.Is(err, errModule) {
			t.Errorf("%s: %v, want %v", name, err, errModule)
		}
	}
}

func TestSignedNumbers(t *testing.T) {
	for _, v := range []int64{0, 1, 63, 64, 127, 128, 1 << 13, 1<<20 - 1, 1 << 30, 1<<31 - 1, -1, -64, -65} {
		b := appendSigned(nil, v)
		if got, n := signed(b); got != v || n != len(b) {
			t.Errorf("%d is read as %d after %d of %d bytes", v, got, n, len(b))
		}
	}
}
