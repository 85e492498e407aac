// Package icons draws the icons of the installed app from static/icon.svg. They are kept in static/icons, because browsers
// take only PNG for some of them; the test of this package draws them again.
package icons

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/image/vector"
)

// Icon is one picture.
type Icon struct {
	Name     string
	Size     int
	Maskable bool // fills its square, and keeps the mark within the circle that launchers may cut out
}

// Icons are all that are kept.
var Icons = []Icon{
	{"icon-192.png", 192, false}, {"icon-512.png", 512, false},
	{"icon-maskable-192.png", 192, true}, {"icon-maskable-512.png", 512, true},
}

// The colours of the brand, as static/css/tokens.css has them.
var (
	ground = color.NRGBA{0x5a, 0x2a, 0x83, 0xff}
	ink    = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// Draw draws an icon from the only path of an SVG file.
func Draw(svg string, icon Icon) (image.Image, error) {
	box, path, err := parts(svg)
	if err != nil {
		return nil, err
	}
	side := float32(icon.Size)
	picture := image.NewNRGBA(image.Rect(0, 0, icon.Size, icon.Size))
	round, share := side*.22, float32(.68)
	if icon.Maskable {
		round, share = 0, .5
	}
	fill(picture, ground, func(v *vector.Rasterizer) error {
		roundSquare(v, side, round)
		return nil
	})
	scale := side * share / max(box[2], box[3])
	left, top := (side-box[2]*scale)/2-box[0]*scale, (side-box[3]*scale)/2-box[1]*scale
	err = fill(picture, ink, func(v *vector.Rasterizer) error {
		return trace(&pen{v: v, left: left, top: top, scale: scale}, path)
	})
	return picture, err
}

// Write writes an icon as a PNG file.
func Write(w io.Writer, svg string, icon Icon) error {
	picture, err := Draw(svg, icon)
	if err != nil {
		return err
	}
	return (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(w, picture)
}

var (
	boxed = regexp.MustCompile(`viewBox="(\S+) (\S+) (\S+) (\S+)"`)
	drawn = regexp.MustCompile(` d="([^"]+)"`)
	token = regexp.MustCompile(`[A-Za-z]|-?[0-9.]+`)
)

// parts are the viewBox and the path of an SVG file.
func parts(svg string) (box [4]float32, path string, err error) {
	b, d := boxed.FindStringSubmatch(svg), drawn.FindAllStringSubmatch(svg, -1)
	if b == nil || len(d) != 1 {
		return box, "", errors.New("icons: the picture has no viewBox, or not one path")
	}
	for i := range box {
		f, err := strconv.ParseFloat(b[i+1], 32)
		if err != nil {
			return box, "", fmt.Errorf("icons: the viewBox: %w", err)
		}
		box[i] = float32(f)
	}
	return box, d[0][1], nil
}

func fill(picture draw.Image, c color.Color, shape func(*vector.Rasterizer) error) error {
	size := picture.Bounds().Size()
	v := vector.NewRasterizer(size.X, size.Y)
	if err := shape(v); err != nil {
		return err
	}
	v.Draw(picture, picture.Bounds(), image.NewUniform(c), image.Point{})
	return nil
}

// roundSquare adds a square with round corners that fills the picture.
func roundSquare(v *vector.Rasterizer, side, round float32) {
	bend := round * .4477 // where the handles of a quarter of a circle end
	far := side - round
	v.MoveTo(round, 0)
	v.LineTo(far, 0)
	v.CubeTo(side-bend, 0, side, bend, side, round)
	v.LineTo(side, far)
	v.CubeTo(side, side-bend, side-bend, side, far, side)
	v.LineTo(round, side)
	v.CubeTo(bend, side, 0, side-bend, 0, far)
	v.LineTo(0, round)
	v.CubeTo(0, bend, bend, 0, round, 0)
	v.ClosePath()
}

// pen draws in the units of the SVG file.
type pen struct {
	v                *vector.Rasterizer
	left, top, scale float32
	x, y, backX      float32 // where it is, and the last handle of a curve
	backY            float32
}

func (p *pen) at(x, y float32) (float32, float32) { return p.left + x*p.scale, p.top + y*p.scale }

// curve draws a curve to (x, y) with two handles.
func (p *pen) curve(ax, ay, bx, by, x, y float32) {
	ax, ay = p.at(ax, ay)
	p.backX, p.backY, p.x, p.y = bx, by, x, y
	bx, by = p.at(bx, by)
	x, y = p.at(x, y)
	p.v.CubeTo(ax, ay, bx, by, x, y)
}

// trace draws a path of the commands M, C, c, s and Z, those that the picture has.
func trace(p *pen, path string) error {
	command, numbers := "", []float32(nil)
	takes := map[string]int{"M": 2, "C": 6, "c": 6, "s": 4, "Z": 0}
	for _, word := range token.FindAllString(path, -1) {
		if strings.ContainsAny(word, "0123456789") {
			f, err := strconv.ParseFloat(word, 32)
			if err != nil {
				return fmt.Errorf("icons: %q in a path: %w", word, err)
			}
			numbers = append(numbers, float32(f))
		} else {
			if _, known := takes[word]; !known || len(numbers) > 0 {
				return fmt.Errorf("icons: the path has the command %q, which is not drawn here", word)
			}
			command = word
		}
		if command == "" || len(numbers) < takes[command] {
			continue
		}
		n, x, y := numbers, p.x, p.y
		numbers = nil
		switch command {
		case "M":
			p.x, p.y = n[0], n[1]
			p.v.MoveTo(p.at(n[0], n[1]))
		case "C":
			p.curve(n[0], n[1], n[2], n[3], n[4], n[5])
		case "c":
			p.curve(x+n[0], y+n[1], x+n[2], y+n[3], x+n[4], y+n[5])
		case "s":
			p.curve(2*x-p.backX, 2*y-p.backY, x+n[0], y+n[1], x+n[2], y+n[3])
		case "Z":
			p.v.ClosePath()
		}
	}
	return nil
}
