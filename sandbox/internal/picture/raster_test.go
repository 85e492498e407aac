package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/webp"

	"github.com/figs-web/figs-web/sandbox/report"
)

func drawn(w, h int) *image.Paletted {
	m := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.White, color.Black, color.RGBA{9, 9, 200, 255}})
	for i := range m.Pix {
		m.Pix[i] = uint8(i % 3)
	}
	return m
}

func pngOf(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, drawn(w, h)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func jpegOf(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, drawn(w, h), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gifOf(t *testing.T, w, h, frames int) []byte {
	t.Helper()
	g := &gif.GIF{}
	for i := range frames {
		m := drawn(w, h)
		m.Pix[0] = uint8(i % 3)
		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 10)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// webpOf is a still image of one pixel.
func webpOf(t *testing.T) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func movingWebP(t *testing.T) []byte {
	still := webpOf(t)
	part := func(name string, data []byte) []byte {
		b := binary.LittleEndian.AppendUint32([]byte(name), uint32(len(data)))
		b = append(b, data...)
		return append(b, make([]byte, len(data)&1)...)
	}
	frame := append(make([]byte, 16), still[12:]...)
	body := part("VP8X", []byte{2, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	body = append(body, part("ANIM", make([]byte, 6))...)
	body = append(body, part("ANMF", frame)...)
	body = append(body, part("ANMF", frame)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(4+len(body))), append([]byte("WEBP"), body...)...)
}

// movingPNG adds the chunks of an animation.
func movingPNG(t *testing.T) []byte {
	still := pngOf(t, 3, 2)
	part := func(name string, data []byte) []byte {
		b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
		b = append(append(b, name...), data...)
		return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	}
	head, rest := still[:33], still[33:]
	out := append(bytes.Clone(head), part("acTL", []byte{0, 0, 0, 2, 0, 0, 0, 0})...)
	out = append(out, part("fcTL", make([]byte, 26))...)
	out = append(out, rest[:len(rest)-12]...)
	out = append(out, part("fdAT", make([]byte, 9))...)
	return append(out, rest[len(rest)-12:]...)
}

func TestRaster(t *testing.T) {
	for _, c := range []struct {
		ext  string
		b    []byte
		want Info
	}{
		{"png", pngOf(t, 7, 5), Info{"png", "image/png", 7, 5, 1, 0}},
		{"PNG", append(pngOf(t, 7, 5), "PK\x03\x04"...), Info{"png", "image/png", 7, 5, 1, 4}},
		{"png", movingPNG(t), Info{"png", "image/png", 3, 2, 2, 0}},
		{"jpg", jpegOf(t, 31, 17), Info{"jpeg", "image/jpeg", 31, 17, 1, 0}},
		{"jpeg", append(jpegOf(t, 31, 17), '<'), Info{"jpeg", "image/jpeg", 31, 17, 1, 1}},
		{"gif", gifOf(t, 4, 9, 1), Info{"gif", "image/gif", 4, 9, 1, 0}},
		{"gif", gifOf(t, 4, 9, 3), Info{"gif", "image/gif", 4, 9, 3, 0}},
		{"webp", webpOf(t), Info{"webp", "image/webp", 1, 1, 1, 0}},
		{"webp", movingWebP(t), Info{"webp", "image/webp", 1, 1, 2, 0}},
		{"", pngOf(t, 1, 1), Info{"png", "image/png", 1, 1, 1, 0}},
	} {
		got, notice := Raster(c.ext, c.b, report.Hosted())
		if notice != nil || got != c.want {
			t.Errorf("%s: %+v %v, want %+v", c.ext, got, notice, c.want)
		}
	}
}

// Frames behind the end that a file names are frames, not bytes that mean nothing; what follows them still is.
func TestFramesAfterTheEnd(t *testing.T) {
	l := report.Hosted()
	still, moving := webpOf(t), movingWebP(t)
	frame := moving[len(moving)-(len(moving)-12-18-14)/2:]
	short := bytes.Clone(moving)
	binary.LittleEndian.PutUint32(short[4:], uint32(len(moving)-len(frame)-8))
	apng := movingPNG(t)
	control := apng[33+20 : 33+20+38]
	data := apng[len(apng)-12-21 : len(apng)-12]
	g := gifOf(t, 4, 4, 2)
	second := g[bytes.LastIndex(g, []byte{0x21, 0xf9}):]
	for name, test := range map[string]struct {
		ext string
		b   []byte
		n   int // of frames
	}{
		"webp":            {"webp", short, 2},
		"webp still":      {"webp", slices.Concat(still, frame, frame), 3},
		"png":             {"png", slices.Concat(pngOf(t, 3, 2), control, data), 2},
		"png to its end":  {"png", slices.Concat(pngOf(t, 3, 2), control, data, apng[len(apng)-12:]), 2},
		"gif":             {"gif", slices.Concat(gifOf(t, 4, 4, 1), second), 2},
		"gif without end": {"gif", slices.Concat(gifOf(t, 4, 4, 1), second[:len(second)-1]), 2},
	} {
		for _, tail := range []string{"", "<p>paid</p>"} {
			b := slices.Concat(test.b, []byte(tail))
			info, notice := Raster(test.ext, b, l)
			if notice != nil || info.Frames != test.n || info.Trailing != len(tail) {
				t.Errorf("%s and %q: %+v, %v; want %d frames", name, tail, info, notice, test.n)
				continue
			}
			shown := Still(info, b)
			if after, notice := Raster(test.ext, shown, l); notice != nil || after.Frames != 1 || after.Trailing != 0 {
				t.Errorf("%s and %q: what is shown is %+v, %v", name, tail, after, notice)
			}
		}
	}
	for ext, b := range map[string][]byte{"png": slices.Concat(pngOf(t, 3, 2), apng[len(apng)-12:]), "gif": slices.Concat(gifOf(t, 4, 4, 1), []byte(";")),
		"webp": slices.Concat(still, []byte("ANMF\x04\x00\x00\x00abcd"))} {
		if info, notice := Raster(ext, b, l); notice != nil || info.Frames != 1 || info.Trailing == 0 {
			t.Errorf("%s with what is no frame behind it: %+v, %v", ext, info, notice)
		}
	}
}

func TestRasterRefuses(t *testing.T) {
	wide := pngOf(t, 1, 1)
	binary.BigEndian.PutUint32(wide[16:], 50_000)
	huge := pngOf(t, 1, 1)
	binary.BigEndian.PutUint32(huge[16:], 1<<31)
	binary.BigEndian.PutUint32(huge[20:], 1<<31)
	frame := gifOf(t, 4, 4, 1)
	at := bytes.IndexByte(frame[13+palette(frame[10]):], 0x2c) + 13 + palette(frame[10])
	frame[at+6] = 0xff // a frame wider than its screen
	for _, c := range []struct {
		lesson, ext string
		b           []byte
		code        report.Code
	}{
		{"no bytes", "png", nil, report.Empty},
		{"a lying name", "png", jpegOf(t, 2, 2), report.WrongType},
		{"no image at all", "gif", []byte("<html>"), report.WrongType},
		{"an unknown name", "exe", pngOf(t, 2, 2), report.WrongType},
		{"nothing known", "", []byte("BM"), report.NotParsed},
		{"too wide", "png", wide, report.TooLarge},
		{"too many pixels", "png", huge, report.TooLarge},
		{"a frame too wide", "gif", frame, report.TooLarge},
		{"no size", "png", []byte(pngMagic), report.Truncated},
		{"a png without its header", "png", []byte(pngMagic + "\x00\x00\x00\x00IENDxxxx"), report.NotParsed},
		{"a gif without a picture", "gif", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00\x3b"), report.NotParsed},
	} {
		if _, notice := Raster(c.ext, c.b, report.Hosted()); notice == nil || notice.Code != c.code {
			t.Errorf("%s: %v, want %s", c.lesson, notice, c.code)
		}
	}
}

// Every image that is cut anywhere is noticed, and nothing reads beyond the cut.
func TestRasterTruncated(t *testing.T) {
	for ext, b := range map[string][]byte{"png": movingPNG(t), "jpg": jpegOf(t, 20, 20), "gif": gifOf(t, 4, 4, 2), "webp": movingWebP(t)} {
		for n := 12; n < len(b); n++ {
			_, notice := Raster(ext, b[:n], report.Hosted())
			if notice == nil || notice.Code != report.Truncated {
				t.Errorf("%s cut at %d of %d: %v", ext, n, len(b), notice)
			}
		}
	}
}

// The still form of a moving image decodes, has one frame and keeps its size.
func TestStill(t *testing.T) {
	l := report.Hosted()
	for ext, b := range map[string][]byte{"png": movingPNG(t), "gif": gifOf(t, 4, 4, 3), "webp": movingWebP(t)} {
		b = append(b, "trailing"...)
		info, notice := Raster(ext, b, l)
		if notice != nil || info.Trailing != 8 {
			t.Fatal(ext, info, notice)
		}
		still := Still(info, b)
		after, notice := Raster(ext, still, l)
		if notice != nil || after.Frames != 1 || after.Trailing != 0 || after.Width != info.Width {
			t.Errorf("%s: %+v %v", ext, after, notice)
		}
		var err error
		switch ext {
		case "png":
			_, err = png.Decode(bytes.NewReader(still))
		case "gif":
			var g *gif.GIF
			if g, err = gif.DecodeAll(bytes.NewReader(still)); err == nil && len(g.Image) != 1 {
				t.Errorf("gif has %d frames", len(g.Image))
			}
		case "webp":
			_, err = webp.Decode(bytes.NewReader(still))
		}
		if err != nil {
			t.Errorf("%s: %v", ext, err)
		}
	}
}

func TestDataURL(t *testing.T) {
	l := report.Hosted()
	img := base64.StdEncoding.EncodeToString(pngOf(t, 2, 2))
	want := "data:image/png;base64," + img
	for _, in := range []string{want, " DATA:image/PNG;base64," + img, "data:image/png;charset=x;base64," + img[:20] + "\n " + img[20:],
		"data:image/png;base64," + strings.ReplaceAll(img, "+", "%2B"), "data:image/png;base64," + strings.TrimRight(img, "="), want + "#x"} {
		if got, ok := DataURL(in, l); !ok || got != want {
			t.Errorf("%.60s: %q", in, got)
		}
	}
	for _, in := range []string{"", "data:", "https://x.test/a.png", "data:text/html;base64," + img, "data:image/gif;base64," + img, "data:image/svg+xml,<svg/>",
		"data:image/png;base64,!!!", "data:image/png,hello", "data:image/png;base64," + img[:len(img)-30], "data:image/x-icon;base64," + img} {
		if got, ok := DataURL(in, l); ok {
			t.Errorf("%.60s: %q", in, got)
		}
	}
}

// The headers are read as the decoders of the standard library read them.
func FuzzRaster(f *testing.F) {
	t := &testing.T{}
	for _, b := range [][]byte{pngOf(t, 3, 4), movingPNG(t), jpegOf(t, 3, 4), gifOf(t, 3, 4, 2), webpOf(t), movingWebP(t)} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l := report.Hosted()
		info, notice := Raster("", b, l)
		if notice != nil {
			return
		}
		if info.Width < 1 || info.Height < 1 || info.Width > l.Side || info.Width*info.Height > l.Pixels || info.Trailing < 0 {
			t.Fatalf("%+v", info)
		}
		if c, format, err := image.DecodeConfig(bytes.NewReader(b)); err == nil && info.Frames == 1 {
			if format != info.Format || c.Width != info.Width || c.Height != info.Height {
				t.Fatalf("%+v, decoders say %s %d × %d", info, format, c.Width, c.Height)
			}
		}
		still := Still(info, b)
		after, notice := Raster(info.Format, still, l)
		if notice != nil || after.Frames != 1 || after.Trailing != 0 || !bytes.Equal(Still(after, still), still) {
			t.Fatalf("still: %+v %v", after, notice)
		}
	})
}
