package findings_test

import (
	"slices"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/findings"
)

// A date is that of the calendar, on every kind of day from the year 0 to the year 9999.
func TestExpiresOnIsTheCalendar(t *testing.T) {
	check := func(at time.Time) {
		t.Helper()
		e := findings.Entry{Expires: at.UnixMicro()}
		if got, want := e.ExpiresOn(), at.Format("2006-01-02"); got != want {
			t.Fatalf("ExpiresOn of %v = %q, want %q", at, got, want)
		}
	}
	for _, year := range []int{0, 1, 3, 4, 100, 399, 400, 401, 1600, 1699, 1700, 1900, 1968, 1969, 1970, 1971, 1972, 1999, 2000, 2001, 2024, 2026, 2100, 2400, 9999} {
		for at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() == year; at = at.AddDate(0, 0, 1) {
			check(at)
			check(at.Add(24*time.Hour - time.Microsecond))
		}
	}
	if got := (&findings.Entry{Expires: figs.NoTime}).ExpiresOn(); got != "" {
		t.Errorf("without an end: %q", got)
	}
}

func TestExpiry(t *testing.T) {
	for _, c := range []struct {
		lesson, line, now string
		expires           string
		expired           bool
	}{
		{"the moment before", `{"status":"active","date":"2026-01-01","ttl_days":30}`, "2026-01-30T23:59:59Z", "2026-01-31", false},
		{"the moment", `{"status":"active","date":"2026-01-01","ttl_days":30}`, "2026-01-31T00:00:00Z", "2026-01-31", true},
		{"no days", `{"status":"active","date":"2026-01-01","ttl_days":0}`, "2026-01-01T00:00:00Z", "2026-01-01", true},
		{"a date with a time", `{"status":"active","date":"2026-01-01T12:00:00Z","ttl_days":1}`, "2026-01-02T11:59:59Z", "2026-01-02", false},
		{"retired", `{"status":"retired","date":"2026-01-01","ttl_days":1}`, "2027-01-01T00:00:00Z", "2026-01-02", false},
		{"no present", `{"status":"active","date":"2026-01-01","ttl_days":1}`, "", "2026-01-02", false},
		{"no date", `{"status":"active","date":"soon","ttl_days":1}`, "2027-01-01T00:00:00Z", "", false},
		{"for ever", `{"status":"active","date":"2026-01-01","ttl_days":null}`, "2027-01-01T00:00:00Z", "", false},
		{"the last day of four digits", `{"status":"active","date":"9999-12-30","ttl_days":1}`, "2027-01-01T00:00:00Z", "9999-12-31", false},
		{"beyond it", `{"status":"active","date":"9999-12-30","ttl_days":2}`, "2027-01-01T00:00:00Z", "9999-12-31", false},
		{"far beyond it", `{"status":"active","date":"2026-01-01","ttl_days":999999999}`, "2027-01-01T00:00:00Z", "9999-12-31", false},
	} {
		registry, report := findings.Read([]byte(c.line), c.now)
		e := registry.Entries[0]
		told := slices.ContainsFunc(report.Findings, func(f figs.Finding) bool { return f.Code == figs.EntryExpired })
		if e.ExpiresOn() != c.expires || e.Expired != c.expired || told != c.expired {
			t.Errorf("%s: expires on %q, expired %v, told %v; want %q, %v", c.lesson, e.ExpiresOn(), e.Expired, told, c.expires, c.expired)
		}
	}
}

// What replaces an entry must be named when it is superseded, and only then.
func TestReplacement(t *testing.T) {
	codes := []figs.Code{figs.EntrySupersededByMissing, figs.EntrySupersededByUnexpected, figs.EntryStatusUnknown, figs.EntryDateMalformed}
	for line, want := range map[string][]figs.Code{
		`{"status":"active","superseded_by":null}`:                     nil,
		`{"status":"active"}`:                                          nil,
		`{"status":"active","superseded_by":" "}`:                      nil,
		`{"status":"active","superseded_by":"b"}`:                      {figs.EntrySupersededByUnexpected},
		`{"status":"retired","superseded_by":"b"}`:                     nil,
		`{"status":"retired"}`:                                         nil,
		`{"status":"superseded","superseded_by":"b"}`:                  nil,
		`{"status":"superseded","superseded_by":" "}`:                  {figs.EntrySupersededByMissing},
		`{"status":"superseded","superseded_by":null}`:                 {figs.EntrySupersededByMissing},
		`{"status":"superseded"}`:                                      {figs.EntrySupersededByMissing},
		`{"status":"superseded","superseded_by":7}`:                    nil,
		`{"status":"done"}`:                                            {figs.EntryStatusUnknown},
		`{"status":"active","date":"soon"}`:                            {figs.EntryDateMalformed},
		`{"status":"active","date":"2026-01-01","last_cited":"soon"}`:  {figs.EntryDateMalformed},
		`{"status":"active","date":"2026-01-01","last_cited":null}`:    nil,
		`{"status":"active","date":"2026-01-01T00:00:00Z","x":"soon"}`: nil,
	} {
		_, report := findings.Read([]byte(line), now)
		var got []figs.Code
		for _, f := range report.Findings {
			if slices.Contains(codes, f.Code) {
				got = append(got, f.Code)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// A replacement that is not there is marked where it stands, on its line of the file.
func TestReplacementIsMarked(t *testing.T) {
	const first, second = `{"id":"a","status":"active"}` + "\n", `{"id":"b","status":"superseded","superseded_by":"none"}` + "\n"
	_, report := findings.Read([]byte(first+second), now)
	i := slices.IndexFunc(report.Findings, func(f figs.Finding) bool { return f.Code == figs.EntrySupersededByUnknown })
	if i < 0 {
		t.Fatalf("%+v does not tell it", report.Findings)
	}
	f := report.Findings[i]
	if got := (first + second)[f.Offset:][:f.EndColumn-f.Column]; f.Line != 2 || got != `"none"` || second[f.Column-1:f.EndColumn-1] != `"none"` {
		t.Errorf("line %d, columns %d to %d, offset %d: %q is marked", f.Line, f.Column, f.EndColumn, f.Offset, got)
	}
}
