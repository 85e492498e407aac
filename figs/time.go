package figs

import "unsafe"

// ParseTime reads an ISO-8601 date and time with an offset (§3) and returns microseconds
// since 1970 UTC; finer digits are cut. Without an offset, or out of the calendar, ok is
// false. The package time would swell the engine.
func ParseTime(s string) (micros int64, ok bool) {
	// 2026-11-20T16:05[:09[.123456]](Z|±hh[[:]mm])
	if len(s) < 17 || s[4] != '-' || s[7] != '-' || s[10]|0x20 != 't' || s[13] != ':' {
		return NoTime, false
	}
	year, month, day := two(s, 0)*100+two(s, 2), two(s, 5), two(s, 8)
	hour, minute, second := two(s, 11), two(s, 14), 0
	if two(s, 0) < 0 || two(s, 2) < 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour < 0 || hour > 23 || minute < 0 || minute > 59 {
		return NoTime, false
	}
	i, frac := 16, int64(0)
	if s[i] == ':' {
		if len(s) < 20 {
			return NoTime, false
		}
		second = two(s, 17)
		if second < 0 || second > 60 {
			return NoTime, false
		}
		i = 19
		if s[i] == '.' || s[i] == ',' {
			first := i + 1
			unit := int64(100000)
			for i++; i < len(s) && s[i]-'0' < 10; i++ {
				frac += int64(s[i]-'0') * unit
				unit /= 10
			}
			if i == first {
				return NoTime, false
			}
		}
	}
	offset, ok := parseOffset(s, i)
	if !ok {
		return NoTime, false
	}
	seconds := int64(daysSince1970(year, month, day))*86400 + int64(hour*3600+minute*60+second-offset)
	return seconds*1_000_000 + frac, true
}

// parseOffset reads the zone that must end s at i, in seconds east of UTC.
func parseOffset(s string, i int) (int, bool) {
	if i >= len(s) {
		return 0, false
	}
	if s[i]|0x20 == 'z' {
		return 0, i+1 == len(s)
	}
	sign := 1
	if s[i] == '-' {
		sign = -1
	} else if s[i] != '+' {
		return 0, false
	}
	if len(s) < i+3 {
		return 0, false
	}
	h, m, rest := two(s, i+1), 0, i+3
	switch {
	case len(s) == rest:
	case len(s) == rest+2:
		m = two(s, rest)
	case len(s) == rest+3 && s[rest] == ':':
		m = two(s, rest+1)
	default:
		return 0, false
	}
	return sign * (h*3600 + m*60), h >= 0 && h <= 23 && m >= 0 && m <= 59
}

// two reads two digits at i; it is negative when they are none.
//
//go:noinline
func two(s string, i int) int {
	a, b := s[i]-'0', s[i+1]-'0'
	if a > 9 || b > 9 {
		return -10000
	}
	return int(a)*10 + int(b)
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// daysSince1970 counts days in the Gregorian calendar; years start in March so that the
// leap day is last.
func daysSince1970(year, month, day int) int {
	if month <= 2 {
		year--
		month += 12
	}
	era := (year + 400) / 400
	yoe := year + 400 - era*400
	doy := (153*(month-3)+2)/5 + day - 1
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468 - 146097
}

// clock reads the usual shape of a time, whole seconds with a zone, and remembers the last
// day that it has seen: a ledger's lines mostly share it.
type clock struct {
	yearMonth uint64 // "2026-11-"
	day       [2]byte
	start     int64 // of that day, seconds since 1970; of no meaning before the first
}

// read returns the time in microseconds; ok is false when s has another shape.
func (c *clock) read(s []byte) (int64, bool) {
	const colons, sixes = 0x30303a30303a3030, lows * 0x76
	if len(s) != 20 && len(s) != 25 || s[10] != 'T' {
		return NoTime, false
	}
	if load8(s) != c.yearMonth || s[8] != c.day[0] || s[9] != c.day[1] {
		noon := string(s[:10]) + "T00:00:00Z"
		start, ok := ParseTime(noon)
		if !ok {
			return NoTime, false
		}
		*c = clock{load8(s), [2]byte{s[8], s[9]}, start / second}
	}
	x := load8(s[11:]) ^ colons
	if ((x+sixes)|x)&tops != 0 || x&0x0000ff0000ff0000 != 0 {
		return NoTime, false
	}
	h, m, sec := x&15*10+x>>8&15, x>>24&15*10+x>>32&15, x>>48&15*10+x>>56
	if h > 23 || m > 59 || sec > 60 {
		return NoTime, false
	}
	zone := 0
	if len(s) > 20 || s[19] != 'Z' {
		var ok bool
		if zone, ok = parseOffset(unsafe.String(unsafe.SliceData(s), len(s)), 19); !ok {
			return NoTime, false
		}
	}
	return (c.start + int64(h*3600+m*60+sec) - int64(zone)) * second, true
}
