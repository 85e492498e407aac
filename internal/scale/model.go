//go:build unix

package main

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	year  = 365 * 86400.0 // seconds
	month = year / 12
)

// region is what the assumptions and the measurement come to.
type region struct {
	years         float64 // agent-years that the rows are
	heap, indexes float64 // bytes
	databases     float64
	pushes        float64 // a second, on the average
	wal           float64 // bytes a second
	xids          float64 // a second
	files, bytes  float64 // attachments
	reports       float64 // bytes of ledgers a second that pushes carry
	nodeCores     float64 // at the peak
	dbCores       float64
}

func (c assumptions) region(m *measured) region {
	heap, indexes := m.bytes()
	r := region{years: c.Rows / m.trail()}
	r.heap, r.indexes = r.years*heap, r.years*indexes
	r.databases = math.Ceil((r.heap + r.indexes) / (c.Disk * c.Fill))
	r.pushes = r.years * m.Pushes / year
	r.wal, r.xids = r.years*m.WAL/year, r.years*m.Xids/year
	r.files = r.years * m.Files
	r.bytes = r.files * c.FileBytes
	// Clients send the whole ledger with each push; over a year it is half of what it is at its end.
	r.reports = r.pushes * m.LedgerMB * 1e6 / 2
	r.nodeCores = r.pushes * c.Peak * (m.NodeCPU + m.LedgerCPU/2) / 1000 / c.Busy
	r.dbCores = r.pushes * c.Peak * m.PushCPU / 1000 / c.Busy
	return r
}

// A limit is something that ends, and with how many agents of a year on one database, or in one workspace, it does.
type limit struct {
	what, why string
	agents    float64
}

// limits lists what breaks, the first first.
func (c assumptions) limits(m *measured) []limit {
	heap, indexes := m.bytes()
	peak := m.Pushes / year * c.Peak // of one agent
	all := []limit{
		{"disk of a database", "a year of rows and indexes, at the fill above", c.Disk * c.Fill / (heap + indexes)},
		{"cores of a database", "pushes at the peak", c.Cores * c.Busy * 1000 / (peak * m.PushCPU)},
		{"memory of a database", "the part in use of a year of rows and indexes", c.Memory / (c.Hot * (heap + indexes))},
		{"numbers of transactions", "two hundred million a day: autovacuum freezes whole tables each day from there on", 2e8 / (m.Xids / 365)},
		{"one workspace", "its changes come one after the other, each with a commit; at the peak", 1000 / ((c.Commit + m.PushCPU) * peak)},
		{"a node of 4 cores", "comparing whole ledgers of half a year, at the peak", 4 * c.Busy * 1000 / (peak * (m.NodeCPU + m.LedgerCPU/2))},
	}
	slices.SortStableFunc(all, func(a, b limit) int { return cmp.Compare(a.agents, b.agents) })
	return all
}

// spread is how workspaces lie on databases.
type spread struct {
	teams           int
	largest         int     // agents of the largest
	hashed, chosen  float64 // the fullest database against the mean: by a hash of the workspace, and each where there is most room
	moved           int     // workspaces that move when the databases are doubled, each where there is most room
	movedPart       float64 // of all bytes
	biggestDatabase float64 // part of a database that the largest workspace takes
}

// simulate draws workspaces until they have all agents, and puts them on databases in both ways; then it doubles the
// databases and moves workspaces to the new ones, the largest first, until all are as full. The draw is the same each time.
func (c assumptions) simulate(databases int) spread {
	draw := rand.New(rand.NewPCG(8, 8))
	var teams []int
	for left := c.Agents; left > 0; {
		n := int(math.Round(c.TeamMedian * math.Exp(c.TeamSpread*draw.NormFloat64())))
		n = min(max(n, 1), c.TeamMost, left)
		teams = append(teams, n)
		left -= n
	}
	s := spread{teams: len(teams), largest: slices.Max(teams)}
	mean := float64(c.Agents) / float64(databases)
	s.biggestDatabase = float64(s.largest) / mean
	hashed, chosen := make([]int, databases), make([]int, 2*databases)
	at := make([]int, len(teams))
	for i, n := range teams {
		h := fnv.New64a()
		h.Write([]byte{byte(i), byte(i >> 8), byte(i >> 16), byte(i >> 24)})
		hashed[h.Sum64()%uint64(databases)] += n
		at[i] = emptiest(chosen[:databases])
		chosen[at[i]] += n
	}
	s.hashed, s.chosen = float64(slices.Max(hashed))/mean, float64(slices.Max(chosen))/mean
	largestFirst := make([]int, len(teams))
	for i := range teams {
		largestFirst[i] = i
	}
	slices.SortStableFunc(largestFirst, func(a, b int) int { return teams[b] - teams[a] })
	moved := 0
	for _, i := range largestFirst {
		n, to := teams[i], databases+emptiest(chosen[databases:])
		if float64(chosen[at[i]]-n) < mean/2 || float64(chosen[to]+n) > mean/2 {
			continue // where it is there is no more than there should be, or where it would go there is enough
		}
		chosen[at[i]] -= n
		chosen[to] += n
		s.moved++
		moved += n
	}
	s.movedPart = float64(moved) / float64(c.Agents)
	return s
}

func emptiest(loads []int) (at int) {
	for i, n := range loads {
		if n < loads[at] {
			at = i
		}
	}
	return at
}
