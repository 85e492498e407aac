package figs

// KnownKey reports whether the protocol names a field of ledger lines so.
func KnownKey(name []byte) bool { return keyNamed(name) != keyUnknown }
