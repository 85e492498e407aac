package ui

import (
	"hash/fnv"
	"strconv"

	"github.com/figs-web/figs-web/internal/journal"
)

// face is what an avatar is drawn from: a landscape that follows from a seed alone, so
// that one agent looks the same wherever it is shown.
type face struct {
	sky, sun, far, near string
	sunX, sunY, sunR    string
	farPath, nearPath   string
}

func faceOf(seed string) face {
	h := fnv.New64a()
	h.Write([]byte(seed))
	bits := h.Sum64()
	take := func(n uint64) int {
		v := int(bits % n)
		bits = bits/n ^ bits<<17
		return v
	}
	hue := take(24) * 15
	other := (hue + 40 + take(8)*20) % 360
	hsl := func(hue, saturation, light int) string {
		return "hsl(" + strconv.Itoa(hue) + " " + strconv.Itoa(saturation) + "% " + strconv.Itoa(light) + "%)"
	}
	f := face{sky: hsl(hue, 46, 86), sun: hsl(hue, 58, 60), far: hsl(other, 40, 58), near: hsl(other, 46, 40)}
	f.sunX, f.sunY, f.sunR = strconv.Itoa(9+take(18)), strconv.Itoa(10+take(8)), strconv.Itoa(6+take(5))
	peak, dip := 8+take(20), 18+take(6)
	f.farPath = "M0 36V" + strconv.Itoa(dip+4) + "L" + strconv.Itoa(peak) + " " + strconv.Itoa(dip-4) + "L36 " + strconv.Itoa(dip+8) + "V36Z"
	f.nearPath = "M0 36V" + strconv.Itoa(26+take(6)) + "Q" + strconv.Itoa(10+take(16)) + " " + strconv.Itoa(18+take(8)) + " 36 " + strconv.Itoa(26+take(6)) + "V36Z"
	return f
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
