package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// resolved finds, in a line of the browser's network log, the place that our rules gave a name which was to be looked up.
var resolved = regexp.MustCompile(`"host":"(?:[a-z]+://)?127\.0\.0\.1:(\d+)"`)

// errCut says that a log is no proof of silence. A payload that ends the browser's network process does that: the log
// begins anew. In a control that is one more thing that payloads can do.
var errCut = errors.New("the browser's network log has lost its beginning")

// lookups counts the names that the browser looked up, by vector. The browser writes its log until it ends, so it must
// have ended.
func (d *drive) lookups() (map[int]int, error) {
	f, err := os.Open(d.log())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	counts, whole := make(map[int]int), false
	lines := bufio.NewReaderSize(f, 1<<20)
	for {
		line, err := lines.ReadString('\n')
		if strings.Contains(line, `"dns_query_type"`) {
			if m := resolved.FindStringSubmatch(line); m != nil {
				if number, found := d.numberAt(m[1]); found {
					counts[number]++
				}
				whole = whole || m[1] == firstPort
			}
		}
		if err != nil {
			break
		}
	}
	if !whole {
		return counts, errCut
	}
	return counts, nil
}

// numberAt is the vector whose trap has a port; our own site has none.
func (d *drive) numberAt(port string) (int, bool) {
	for i, l := range d.trap.listeners {
		if strconv.Itoa(l.Addr().(*net.TCPAddr).Port) == port {
			if i == 0 {
				return 0, true
			}
			return d.vectors[i-1].Number, true
		}
	}
	return 0, false
}

// close stops the browser and adds what only its log knows.
func (d *drive) close(o *outcome) error {
	d.watch.wire.stop()
	d.watch.wire = nil
	counts, err := d.lookups()
	if err != nil && (o.mode.protected || !errors.Is(err, errCut)) {
		return fmt.Errorf("%s: %w", o.mode.name, err)
	}
	o.add(lookup, counts)
	return nil
}
