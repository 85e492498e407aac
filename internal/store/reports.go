package store

import "context"

// DecisionOutcome is what a decision said, as reports count it.
type DecisionOutcome int

// The outcomes.
const (
	OutcomeUnknown      DecisionOutcome = -1
	OutcomeAnswered     DecisionOutcome = 1
	OutcomeApproved     DecisionOutcome = 2
	OutcomeChanges      DecisionOutcome = 3
	OutcomeDeclined     DecisionOutcome = 4
	OutcomeContradicted DecisionOutcome = 5 // an approval that the agent had reported was denied
)

// DecisionFacts is what reports count of a decision.
type DecisionFacts struct {
	No, At        int64
	Agent, Person string
	Outcome       DecisionOutcome
	Round         int
	Waited        int64 // microseconds from the start of the ask's round; -1 if the ask didn't wait for a human
	Unviewed      int   // how many attachments were approved without viewing them; -1 if nothing was recorded
	JobFailed     bool  // an approval of an ask whose job, as the ask named it then, failed after it
}

// JobCount is how many jobs of an agent settled, and how many of them failed.
type JobCount struct {
	Agent           string
	Settled, Failed int
}

// OpenAskFacts is an ask that waits for a human.
type OpenAskFacts struct {
	No, Since int64
	Agent     string
	People    []string // user ids of those who are asked
}

// ReportTitle names an ask by the number that reports know it by.
type ReportTitle struct {
	Ask, Title string // the id, and the title or else the id
	Note       string // of the decision; "" if the number is an ask's
}

// Reports reads what a workspace's reports count. Periods don't include their end.
type Reports interface {
	// DecisionFacts returns the effective decisions that were made in a period, oldest first.
	DecisionFacts(ctx context.Context, workspace string, from, to int64) ([]DecisionFacts, error)
	// JobCounts counts jobs that settled in a period of whole days, of some agents or, with nil, of all.
	JobCounts(ctx context.Context, workspace string, agents []string, from, to int64) ([]JobCount, error)
	// FailedJobs counts the failed ones alone, of agents with any, most first.
	FailedJobs(ctx context.Context, workspace string, from, to int64) ([]JobCount, error)
	// OpenAskFacts returns the asks that wait for a human, longest wait first.
	OpenAskFacts(ctx context.Context, workspace string, now int64) ([]OpenAskFacts, error)
	// DecisionTitles returns the asks of decisions, and the decisions' notes, by numbers of the decisions; AskTitles does
	// so by numbers of asks.
	DecisionTitles(ctx context.Context, workspace string, numbers []int64) (map[int64]ReportTitle, error)
	AskTitles(ctx context.Context, workspace string, numbers []int64) (map[int64]ReportTitle, error)
}
