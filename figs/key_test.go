package figs

import "testing"

func TestKeyTable(t *testing.T) {
	for k, name := range keyNames {
		b := []byte(name + "\":1}\n")
		if got := keyOf(b, 0, uint32(len(name))); got != key(k) {
			t.Errorf("keyOf(%q) = %d, want %d: two names share a slot, search another factor", name, got, k)
		}
	}
	for _, name := range []string{"", "i", "ids", "ID", "attachmentz", "attachment", "artifact2", "onApprovE"} {
		b := []byte(name + "\":1}\n")
		if got := keyOf(b, 0, uint32(len(name))); got != keyUnknown {
			t.Errorf("keyOf(%q) = %d, want unknown", name, got)
		}
	}
}
