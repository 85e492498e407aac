package facts_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox/internal/facts"
	"github.com/figs-web/figs-web/sandbox/report"
)

func told(ext, content string) string {
	list, notice := facts.Of(ext, []byte(content))
	var out []string
	for _, f := range list {
		out = append(out, f.Name+": "+f.Value)
	}
	if notice != nil {
		out = append(out, string(notice.Code))
	}
	return strings.Join(out, "; ")
}

func TestOf(t *testing.T) {
	wide := func(s string) string {
		var b strings.Builder
		for i := range len(s) {
			b.WriteString(s[i:i+1] + "\x00")
		}
		return b.String()
	}
	oldFile := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)
	for _, test := range []struct{ lesson, ext, in, want string }{
		{"text", "txt", "a\r\nlong\n", "encoding: ASCII; lines: 2; longest line: 4 bytes"},
		{"text_without_last_break", "md", "é\nb", "encoding: UTF-8; lines: 2; longest line: 2 bytes"},
		{"mark", "json", "\ufeff{}", "encoding: UTF-8 with a byte order mark; lines: 1; longest line: 5 bytes"},
		{"latin", "txt", "M\xfcller", "encoding: not UTF-8; lines: 1; longest line: 6 bytes"},
		{"empty", "csv", "", ""},
		{"csv", "csv", "a,b\n1,-2\n", "encoding: ASCII; delimiter: comma; rows: 2; columns: 2; cells a spreadsheet may calculate: none"},
		{"semicolons", "csv", "a;b;c\n1,5;2;\"x\ny\"\n\n", "encoding: ASCII; delimiter: semicolon; rows: 2; columns: 3; cells a spreadsheet may calculate: none"},
		{"uneven", "csv", "a\tb\n1\n1\t2\t", "encoding: ASCII; delimiter: tab; rows: 3; columns: 1 to 3; cells a spreadsheet may calculate: none"},
		{"formulas", "csv", "a,b\n=1+1,\"@x\"\n+4,-cmd|'/c calc'!A0\n-5%,+49 30\n", "encoding: ASCII; delimiter: comma; rows: 4; columns: 2; cells a spreadsheet may calculate: 4 (begin with = + - @ or a control character; first in row 2)"},
		{"open_quote", "csv", "a,b\n\"1,2\n3,4\n", "encoding: ASCII; delimiter: comma; rows: 2; columns: 1 to 2; cells a spreadsheet may calculate: none; quotes: the last quoted cell is not closed: counts may be wrong"},
		{"binary_csv", "csv", "a,\x00", "encoding: ASCII; wrong_type"},
		{"pdf", "pdf", "%PDF-1.7\n/JS (x) /OpenAction 1\n%%EOF\n", "starts as: a pdf 1.7; may contain scripts: its bytes name JS; may run actions when opened: its bytes name OpenAction; not seen: content that is compressed or obfuscated"},
		{"pdf_cut", "pdf", "%PDF-1.4\n/JSON /AAPL", "starts as: a pdf 1.4; not seen: content that is compressed or obfuscated; truncated"},
		{"pdf_later", "pdf", "GIF89a%PDF-1.4\n%%EOF", "starts as: a pdf 1.4; before the pdf: 6 bytes of something else; not seen: content that is compressed or obfuscated"},
		{"no_pdf", "pdf", "<html>", "wrong_type"},
		{"xls", "xls", oldFile + wide("Workbook") + wide("_VBA_PROJECT"), "starts as: an older Office file; macros: yes: a macro project is named in its bytes"},
		{"xls_is_zip", "xls", "PK\x03\x04", "starts as: a zip archive, as newer Office files; wrong_type"},
		{"xls_short", "xls", oldFile[:100], "starts as: an older Office file; truncated"},
		{"password", "xlsx", oldFile + wide("EncryptedPackage"), "starts as: an older Office container, which Office uses for password-protected files; encrypted: yes: its contents can't be listed"},
		{"old_word", "docx", oldFile, "starts as: an older Office file; wrong_type"},
		{"no_zip", "docx", "hello", "wrong_type"},
		{"zip_cut", "docx", "PK\x03\x04abc", "starts as: a zip archive, as every .docx file; truncated"},
		{"xlsx", "xlsx", archive(t, "xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/vbaProject.bin", "xl/externalLinks/externalLink1.xml"), "starts as: a zip archive, as every .xlsx file; entries: 4; unpacked size: 40 bytes, according to its listing; sheets: 1; macros: yes: it names 1 of them; links to other files or databases: 1 listed; there may be others that are visible only when it is opened"},
		{"docx", "docx", archive(t, "word/document.xml", "word/embeddings/x.bin", "../up", "../UP"), "starts as: a zip archive, as every .docx file; entries: 4; unpacked size: 40 bytes, according to its listing; macros: none listed; embedded files: 1; names listed twice: 1: programs may open different ones; unusual names: 2: with .. or a path of a machine"},
		{"other_zip", "docx", archive(t, "xl/workbook.xml"), "starts as: a zip archive, as every .docx file; entries: 1; unpacked size: 10 bytes, according to its listing; macros: none listed; wrong_type"},
		{"bytes_before", "docx", "PK some bytes" + archive(t, "word/document.xml"), "starts as: a zip archive, as every .docx file; entries: 1; unpacked size: 10 bytes, according to its listing; macros: none listed"},
	} {
		if got := told(test.ext, test.in); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.lesson, got, test.want)
		}
	}
}

// archive makes a zip file of ten bytes an entry.
func archive(t testing.TB, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte("0123456789")); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestManyEntries holds that a listing is not read beyond its bound.
func TestManyEntries(t *testing.T) {
	names := []string{"word/document.xml"}
	for i := range 12_000 {
		names = append(names, strconv.Itoa(i))
	}
	if got := told("docx", archive(t, names...)); !strings.Contains(got, "entries: 10,000 read, 2,001 more;") {
		t.Error(got)
	}
}

// FuzzTable holds the counts of well-formed csv to the standard library's.
func FuzzTable(f *testing.F) {
	f.Add("a,b\n1,\"2\n3\"\n")
	f.Add("a\n\n\"\"\"x\"\n,\n")
	f.Fuzz(func(t *testing.T, in string) {
		list, notice := facts.Of("csv", []byte(in))
		r := csv.NewReader(strings.NewReader(in))
		r.FieldsPerRecord = -1
		rows, err := r.ReadAll()
		if err != nil || notice != nil || len(rows) == 0 || strings.ContainsAny(in, ";\t|\r\ufeff \u00a0\u0085\v\f") || strings.Contains(in, "\n\n") || strings.HasPrefix(in, "\n") {
			return
		}
		least, most := len(rows[0]), 0
		for _, row := range rows {
			if len(row) == 1 && row[0] == "" {
				return // whether an empty quoted cell alone is a row is a matter of taste
			}
			least, most = min(least, len(row)), max(most, len(row))
		}
		columns := strconv.Itoa(most)
		if least != most {
			columns = fmt.Sprintf("%d to %d", least, most)
		}
		if got := value(list, "rows"); strings.ReplaceAll(got, ",", "") != strconv.Itoa(len(rows)) {
			t.Fatalf("%q has %d rows, not %s", in, len(rows), got)
		}
		if got := value(list, "columns"); strings.ReplaceAll(got, ",", "") != columns {
			t.Fatalf("%q has %s columns, not %s", in, columns, got)
		}
	})
}

func value(list []report.Fact, name string) string {
	for _, f := range list {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// FuzzOf holds that no bytes make the parsers fail, and that the zip listing agrees with the
// standard library's when that can read it.
func FuzzOf(f *testing.F) {
	f.Add(archive(f, "word/document.xml", "a"))
	f.Add("%PDF-")
	f.Add("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	f.Fuzz(func(t *testing.T, in string) {
		for _, ext := range []string{"csv", "pdf", "xls", "xlsx", "txt"} {
			facts.Of(ext, []byte(in))
		}
		list, notice := facts.Of("docx", []byte(in))
		z, err := zip.NewReader(strings.NewReader(in), int64(len(in)))
		if err != nil || !strings.HasPrefix(in, "PK") || strings.Count(in, "PK\x05\x06") != 1 || strings.Contains(in, "PK\x06\x06") {
			return
		}
		if got := value(list, "entries"); got != strconv.Itoa(len(z.File)) && notice == nil {
			t.Fatalf("%q has %d entries, not %s", in, len(z.File), got)
		}
	})
}
