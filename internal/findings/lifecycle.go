package findings

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// Statuses are what may become of an entry: active ones are given to planning and review, retired and superseded ones
// are history.
var Statuses = []string{Active, Retired, Superseded}

// The statuses.
const (
	Active     = "active"
	Retired    = "retired"
	Superseded = "superseded"
)

// lifecycle reads status, replacement and the fields about time.
func (r *Reader) lifecycle(l *line, e *Entry, p *parts) {
	var ok bool
	if e.Status, ok = r.words(l, p, fieldStatus); ok && e.Status != Active && e.Status != Retired && e.Status != Superseded {
		f := l.on(figs.EntryStatusUnknown, "/status", p[fieldStatus])
		f.Suggestion = figs.Suggest(e.Status, Statuses)
		r.log.Add(f, e.Status)
	}
	r.replacement(l, e, p[fieldSupersededBy])
	if m := p[fieldLastCited]; m != nil && m.Kind != jsonl.Null {
		e.LastCited, _ = r.day(l, p, fieldLastCited)
	}
	var at int64
	if e.Date, at = r.day(l, p, fieldDate); at == figs.NoTime || e.TTLDays < 0 {
		return
	}
	e.Expires = after(at, e.TTLDays)
	if l.now == figs.NoTime || l.now < e.Expires || e.Status != Active {
		return
	}
	e.Expired = true
	r.log.Add(l.on(figs.EntryExpired, "/ttl_days", p[fieldTTLDays]), string(figs.AppendInt(nil, e.TTLDays)), string(appendDay(nil, e.Expires)))
}

// replacement reads superseded_by. Whether it names an entry is judged when all have been read.
func (r *Reader) replacement(l *line, e *Entry, m *jsonl.Member) {
	if m != nil && m.Kind != jsonl.Null {
		e.SupersededBy = r.text(l, l.value(m))
		switch {
		case m.Kind != jsonl.String:
			r.log.Add(l.on(figs.EntryFieldMalformed, "/superseded_by", m), "superseded_by", "the id of another finding, or null")
			return
		case !isBlank(e.SupersededBy):
			at := &r.places[len(r.places)-1]
			at.superseded, at.supersededEnd = l.offset+int(m.ValueStart), l.offset+int(m.ValueEnd)
			if e.Status == Active {
				r.log.Add(l.on(figs.EntrySupersededByUnexpected, "/superseded_by", m), e.SupersededBy)
			}
			return
		}
	}
	if e.Status != Superseded {
		return
	}
	f := l.whole(figs.EntrySupersededByMissing)
	if m != nil {
		f = l.on(f.Code, "/superseded_by", m)
	}
	r.log.Add(f)
}

// day reads a date, or a date with a time. The text is returned as it stands, with figs.NoTime when it is neither.
func (r *Reader) day(l *line, p *parts, f field) (string, int64) {
	s, ok := r.words(l, p, f)
	if !ok {
		return s, figs.NoTime
	}
	at := Instant(s)
	if at == figs.NoTime {
		r.log.Add(l.on(figs.EntryDateMalformed, "/"+Fields[f], p[f]), s)
	}
	return s, at
}

// Instant reads a date, which begins at midnight UTC, or a time with an offset: microseconds since 1970, or figs.NoTime.
func Instant(s string) int64 {
	if len(s) == len("2006-01-02") {
		s += "T00:00:00Z"
	}
	at, _ := figs.ParseTime(s)
	return at
}

const (
	microsADay = 86_400_000_000
	latest     = 253_402_300_799_999_999 // the last microsecond of the year 9999
)

// after is a time some days later, within the years that are written with four digits.
func after(at int64, days int) int64 {
	if int64(days) > (latest-at)/microsADay {
		return latest
	}
	return at + int64(days)*microsADay
}

// appendDay writes the date of a time from year 0 to 9999, "2026-04-08".
func appendDay(dst []byte, at int64) []byte {
	days := int(at / microsADay)
	if at%microsADay < 0 {
		days--
	}
	// Days are counted from March of the year 0, so that a leap day is the last of its year.
	days += 719468
	era := days / 146097
	if days < 0 {
		era = (days - 146096) / 146097
	}
	doe := days - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	year, month, day := yoe+era*400, mp+3, doy-(153*mp+2)/5+1
	if month > 12 {
		year, month = year+1, month-12
	}
	dst = append(dst, byte('0'+year/1000%10), byte('0'+year/100%10), byte('0'+year/10%10), byte('0'+year%10), '-')
	return append(dst, byte('0'+month/10), byte('0'+month%10), '-', byte('0'+day/10), byte('0'+day%10))
}

// ExpiresOn is the date on which the entry's ttl ends, "2026-04-08"; "" when it has none.
func (e *Entry) ExpiresOn() string {
	if e.Expires == figs.NoTime {
		return ""
	}
	return string(appendDay(nil, e.Expires))
}
