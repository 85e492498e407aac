package config

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// text is the value of a flag as one would write it.
func text(value any) string {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Slice {
		return fmt.Sprint(value)
	}
	words := make([]string, v.Len())
	for i := range words {
		words[i] = fmt.Sprint(v.Index(i).Interface())
	}
	return strings.Join(words, ",")
}

// WriteExample writes a file that names every setting in a comment, ready to be changed.
func WriteExample(w io.Writer, settings []Setting) error {
	b := &strings.Builder{}
	b.WriteString(`# Settings of figs-web serve, one a line: name = value. They are named like the flags.
# A flag counts before the variable of the environment, and that before this file.
# Lists are separated by commas, or come on several lines. A value in double quotes is taken as it is.
`)
	for i := range settings {
		s := &settings[i]
		b.WriteByte('\n')
		for _, line := range wrap(s.Help, 96) {
			b.WriteString("# " + line + "\n")
		}
		switch {
		case s.Default != "" && s.Holder != "":
			b.WriteString("# Default: " + s.Default + ".\n")
		case s.Secret && !s.Address:
			b.WriteString("# A secret: better named by a file that holds it, as " + s.Name + "-file = PATH.\n")
		}
		fmt.Fprintf(b, "#%s = %s\n", s.Name, s.example())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *Setting) example() string {
	if s.Holder == "" {
		return "true"
	}
	return s.Holder
}

// wrap cuts a text into lines of at most so many bytes, where words end.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// WriteTable writes the settings as a table of Markdown, for the documents.
func WriteTable(w io.Writer, settings []Setting) error {
	b := &strings.Builder{}
	b.WriteString("| flag and setting | variable | default | what it is |\n|---|---|---|---|\n")
	for i := range settings {
		s := &settings[i]
		name := "`--" + s.Name
		if s.Holder != "" {
			name += " " + s.Holder
		}
		variable := "`" + s.Variable + "`"
		if s.Secret {
			variable += ", `" + s.Variable + "_FILE`"
		}
		fmt.Fprintf(b, "| %s` | %s | %s | %s |\n", cell(name), variable, cell(s.Default), cell(s.Help))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cell keeps a text within its cell.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}

// WriteSet writes what is set as a file, with where it comes from. Secrets are left out.
func WriteSet(b *strings.Builder, settings []Setting) {
	b.WriteString("# What is set. Secrets are left out.\n")
	for i := range settings {
		s := &settings[i]
		switch {
		case s.Source.Kind == Default:
		case s.Shown() != s.Value:
			fmt.Fprintf(b, "#%s is set by %s\n", s.Name, printable(s.Source.String()))
		default:
			for _, value := range s.values() {
				fmt.Fprintf(b, "%s = %s # %s\n", s.Name, value, printable(s.Source.String()))
			}
		}
	}
}

// values are what a file holds of a setting, a value each line.
func (s *Setting) values() []string {
	words := []string{s.Value}
	if s.List && s.flag.Tag.Sep != -1 {
		words = kong.SplitEscaped(s.Value, s.flag.Tag.Sep)
	}
	for i, word := range words {
		if word == "" || strings.TrimSpace(word) != word || strings.ContainsAny(word, "#\",") || strconv.Quote(word) != `"`+word+`"` {
			words[i] = strconv.Quote(word)
		}
	}
	return words
}

// printable is a name without what would end a line.
func printable(name string) string {
	quoted := strconv.Quote(name)
	return quoted[1 : len(quoted)-1]
}
