package e2e

import "testing"

// TestOtherEngines runs what is tested in Firefox and WebKit, one browser at a time: each of them takes a machine's
// processors for itself.
func TestOtherEngines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(*testing.T){
		"Firefox":        testFirefox,
		"FirefoxAttack":  testFirefoxAttack,
		"WebKit":         testWebKit,
		"WebKitAttack":   testWebKitAttack,
		"WebKitPassages": testWebKitPassages,
		"WebKitDisk":     testWebKitDisk,
		"WebKitServed":   testWebKitServed,
	} {
		t.Run(name, test)
	}
}
