package ui

import (
	"context"
	"hash/fnv"
	"io"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/journal"
)

// Avatar is the agent's picture: a landscape that follows from a seed alone, so that one agent looks the same wherever it is
// shown. It is written here, not in a template, because lists have one in every row.
func Avatar(a *journal.Agent) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := w.Write(appendAvatar(make([]byte, 0, 640), seedOf(a)))
		return err
	})
}

func appendAvatar(b []byte, seed string) []byte {
	h := fnv.New64a()
	h.Write([]byte(seed))
	bits := h.Sum64()
	take := func(n uint64) int {
		v := int(bits % n)
		bits = bits/n ^ bits<<17
		return v
	}
	number := func(before string, n int) { b = strconv.AppendInt(append(b, before...), int64(n), 10) }
	colour := func(before string, hue, saturation, light int) {
		b = append(b, before...)
		number("hsl(", hue)
		number(" ", saturation)
		number("% ", light)
		b = append(b, "%)"...)
	}
	hue := take(24) * 15
	other := (hue + 40 + take(8)*20) % 360
	colour(`<svg class="avatar" width="36" height="36" viewBox="0 0 36 36" aria-hidden="true"><rect width="36" height="36" fill="`, hue, 46, 86)
	number(`"></rect> <circle cx="`, 9+take(18))
	number(`" cy="`, 10+take(8))
	number(`" r="`, 6+take(5))
	colour(`" fill="`, hue, 58, 60)
	peak, dip := 8+take(20), 18+take(6)
	number(`"></circle> <path d="M0 36V`, dip+4)
	number("L", peak)
	number(" ", dip-4)
	number("L36 ", dip+8)
	colour(`V36Z" fill="`, other, 40, 58)
	number(`"></path> <path d="M0 36V`, 26+take(6))
	number("Q", 10+take(16))
	number(" ", 18+take(8))
	number(" 36 ", 26+take(6))
	colour(`V36Z" fill="`, other, 46, 40)
	return append(b, `"></path></svg>`...)
}

// seedOf is the charter's seed, else what identifies the agent.
func seedOf(a *journal.Agent) string {
	for _, seed := range []string{a.Charter.AvatarSeed, a.Config.AgentID, a.Charter.Name, a.Path} {
		if seed != "" {
			return seed
		}
	}
	return "figs"
}
