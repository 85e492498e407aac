package figs

// IsKnownKey reports whether the protocol names a field of ledger lines so.
func IsKnownKey(name []byte) bool { return keyNamed(name) != keyUnknown }
