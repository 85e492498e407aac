package accounts

import "flag"

// UseCheapHashesForTests makes hashes of passwords cheap for the rest of the run, for tests whose subject is something else: a
// hash at full cost is most of what they would take. It panics outside of tests.
func UseCheapHashesForTests() {
	if flag.Lookup("test.v") == nil {
		panic("people: cheap hashes are for tests alone")
	}
	today = cost{memory: 128, passes: 1, lanes: 1}
}
