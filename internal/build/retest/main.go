// Command retest runs go test, and runs the tests that failed once more, alone: browser tests that share two cores with
// others sometimes wait in vain. A test that fails alone, too, fails; one that passes then is named, since it has to be fixed.
//
//	go run ./internal/build/retest [-most N] PACKAGES and flags of go test
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

func main() {
	most := flag.Int("most", 3, "do not run more failed tests than this again")
	flag.Parse()
	out := &bytes.Buffer{}
	if goTest(io.MultiWriter(os.Stdout, out), flag.Args()) == nil {
		return
	}
	failed, ok := failedTests(out)
	if !ok || count(failed) > *most {
		os.Exit(1)
	}
	flags := flagsOf(flag.Args())
	for pkg, tests := range failed {
		fmt.Printf("once more, alone: %s in %s\n", strings.Join(tests, ", "), pkg)
		if goTest(os.Stdout, append(flags, "-count=1", "-parallel=1", "-run", "^("+strings.Join(tests, "|")+")$", pkg)) != nil {
			os.Exit(1)
		}
		fmt.Printf("unsteady: %s in %s failed beside other tests, and passed alone\n", strings.Join(tests, ", "), pkg)
	}
}

// goTest runs go test.
func goTest(out io.Writer, args []string) error {
	test := exec.Command("go", append([]string{"test"}, args...)...)
	test.Stdout, test.Stderr = out, os.Stderr
	return test.Run()
}

// flagsOf leaves out the packages.
func flagsOf(args []string) (flags []string) {
	for i, arg := range args {
		isValue := i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "=")
		if strings.HasPrefix(arg, "-") || isValue {
			flags = append(flags, arg)
		}
	}
	return flags
}

// failedTests reads the output of go test: the failed tests of each package. ok is false if something else failed: a
// package that wasn't built, a panic, a time-out.
func failedTests(out io.Reader) (failed map[string][]string, ok bool) {
	failed = map[string][]string{}
	var tests []string
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if name, isFailure := strings.CutPrefix(line, "--- FAIL: "); isFailure {
			tests = append(tests, strings.Fields(name)[0])
		}
		switch fields := strings.Fields(line); {
		case strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "FAIL\t") && len(tests) == 0:
			return nil, false
		case strings.HasPrefix(line, "FAIL\t"):
			failed[fields[1]], tests = tests, nil
		case strings.HasPrefix(line, "ok  \t"):
			tests = nil
		}
		if err != nil {
			return failed, len(failed) > 0
		}
	}
}

func count(failed map[string][]string) (n int) {
	for _, tests := range failed {
		n += len(tests)
	}
	return n
}
