package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/hiding"
	"github.com/figs-web/figs-web/internal/testenv"
)

// drawing is what a browser made of the two documents of a job.
type drawing struct {
	Name  string
	Width int
	Noisy bool // a document does not look the same twice: nothing can be said
	mark

	Measured measurement // of a job that measures
}

// mark is where the two pictures differ.
type mark struct {
	pixels   int
	left     int // of the first pixel from the left, and from the top, in the whole document
	top      int
	contrast float64 // the largest between two pixels in the same place
}

// draw runs jobs in one browser and gives each drawing to done.
func draw(ctx context.Context, engine, address string, done func(drawing)) error {
	program, err := find(engine)
	if err != nil {
		return err
	}
	root, err := testenv.FindRoot()
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "node", filepath.Join(root, "internal", "hiding", "prove", "drive.mjs"), engine, program, address)
	command.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(testenv.ModulesFolder(root), "node_modules"))
	command.WaitDelay = 5 * time.Second
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	drawn := 0
	readErr := readDrawings(out, func(d drawing) {
		if drawn++; drawn%100 == 0 {
			fmt.Fprintf(os.Stderr, "%s: %d drawn\n", engine, drawn)
		}
		done(d)
	})
	if err := errors.Join(readErr, command.Wait()); err != nil {
		return fmt.Errorf("%s: %w\n%s", engine, err, problems.String())
	}
	return nil
}

func find(engine string) (string, error) {
	for _, part := range testenv.Parts() {
		if strings.EqualFold(part.Name, engine) {
			return part.Find()
		}
	}
	return "", fmt.Errorf("no browser is named %q: want one of %q", engine, hiding.Engines)
}

func readDrawings(out io.Reader, done func(drawing)) error {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		} else if err != nil {
			return err
		}
		var said struct {
			drawing
			Pairs, Again []pair // Again is the same once more, where pictures always differ
		}
		if err := json.Unmarshal(line, &said); err != nil {
			return err
		}
		for i := range said.Pairs {
			p := &said.Pairs[i]
			differs, err := p.differs(&said.drawing)
			if err != nil {
				return err
			}
			if i < len(said.Again) {
				again, err := said.Again[i].differs(&said.drawing)
				if err != nil {
					return err
				}
				once := differs
				differs = func(x, y int) bool { return once(x, y) && again(x, y) }
			}
			said.add(*p, differs)
		}
		done(said.drawing)
	}
}

// frameHeight is how tall the frame is on its page.
const frameHeight = 640

// decode reads a picture of a frame; an empty one stands for a place that a document does not reach. A picture that goes on
// below the frame is fresh if the page has the colour there.
func decode(picture string, width int, page color.RGBA) (m image.Image, fresh bool, err error) {
	if picture == "" {
		return image.NewUniform(color.White), true, nil
	}
	m, err = png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(picture)))
	if err != nil {
		return nil, false, err
	}
	if m.Bounds().Dy() <= frameHeight {
		return m, true, nil
	}
	part, ok := m.(interface {
		SubImage(image.Rectangle) image.Image
	})
	if !ok {
		return nil, false, fmt.Errorf("a picture is of the kind %T", m)
	}
	return part.SubImage(image.Rect(0, 0, width, frameHeight)), sameColour(m.At(2, frameHeight+20), page), nil
}

// pair is one part of a document in two pictures.
type pair struct {
	X, Y int    // of the part
	A, B string // base64; empty where a document ends before it

	a, b image.Image
}

// differs reads both pictures and returns whether they differ at a place. A picture that came too early makes d noisy.
func (p *pair) differs(d *drawing) (func(x, y int) bool, error) {
	var err error
	var fresh, alsoFresh bool
	if p.a, fresh, err = decode(p.A, d.Width, color.RGBA{R: 255, A: 255}); err != nil {
		return nil, err
	}
	if p.b, alsoFresh, err = decode(p.B, d.Width, color.RGBA{B: 255, A: 255}); err != nil {
		return nil, err
	}
	d.Noisy = d.Noisy || !fresh || !alsoFresh
	return func(x, y int) bool { return !sameColour(p.a.At(x, y), p.b.At(x, y)) }, nil
}

// add counts the pixels of a part that differ.
func (m *mark) add(part pair, differs func(x, y int) bool) {
	bounds := part.a.Bounds()
	if _, uniform := part.a.(*image.Uniform); uniform {
		bounds = part.b.Bounds()
	}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			if !differs(x, y) {
				continue
			}
			if m.pixels == 0 || part.X+x < m.left {
				m.left = part.X + x
			}
			if m.pixels == 0 || part.Y+y < m.top {
				m.top = part.Y + y
			}
			m.pixels++
			p, q := luminance(part.a.At(x, y)), luminance(part.b.At(x, y))
			m.contrast = max(m.contrast, (max(p, q)+.05)/(min(p, q)+.05))
		}
	}
}

// rounding is how far a channel may be off: browsers blend letters with a ground of the same colour that inexactly.
const rounding = 2 << 8

func sameColour(a, b color.Color) bool {
	r, g, u, _ := a.RGBA()
	s, h, v, _ := b.RGBA()
	near := func(x, y uint32) bool { return max(x, y)-min(x, y) <= rounding }
	return near(r, s) && near(g, h) && near(u, v)
}

// luminance is the relative luminance of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= .04045 {
			return f / 12.92
		}
		return math.Pow((f+.055)/1.055, 2.4)
	}
	return .2126*linear(r) + .7152*linear(g) + .0722*linear(b)
}

// What the pictures of a text must show for the text to count as drawn.
const (
	readable = 1.6  // to one: less contrast than this and a person overlooks it
	trace    = .05  // of the pixels that the control has: less than this and no letter can be read
	nearby   = 1600 // pixels from the top: two screens of a viewer's frame
)

// sight says how much of a text a person can see. control is the same text without a trick.
func (m mark) sight(width int, control mark) hiding.Sight {
	switch {
	case m.pixels == 0:
		return hiding.Never
	case float64(m.pixels) < trace*float64(control.pixels):
		return hiding.Partly
	case m.contrast < readable:
		return hiding.Low
	case m.top > nearby || m.left >= width:
		return hiding.Far
	}
	return hiding.Drawn
}
