package journal

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/listquery"
)

func summaries() []AgentSummary {
	none := figs.OutcomeInFlight
	return []AgentSummary{
		{Key: "1", Name: "Refunds", Department: "Care", Manager: "Ana", Jobs: 9, Outcome: figs.OutcomeOK},
		{Key: "2", Name: "audit", Department: "", Jobs: 2, InFlight: 1, Outcome: figs.OutcomeFail},
		{Key: "3", Name: "Payables", Department: "Finance", Needs: 2, Jobs: 3, Outcome: figs.OutcomeFail},
		{Key: "4", Name: "Needs", Department: "Finance", Status: "in_dev", Outcome: none},
		{Key: "5", Name: "Ledger", Department: "Finance / EU", Needs: 1, Jobs: 1, InFlight: 1, Outcome: none},
		{Key: "6", Name: "Old", Department: "Care", Needs: 7, Archived: 5, Outcome: none},
	}
}

func keys(c *Chart) string {
	var all []string
	for i := range c.Items {
		all = append(all, c.Items[i].Summary.Key)
	}
	return strings.Join(all, " ")
}

func TestSelectAgents(t *testing.T) {
	for _, test := range []struct{ query, want string }{
		{"", "1 3 4 5 2"}, // few: by department
		{"sort=attention", "5 3 2 4 1"},
		{"sort=department", "1 3 4 5 2"},
		{"sort=state", "5 3 2 1 4"},
		{"sort=-needs", "3 5 1 2 4"},
		{"sort=nonsense", "5 3 2 4 1"},
		{"q=is:needs", "5 3"},
		{"q=is:fail", "3 2"},
		{"q=is:failed+-is:needs", "2"},
		{"q=state:failed", "2"},
		{"q=state:running", ""}, // what is more pressing is true of them
		{"q=is:running", "5 2"},
		{"q=needs", "4"}, // as a word it is looked for in names, not among the states
		{"q=department:finance", "5 3 4"},
		{"q=department:EU", "5"},
		{"q=manager:ana", "1"},
		{"q=status:in_dev", "4"},
		{"q=needs:>1", "3"},
		{"department=" + departmentKey("Finance"), "3 4"},
		{"department=" + departmentKey(""), "2"},
		{"department=Finance", ""},
	} {
		values, err := url.ParseQuery(test.query)
		if err != nil {
			t.Fatal(err)
		}
		q := ParseChartQuery(values)
		chart := SelectAgents(summaries(), q)
		if got := keys(chart); got != test.want || chart.Total != len(chart.Items) {
			t.Errorf("%s: %q, want %q", test.query, got, test.want)
		}
		if again, _ := url.ParseQuery(q.Values().Encode()); keys(SelectAgents(summaries(), ParseChartQuery(again))) != test.want {
			t.Errorf("%s becomes %v", test.query, q.Values())
		}
	}
	chart := SelectAgents(summaries(), ChartQuery{Archived: true})
	if keys(chart) != "6" || chart.Agents != 5 || chart.Archived != 1 || chart.Needs != 3 || chart.InFlight != 2 || chart.Named != 3 {
		t.Errorf("archived: %+v", chart)
	}
	chart = SelectAgents(summaries(), ChartQuery{Whole: true, Query: listquery.Query{N: 2}})
	if want := []Department{{"Care", 1, 0}, {"Finance", 2, 1}, {"Finance / EU", 1, 1}, {"", 1, 0}}; len(chart.Items) != 5 || !slices.Equal(chart.Departments, want) {
		t.Errorf("departments: %+v", chart.Departments)
	}
	if want := [agentStates]int{AgentNeeds: 2, AgentFailed: 1, AgentSettled: 1, AgentIdle: 1}; chart.States != want {
		t.Errorf("states: %v", chart.States)
	}
}

// TestDepartmentsStayTogether: however departments are called, each is one part of the list that is ordered by them.
func TestDepartmentsStayTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	long := strings.Repeat("Finance / ", 19)
	for range 10 {
		var all []AgentSummary
		for i := range 300 {
			department := []string{"", "A", "a", long + fmt.Sprint(random.IntN(50)), long[:random.IntN(len(long))], strings.ToLower(long) + "1"}[random.IntN(6)]
			all = append(all, AgentSummary{Key: fmt.Sprint(i), Name: []string{"x", "X", strings.Repeat("n", 10_000)}[random.IntN(3)], Department: department, Needs: random.IntN(2)})
		}
		q := ChartQuery{Query: listquery.Query{Sort: "department", N: 1 + random.IntN(40)}}
		var parts []string
		seen := map[string]bool{}
		for {
			chart := SelectAgents(all, q)
			for i := range chart.Items {
				a := &chart.Items[i].Summary
				if n := len(parts); n == 0 || parts[n-1] != a.Department {
					parts = append(parts, a.Department)
				}
				if seen[a.Key] {
					t.Fatalf("%s comes twice", a.Key)
				}
				seen[a.Key] = true
			}
			if q.After = chart.Next; q.After == "" {
				break
			}
		}
		if len(seen) != len(all) || len(parts) != len(slices.Compact(slices.Sorted(slices.Values(parts)))) {
			t.Fatalf("%d agents, departments %q", len(seen), parts)
		}
		if parts[len(parts)-1] != "" {
			t.Fatalf("the last department is %q", parts[len(parts)-1])
		}
	}
}
