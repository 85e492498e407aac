package cli

import (
	"io"

	"github.com/alecthomas/kong"
)

// Understands reads a command line as the program would, and runs nothing: its error says what the program does not take.
// It is there for whatever is shipped beside the program and starts it.
func Understands(args []string) error {
	parser, err := kong.New(&grammar{}, kong.Name("figs-web"), kong.Writers(io.Discard, io.Discard), kong.Exit(func(int) {}))
	if err != nil {
		return err
	}
	_, err = parser.Parse(args)
	return err
}
