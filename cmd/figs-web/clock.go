//go:build !nodestest

package main

import "time"

// now is this machine's clock.
var now = time.Now
