package main

import (
	"bytes"
	"testing"
)

func TestLimitMemory(t *testing.T) {
	magic := "\x00asm\x01\x00\x00\x00"
	before := []byte(magic + "\x01\x01\x00" + "\x05\x03\x01\x00\x10" + "\x0a\x01\x00")
	after := []byte(magic + "\x01\x01\x00" + "\x05\x05\x01\x01\x10\x80\x40" + "\x0a\x01\x00")
	got, err := limitMemory(before, readerPages)
	if err != nil || !bytes.Equal(got, after) {
		t.Fatalf("limitMemory = %x, %v, want %x", got, err, after)
	}
	if again, err := limitMemory(got, readerPages); err != nil || !bytes.Equal(again, after) {
		t.Errorf("a second time = %x, %v, want no change", again, err)
	}
	for name, bad := range map[string]string{
		"empty": "", "text": "<html>", "no memory": magic + "\x01\x01\x00", "cut off": magic + "\x05\x09\x01",
		"wants more than the limit": magic + "\x05\x04\x01\x00\x80\x41", "two memories": magic + "\x05\x05\x02\x00\x10\x00\x10",
	} {
		if out, err := limitMemory([]byte(bad), readerPages); err == nil {
			t.Errorf("limitMemory(%s) = %x, want an error", name, out)
		}
	}
}
