package figs

import (
	"github.com/figs-web/figs-web/figs/jsonl"
)

// key numbers the fields that the protocol names on ledger lines; a record's set of seen
// fields is a word of bits.
type key uint8

const (
	keyID key = iota
	keyTS
	keyType
	keyStatus
	keyState
	keyTitle
	keyResult
	keyUnit
	keyPeriod
	keyTo
	keyRun
	keyFound
	keyNeed
	keyOptions
	keyOnApprove
	keyDetails
	keyAttachments
	keyArtifact
	keyArtifacts
	keyRefs
	keyResolution
	keySession
	keyEventID
	keyKind
	keyAsk
	keyBy
	keySource
	keyChosen
	keyText
	keyVerdict
	keyCount
	keyUnknown = key(255)
)

var keyNames = [keyCount]string{"id", "ts", "type", "status", "state", "title", "result", "unit", "period", "to", "run", "found", "need",
	"options", "onApprove", "details", "attachments", "artifact", "artifacts", "refs", "resolution", "session", "eventId", "kind", "ask", "by",
	"source", "chosen", "text", "verdict"}

// A known key is found by a product of its first eight bytes and its length. The factor was
// searched so that no two of them share a slot; TestKeyTable holds it to that.
const keyFactor, keyShift = 0xb74b7f122f918fd3, 58

type keySlot struct {
	head uint64
	len  uint32
	key  key
}

var keyTable = buildKeyTable()

func keySlotOf(head uint64, n uint32) uint64 { return (head ^ uint64(n)) * keyFactor >> keyShift }

func buildKeyTable() (t [64]keySlot) {
	for i := range t {
		t[i].key = keyUnknown
	}
	for k, name := range keyNames {
		b := []byte(name + "        \n")
		head := jsonl.KeyHash64(b, 0, uint32(len(name)))
		t[keySlotOf(head, uint32(len(name)))] = keySlot{head, uint32(len(name)), key(k)}
	}
	return t
}

// keyOf returns the known field that b[start:end] names, or keyUnknown.
func keyOf(b []byte, start, end uint32) key {
	n := end - start
	head := jsonl.KeyHash64(b, start, end)
	s := &keyTable[keySlotOf(head, n)]
	if s.head != head || s.len != n {
		return keyUnknown
	}
	if n > 8 && string(b[start:end]) != keyNames[s.key] {
		return keyUnknown
	}
	return s.key
}

// keyNamed is keyOf for a decoded key.
func keyNamed(name []byte) key {
	for k := range keyNames {
		if keyNames[k] == string(name) {
			return key(k)
		}
	}
	return keyUnknown
}
