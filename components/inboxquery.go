package components

import (
	"net/url"
	"strconv"

	"github.com/figs-web/figs-web/internal/journal"
)

func parseInboxQuery(s string) (q journal.InboxQuery) {
	v, _ := url.ParseQuery(s)
	q.Tab, q.Everybody, q.Agent, q.Department, q.Type, q.To = journal.Tab(v.Get("tab")), v.Get("everybody") == "1", v.Get("agent"), v.Get("department"), v.Get("type"), v.Get("to")
	q.Age, _ = strconv.Atoi(v.Get("age"))
	q.From, _ = strconv.Atoi(v.Get("from"))
	q.N, _ = strconv.Atoi(v.Get("n"))
	return q
}

func inboxQueryString(q journal.InboxQuery) string {
	v := url.Values{}
	set := func(k, s string) {
		if s != "" && s != "0" {
			v.Set(k, s)
		}
	}
	set("tab", string(q.Tab))
	if q.Everybody {
		set("everybody", "1")
	}
	set("agent", q.Agent)
	set("department", q.Department)
	set("type", q.Type)
	set("to", q.To)
	set("age", strconv.Itoa(q.Age))
	set("from", strconv.Itoa(q.From))
	set("n", strconv.Itoa(q.N))
	return v.Encode()
}
