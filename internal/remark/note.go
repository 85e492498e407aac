package remark

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Note is the text of a reply, taken apart.
type Note struct {
	Summary  string   // what the person says on the whole
	Remarks  []Remark // numbered from 1 in this order
	Resolved []int    // numbers of remarks of the previous round that the person calls resolved
}

// The passage in its context stands between these.
const openMark, closeMark = '⟦', '⟧'

const (
	heading    = "### Comment "
	resolving  = "Resolved comments of the previous round: "
	filesBegin = "Files:"
)

// reserved matches lines that begin a part of a note. In what a person typed they get a backslash, which Markdown doesn't show.
var (
	reserved = regexp.MustCompile("(?m)^\\\\*(?:### Comment |`{3,}suggestion$|Files:$|Resolved comments of the previous round: )")
	escaped  = regexp.MustCompile("(?m)^\\\\(\\\\*(?:### Comment |`{3,}suggestion$|Files:$|Resolved comments of the previous round: ))")
	// A text that begins with > would be taken for the passage, where there is none.
	reservedStart = regexp.MustCompile(`^\\*>`)
	escapedStart  = regexp.MustCompile(`^\\+>`)
)

func escape(text string) string { return reserved.ReplaceAllString(text, `\$0`) }

func unescape(text string) string { return escaped.ReplaceAllString(text, "$1") }

// Text writes the note. Without remarks and resolved ones it is the summary as it was typed.
func (n *Note) Text() string {
	if len(n.Remarks) == 0 && len(n.Resolved) == 0 {
		return n.Summary
	}
	var blocks []string
	if summary := trim(n.Summary); summary != "" {
		blocks = append(blocks, escape(summary))
	}
	if len(n.Resolved) > 0 {
		numbers := make([]string, len(n.Resolved))
		for i, number := range n.Resolved {
			numbers[i] = strconv.Itoa(number)
		}
		blocks = append(blocks, resolving+strings.Join(numbers, ", "))
	}
	for i := range n.Remarks {
		blocks = append(blocks, n.block(i))
	}
	if files := n.files(); len(files) > 0 {
		var b strings.Builder
		b.WriteString(filesBegin)
		for _, f := range files {
			b.WriteString("\n- `" + f[0] + "` sha256 " + f[1])
		}
		blocks = append(blocks, b.String())
	}
	return strings.Join(blocks, "\n\n")
}

// files are the names and hashes of what the remarks are about, in the order of their first mention.
func (n *Note) files() (all [][2]string) {
	for i := range n.Remarks {
		if f := [2]string{n.Remarks[i].File, n.Remarks[i].SHA256}; f[1] != "" && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// Block writes remark i as the note has it.
func (n *Note) block(i int) string {
	r := &n.Remarks[i]
	blocks := []string{heading + strconv.Itoa(i+1) + ": " + r.Place() + n.hashOf(r)}
	quote, text := r.quoted(), escape(trim(r.Text))
	if quote != "" {
		blocks = append(blocks, quote)
	} else if reservedStart.MatchString(text) {
		text = `\` + text
	}
	if text != "" {
		blocks = append(blocks, text)
	}
	if r.Suggestion != nil {
		text := oneBreak(*r.Suggestion)
		fence := strings.Repeat("`", max(3, 1+longestRun(text)))
		if text != "" {
			text += "\n"
		}
		blocks = append(blocks, fence+"suggestion\n"+text+fence)
	}
	return strings.Join(blocks, "\n\n")
}

// hashOf is as much of the attachment's hash as sets it apart from other attachments of that name.
func (n *Note) hashOf(r *Remark) string {
	if r.SHA256 == "" {
		return ""
	}
	length := 8
	for _, f := range n.files() {
		for f[0] == r.File && f[1] != r.SHA256 && length < len(r.SHA256) && strings.HasPrefix(f[1], r.SHA256[:length]) {
			length++
		}
	}
	return " (sha256 " + r.SHA256[:min(length, len(r.SHA256))] + "…)"
}

// quoted is the passage in its context, as a Markdown quotation.
func (r *Remark) quoted() string {
	if r.Quote == "" && r.Before == "" && r.After == "" {
		return ""
	}
	text := r.Before + string(openMark) + r.Quote + string(closeMark) + r.After
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if lines[i] = "> " + line; line == "" {
			lines[i] = ">"
		}
	}
	return strings.Join(lines, "\n")
}

func longestRun(text string) (longest int) {
	run := 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// trim takes line breaks and spaces off both ends, and makes one of each line break.
func trim(text string) string { return strings.Trim(oneBreak(text), " \n\t") }

func oneBreak(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// Parse takes the text of a reply apart. What isn't written as Text writes it is all summary.
func Parse(text string) Note {
	if !strings.Contains(text, heading) && !strings.Contains(text, resolving) {
		return Note{Summary: text}
	}
	n, _, ok := parse(oneBreak(text))
	if !ok || len(n.Remarks)+len(n.Resolved) == 0 {
		return Note{Summary: text}
	}
	return n
}

// Blocks are the remarks of a reply's text as they stand in it, each from its heading on, in the order of Parse. Line breaks
// are \n, and blank lines at the end of a block don't belong to it.
func Blocks(text string) []string {
	_, blocks, ok := parse(oneBreak(text))
	if !ok {
		return nil
	}
	return blocks
}

var (
	headingLine    = regexp.MustCompile("^### Comment ([0-9]{1,3}): (.*)$")
	suggestionLine = regexp.MustCompile("^`{3,}suggestion$")
)

// parse also returns the block of each remark.
func parse(text string) (n Note, blocks []string, ok bool) {
	p := parser{lines: strings.Split(text, "\n")}
	n.Summary = unescape(trim(strings.Join(p.until(func(line string) bool {
		return strings.HasPrefix(line, resolving) || headingLine.MatchString(line)
	}), "\n")))
	if line := p.peek(); strings.HasPrefix(line, resolving) {
		if n.Resolved, ok = numbers(strings.TrimPrefix(line, resolving)); !ok {
			return n, nil, false
		}
		p.at++
		p.blank()
	}
	var hashes []string
	for p.at < len(p.lines) && p.peek() != filesBegin {
		from := p.at
		r, hash, ok := p.remark(len(n.Remarks) + 1)
		if !ok || len(n.Remarks) == MaxRemarks {
			return n, nil, false
		}
		n.Remarks, hashes = append(n.Remarks, r), append(hashes, hash)
		blocks = append(blocks, strings.TrimRight(strings.Join(p.lines[from:p.at], "\n"), "\n"))
	}
	return n, blocks, p.hashes(n.Remarks, hashes)
}

func numbers(text string) (all []int, ok bool) {
	for part := range strings.SplitSeq(text, ", ") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || n > MaxRemarks || strconv.Itoa(n) != part {
			return nil, false
		}
		all = append(all, n)
	}
	return all, true
}

// parser reads the lines of a note.
type parser struct {
	lines []string
	at    int
}

// peek is the line that comes; "" at the end.
func (p *parser) peek() string {
	if p.at < len(p.lines) {
		return p.lines[p.at]
	}
	return ""
}

func (p *parser) until(stop func(line string) bool) []string {
	from := p.at
	for p.at < len(p.lines) && !stop(p.lines[p.at]) {
		p.at++
	}
	return p.lines[from:p.at]
}

func (p *parser) blank() {
	p.until(func(line string) bool { return line != "" })
}

// remark reads one remark, and as much of its attachment's hash as its heading has.
func (p *parser) remark(number int) (r Remark, hash string, ok bool) {
	m := headingLine.FindStringSubmatch(p.peek())
	if m == nil || m[1] != strconv.Itoa(number) {
		return r, "", false
	}
	if r, hash, ok = parsePlace(m[2]); !ok {
		return r, "", false
	}
	p.at++
	p.blank()
	quoted := strings.HasPrefix(p.peek(), ">")
	if quoted && !p.quote(&r) {
		return r, "", false
	}
	p.blank()
	text := trim(strings.Join(p.until(func(line string) bool {
		return headingLine.MatchString(line) || suggestionLine.MatchString(line) || line == filesBegin
	}), "\n"))
	if !quoted && escapedStart.MatchString(text) {
		text = text[1:]
	}
	r.Text = unescape(text)
	if suggestionLine.MatchString(p.peek()) && !p.suggestion(&r) {
		return r, "", false
	}
	p.blank()
	return r, hash, true
}

// quote reads the passage with its context.
func (p *parser) quote(r *Remark) bool {
	var lines []string
	for ; strings.HasPrefix(p.peek(), ">"); p.at++ {
		line := p.peek()[1:]
		if line != "" && line[0] != ' ' {
			return false
		}
		lines = append(lines, strings.TrimPrefix(line, " "))
	}
	text := strings.Join(lines, "\n")
	before, rest, ok := strings.Cut(text, string(openMark))
	quote, after, ok2 := strings.Cut(rest, string(closeMark))
	r.Before, r.Quote, r.After = before, quote, after
	return ok && ok2
}

// suggestion reads a fenced block.
func (p *parser) suggestion(r *Remark) bool {
	fence := strings.TrimSuffix(p.peek(), "suggestion")
	p.at++
	lines := p.until(func(line string) bool { return line == fence })
	if p.peek() != fence {
		return false
	}
	p.at++
	text := strings.Join(lines, "\n")
	r.Suggestion = &text
	return true
}

var (
	placeOfFile = regexp.MustCompile("^`([^`]+)`(?:, (?:area ([0-9]{1,6})×([0-9]{1,6}) at ([0-9]{1,6}),([0-9]{1,6})|(plain text)|lines? ([0-9]{1,9})(?:–([0-9]{1,9}))?))?" +
		"(?:, `([^`]+)`)?(?:, place ([0-9]{1,9}) of ([0-9]{1,9}))? \\(sha256 ([0-9a-f]{8,64})…\\)$")
	placeOfStep = regexp.MustCompile(`^step ([0-9]{1,6})$`)
)

// parsePlace reads what Place and hashOf write.
func parsePlace(text string) (r Remark, hash string, ok bool) {
	if text == "the request" {
		return Remark{Kind: Request}, "", true
	}
	if m := placeOfStep.FindStringSubmatch(text); m != nil {
		return Remark{Kind: Step, Step: number(m[1])}, "", true
	}
	m := placeOfFile.FindStringSubmatch(text)
	if m == nil {
		return r, "", false
	}
	r = Remark{Kind: File, File: m[1], Path: m[9], Nth: number(m[10]), Of: number(m[11])}
	switch {
	case m[2] != "":
		r.Kind, r.Area = Area, &Rect{Width: number(m[2]), Height: number(m[3]), X: number(m[4]), Y: number(m[5])}
	case m[6] != "":
		r.Kind = Passage
	case m[7] != "":
		r.Kind, r.Line, r.ToLine = Passage, number(m[7]), number(m[8])
		r.ToLine = max(r.Line, r.ToLine)
	}
	return r, m[12], true
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits) // "" is 0; the pattern lets nothing else through
	return n
}

// hashes reads the list of files at the end, and gives each remark the whole hash of its attachment.
func (p *parser) hashes(remarks []Remark, short []string) bool {
	var files [][2]string
	if p.peek() == filesBegin {
		p.at++
		for ; p.at < len(p.lines) && p.peek() != ""; p.at++ {
			name, sum, ok := strings.Cut(strings.TrimPrefix(p.peek(), "- `"), "` sha256 ")
			if !ok || !strings.HasPrefix(p.peek(), "- `") || len(sum) != 64 {
				return false
			}
			files = append(files, [2]string{name, sum})
		}
	}
	p.blank()
	for i := range remarks {
		r := &remarks[i]
		if short[i] == "" {
			continue
		}
		for _, f := range files {
			if f[0] == r.File && strings.HasPrefix(f[1], short[i]) {
				r.SHA256 = f[1]
				break
			}
		}
		if r.SHA256 == "" {
			return false
		}
	}
	return p.at == len(p.lines)
}
