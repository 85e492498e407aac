package components

import (
	"context"
	"testing"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
)

func TestRelative(t *testing.T) {
	site := pagetest.Site()
	for ts, want := range map[string]string{
		"2026-11-20T18:30:00Z": "just now", "2026-11-20T18:29:10Z": "just now", "2026-11-20T18:21:00Z": "9 min ago", "2026-11-20T12:05:10Z": "6 h ago",
		"2026-11-19T12:00:00Z": "30 h ago", "2026-11-16T08:02:11Z": "4 days ago", "2026-06-01T00:00:00Z": "5 months ago", "2020-01-01T00:00:00Z": "6 years ago",
		"2026-11-20T21:30:00Z": "in 3 h", "2026-11-20T18:30:30Z": "just now",
	} {
		if got := site.Relative(context.Background(), pagetest.At(ts)); got != want {
			t.Errorf("relative(%s) = %q, want %q", ts, got, want)
		}
	}
	for _, unknown := range []int64{0, figs.NoTime} {
		site.Now = unknown
		if got := site.Relative(context.Background(), pagetest.At("2026-11-20T18:30:00Z")); got != "20 Nov 2026, 19:30:00" {
			t.Errorf("without a clock relative = %q, want the exact time", got)
		}
	}
}

func TestOffset(t *testing.T) {
	for zone, want := range map[int]string{0: "UTC", 60: "UTC+1", -210: "UTC−3:30", 345: "UTC+5:45", 540: "UTC+9"} {
		if got := (ui.Site{Zone: zone}).Offset(); got != want {
			t.Errorf("offset(%d) = %q, want %q", zone, got, want)
		}
	}
}

func TestPeriod(t *testing.T) {
	site := ui.Site{}
	for _, test := range [][3]string{
		{"2026-11-20T16:05:09Z", "2026-11-20T16:05:12Z", "20 Nov 2026, 16:05"},
		{"2026-11-20T16:05:09Z", "2026-11-20T18:05:12Z", "20 Nov 2026, 16:05 – 18:05"},
		{"2026-01-05T00:00:00Z", "2026-11-20T00:00:00Z", "5 Jan – 20 Nov 2026"},
		{"2025-12-31T00:00:00Z", "2026-11-20T00:00:00Z", "31 Dec 2025 – 20 Nov 2026"},
	} {
		if got := site.Period(context.Background(), pagetest.At(test[0]), pagetest.At(test[1])); got != test[2] {
			t.Errorf("period(%s, %s) = %q, want %q", test[0], test[1], got, test[2])
		}
	}
}

func TestBytesize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1 KB", 1061: "1.1 KB", 99_499: "99.5 KB", 182_904: "183 KB", 999_600: "1 MB", 10 << 20: "10.5 MB", 2_400_000_000: "2.4 GB", 5e15: "5000 TB"} {
		if got := i18n.ByteSize(context.Background(), n); got != want {
			t.Errorf("bytesize(%d) = %q, want %q", n, got, want)
		}
	}
}
