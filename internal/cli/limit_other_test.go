//go:build !linux && !darwin

package cli

func limitFiles() {}
