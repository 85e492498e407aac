// Package hints finds words that make a text read like an instruction to a model. It is a plain list without grammar: it
// misses what is worded differently, and the pages that show its results say so.
package hints

import (
	"strings"
	"unicode"
)

// strong cues make a text read like an instruction by themselves.
var strong = []string{
	"ignore previous", "ignore all", "ignore any", "ignore the", "ignore your", "ignore everything", "disregard", "previous instructions",
	"prior instructions", "earlier instructions", "above instructions", "instructions above", "new instructions", "follow these instructions",
	"system prompt", "system message", "system override", "developer mode", "developer message", "you are now", "you are a", "you are an",
	"pretend to be", "act as", "jailbreak", "language model", "ai assistant", "ai agent", "ai reviewer", "ai model", "dear ai", "note to ai",
	"note to the ai", "note to the model", "note to model", "note to the assistant", "if you are an ai", "if you are a language model", "llm",
	"do not tell", "don't tell", "do not mention", "don't mention", "do not reveal", "do not report", "never mention", "without telling",
	"without asking", "hide this from", "the user must not", "keep this secret", "approve this", "approve the", "approve all", "approve without",
	"mark as approved", "mark this as", "auto-approve", "always approve", "recommend approval", "recommend approving", "must be approved",
	"sign off on", "say that everything", "report that", "respond with", "respond only", "reply with", "reply only", "answer with", "output only",
	"call the tool", "use the tool", "tool call", "function call", "run the following", "execute the following", "run this command",
	"execute this", "rm -rf", "curl http", "wget http", "curl -", "| sh", "| bash", "exfiltrate", "send the contents", "send it to", "send them to",
	"forward this", "upload the", "post it to", "print your", "repeat your", "reveal your", "<|im_start|>", "<|system|>", "<|endoftext|>", "[inst]",
	"<<sys>>", "### instruction", "### system", "begin system", "end of document",
	"ignoriere alle", "ignoriere die", "ignoriere vorherige", "vorherige anweisungen", "bisherigen anweisungen", "du bist jetzt", "du bist ein",
	"gib frei", "genehmige", "erwähne nicht", "verschweige", "antworte mit", "führe aus", "sprachmodell",
}

// weak cues stand in honest texts too: two different ones together count.
var weak = []string{
	"ignore", "forget", "override", "bypass", "instruction", "instructions", "prompt", "system", "assistant", "model", "agent", "tool", "tools",
	"approve", "approved", "approval", "execute", "run", "delete", "transfer", "pay", "password", "secret", "token", "credentials", "api key",
	"must", "always", "never", "bash", "shell", "curl", "wget", "eval", "sudo", "chatgpt", "claude", "gemini", "copilot", "gpt",
	"anweisung", "anweisungen", "freigeben", "freigabe", "passwort", "überweise", "lösche", "niemals", "immer",
}

// Most is how many cues of one text are named.
const Most = 6

// Find returns the cues that make a text read like an instruction, in the order of the list, or nil.
func Find(text string) []string {
	if len(text) > 8<<10 {
		text = text[:8<<10]
	}
	s := " " + plain(text) + " "
	var found []string
	for _, c := range strong {
		if holds(s, c) {
			found = append(found, c)
			if len(found) == Most {
				return found
			}
		}
	}
	strongly := len(found) > 0
	for _, c := range weak {
		if len(found) < Most && holds(s, c) && !within(found, c) {
			found = append(found, c)
		}
	}
	if !strongly && len(found) < 2 {
		return nil
	}
	return found
}

// within reports whether a word is a part of a cue that was found.
func within(found []string, word string) bool {
	for _, f := range found {
		if strings.Contains(f, word) || strings.Contains(word, f) {
			return true
		}
	}
	return false
}

// holds reports whether the cue stands in s as whole words. s is written by plain, with a space around.
func holds(s, cue string) bool {
	for at := 0; ; {
		i := strings.Index(s[at:], cue)
		if i < 0 {
			return false
		}
		at += i
		if edge(s[at-1], cue[0]) && edge(cue[len(cue)-1], s[at+len(cue)]) {
			return true
		}
		at++
	}
}

// edge reports whether a word can end between two bytes.
func edge(a, b byte) bool { return !word(a) || !word(b) }

func word(c byte) bool {
	return c >= 0x80 || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// plain writes a text in lower case, with one space for all white space, without marks that no eye sees, and
// with Latin letters for those that look like them.
func plain(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := true
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			if !space {
				b.WriteByte(' ')
			}
			space = true
			continue
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) && r >= 0xfe00:
			continue
		case r == '’':
			r = '\''
		}
		if l, ok := Latin(r); ok {
			r = l
		}
		b.WriteRune(unicode.ToLower(r))
		space = false
	}
	return b.String()
}
