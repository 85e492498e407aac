// Package report works out the figures of a workspace's reports from what was decided in a period.
package report

import (
	"cmp"
	"slices"
)

// Outcome is what a decision said. The values are those of store.DecisionOutcome.
type Outcome int

// The outcomes.
const (
	Unknown      Outcome = -1
	Answered     Outcome = 1
	Approved     Outcome = 2
	Changes      Outcome = 3
	Declined     Outcome = 4
	Contradicted Outcome = 5
)

// Decision is a decision of a signed-in person.
type Decision struct {
	No, At        int64 // At in microseconds since 1970
	Agent, Person string
	Outcome       Outcome
	Round         int
	Waited        int64 // microseconds; -1 if the ask didn't wait for a human
	Unviewed      int   // attachments that were approved without viewing them; -1 if nothing was recorded
	JobFailed     bool
}

// Times are waiting times.
type Times struct {
	N                  int
	Median, Percentile int64 // the 50th and the 90th percentile, nearest rank; 0 if N is 0
}

// Group is the decisions that have something in common.
type Group struct {
	Key string // id of the agent or person; "" for weeks
	At  int64  // start of the week
	Times
	Decisions int
}

// Figures are what a report says of a period.
type Figures struct {
	Decisions int
	Waits     Times
	ByWeek    []Group // oldest first, with those in which nothing was decided
	ByAgent   []Group // most decisions first
	ByPerson  []Group

	SignOffs      int   // decisions that end a round of a sign-off: approved, declined or changes requested
	Rounds        []int // Rounds[i]: sign-offs that were approved or declined in round i+1; the last are later rounds, too
	Changes       int   // changes requested
	Approved      int
	Checked       int // approvals of which the views of attachments are known
	Unviewed      int // of these, with an attachment that wasn't viewed
	JobFailed     int // approvals whose job failed afterwards
	Contradicted  int // reported approvals that were denied
	ChangeNumbers []int64
}

// maxRounds is how many rounds Figures.Rounds distinguishes; mostChanges is how many ChangeNumbers there are.
const maxRounds, mostChanges = 5, 20

const week = 7 * 86400_000000

// Of works out the figures of a period from its decisions, oldest first. The weeks begin with from.
func Of(decisions []Decision, from, to int64) *Figures {
	f := &Figures{Decisions: len(decisions), Rounds: make([]int, maxRounds)}
	weeks := make([][]int64, max(0, (to-from+week-1)/week))
	counts := make([]int, len(weeks))
	agents, people := newSorter(), newSorter()
	var waits []int64
	for i := range decisions {
		d := &decisions[i]
		w := int((d.At - from) / week)
		inside := d.At >= from && w < len(weeks)
		if d.Waited >= 0 {
			waits = append(waits, d.Waited)
			if inside {
				weeks[w] = append(weeks[w], d.Waited)
			}
		}
		if inside {
			counts[w]++
		}
		agents.add(d.Agent, d.Waited)
		people.add(d.Person, d.Waited)
		f.count(d)
	}
	for i := len(decisions) - 1; i >= 0 && len(f.ChangeNumbers) < mostChanges; i-- {
		if decisions[i].Outcome == Changes {
			f.ChangeNumbers = append(f.ChangeNumbers, decisions[i].No)
		}
	}
	f.Waits = TimesOf(waits)
	for i := range weeks {
		f.ByWeek = append(f.ByWeek, Group{At: from + int64(i)*week, Times: TimesOf(weeks[i]), Decisions: counts[i]})
	}
	f.ByAgent, f.ByPerson = agents.groups(), people.groups()
	return f
}

// count counts what a decision said.
func (f *Figures) count(d *Decision) {
	switch d.Outcome {
	case Approved:
		f.Approved++
		if d.Unviewed >= 0 {
			f.Checked++
		}
		if d.Unviewed > 0 {
			f.Unviewed++
		}
		if d.JobFailed {
			f.JobFailed++
		}
	case Changes:
		f.Changes++
	case Contradicted:
		f.Contradicted++
	case Declined:
	default:
		return
	}
	if d.Outcome != Contradicted {
		f.SignOffs++
	}
	if d.Outcome == Approved || d.Outcome == Declined {
		f.Rounds[min(max(d.Round, 1), maxRounds)-1]++
	}
}

// TimesOf returns the percentiles of waiting times, which it sorts.
func TimesOf(waits []int64) Times {
	if len(waits) == 0 {
		return Times{}
	}
	slices.Sort(waits)
	return Times{N: len(waits), Median: AtRank(waits, 50), Percentile: AtRank(waits, 90)}
}

// AtRank is the smallest of the values, which ascend, that is not exceeded by so many per cent of them.
func AtRank(values []int64, percent int) int64 {
	return values[(len(values)*percent+99)/100-1]
}

// sorter collects waiting times by a key.
type sorter struct {
	places map[string]int
	all    []Group
	waits  [][]int64
}

func newSorter() *sorter { return &sorter{places: map[string]int{}} }

func (s *sorter) add(key string, waited int64) {
	i, ok := s.places[key]
	if !ok {
		i = len(s.all)
		s.places[key] = i
		s.all, s.waits = append(s.all, Group{Key: key}), append(s.waits, nil)
	}
	if s.all[i].Decisions++; waited >= 0 {
		s.waits[i] = append(s.waits[i], waited)
	}
}

func (s *sorter) groups() []Group {
	for i := range s.all {
		s.all[i].Times = TimesOf(s.waits[i])
	}
	slices.SortFunc(s.all, func(a, b Group) int { return cmp.Or(b.Decisions-a.Decisions, cmp.Compare(a.Key, b.Key)) })
	return s.all
}
