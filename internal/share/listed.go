package share

import (
	"fmt"
	"strings"
)

// listReceipts says which receipts are here, and what of them this copy can no longer prove; never what they show.
func (s *Copy) listReceipts(b *strings.Builder) {
	home, chosen := 0, 0
	for _, r := range s.Receipts() {
		if !r.Chosen {
			home++
			continue
		}
		if chosen == 0 {
			b.WriteString("\nReceipts, as a server signed them. Nothing is replaced in a receipt, because its signature would no longer match\n")
		}
		fmt.Fprintf(b, "  %s  of the ask %s\n", enclosedName(chosen), shown(s.redaction.Text(r.Ask)))
		chosen++
		s.listReceipt(b, &r)
	}
	if home > 0 {
		fmt.Fprintf(b, "\nReceipts left out: %d. A receipt is left out when it shows values that are replaced here, when it contains the hash of a\nfile in which something is replaced, when it proves nothing, or by choice.\n", home)
	}
}

func (s *Copy) listReceipt(b *strings.Builder, r *Receipt) {
	fits := true
	say := func(when bool, sentence string) {
		if when {
			fits = false
			b.WriteString("    " + sentence + "\n")
		}
	}
	kinds, order := map[string]int{}, []string{}
	for _, x := range r.Shows {
		if kinds[x.Kind]++; kinds[x.Kind] == 1 {
			order = append(order, x.Kind)
		}
	}
	for _, kind := range order {
		fmt.Fprintf(b, "    By choice, it shows values that are replaced elsewhere: %s, %d.\n", kind, kinds[kind])
	}
	say(r.AskNow, "The hash of the ask no longer matches: the ask that was decided on has placeholders here.")
	say(r.SaidNow, "The words of the reply no longer match: the reply has placeholders here.")
	for _, name := range r.Guess {
		say(true, fmt.Sprintf("The hash of %s no longer matches: its contents differ here. Someone who guesses the original could use this hash to confirm it.", shown(s.Name(name))))
	}
	for _, name := range r.Missing {
		say(true, fmt.Sprintf("The hash of %s proves nothing here: the file is not in this copy.", shown(s.Name(name))))
	}
	if fits {
		b.WriteString("    Nothing that it proves is replaced here.\n")
	}
}
