package handlers

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Names that a form could bend, names twice, and twins that differ in their case or their form of
// Unicode are held each for itself; the ask can be answered.
func TestOddNames(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	c.wait(time.Second)
	names := []string{"a.txt", "A.txt", "a.txt", " lead.txt", "two  spaces.txt", "- b.txt", `"q".txt`, "caf\u00e9.txt", "cafe\u0301.txt", "x%0Ay.txt", "&amp;.txt", `<b>.txt`, "line\nbreak.txt", "carriage\rreturn.txt", "both\r\n.txt"}
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("%q", name))
	}
	c.push(`"asks":[{"id":"odd","ts":"2026-11-20T11:00:00Z","type":"sign-off","title":"Odd?","attachments":[` + strings.Join(list, ",") + `],"status":"open"}]`)
	for i, name := range names {
		if i != 2 {
			c.attach(name, "of "+name)
		}
	}
	form := c.form(bo, "odd")
	for i := 1; i < len(form); i += 2 { // as browsers send it
		form[i] = strings.ReplaceAll(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(form[i]), "\n", "\r\n")
	}
	send := func(fields ...string) answer {
		return bo.post(askPages+"odd/decide", append(append([]string(nil), form...), fields...)...)
	}
	send("verdict", "approved").says(t, 422, "reply-names-alike")
	c.nothing("odd")
	waive := []string{"verdict", "approved", "reason", "Only their names matter."}
	for i := range names {
		waive = append(waive, "waive", fmt.Sprint(i+1))
	}
	send(waive...).leads(t, askPages+"odd")
}

// Very many attachments make a large form, which decides all the same.
func TestManyFiles(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	c.wait(time.Second)
	var list []string
	for i := range 1500 {
		list = append(list, fmt.Sprintf("%q", fmt.Sprint("file-", i, ".txt")))
	}
	c.push(`"asks":[{"id":"many","ts":"2026-11-20T11:00:00Z","type":"sign-off","title":"Many?","attachments":[` + strings.Join(list, ",") + `],"status":"open"}]`)
	c.attach("file-1499.txt", "the last")
	form := c.form(bo, "many")
	bo.post(askPages+"many/decide", append(form, "verdict", "approved")...).says(t, 422)
	bo.post(askPages+"many/decide", append(form, "verdict", "changes-requested", "text", "Fewer files, please.")...).leads(t, askPages+"many")
}
