package receipt

import (
	"crypto/ed25519"
	"math/big"
	"strings"
	"testing"
)

// The curve of Ed25519 (RFC 8032, section 5.1), in plain numbers.
var (
	prime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	order = new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 252), number("27742317777372353535851937790883648493"))
	curve = mod(new(big.Int).Mul(big.NewInt(-121665), new(big.Int).ModInverse(big.NewInt(121666), prime)))
)

func number(s string) *big.Int {
	n, _ := new(big.Int).SetString(s, 10)
	return n
}

func mod(n *big.Int) *big.Int { return new(big.Int).Mod(n, prime) }

type point struct{ x, y *big.Int }

// plus adds two points.
func (p point) plus(q point) point {
	mul := func(a, b *big.Int) *big.Int { return mod(new(big.Int).Mul(a, b)) }
	inverse := func(a *big.Int) *big.Int { return new(big.Int).ModInverse(mod(a), prime) }
	t := mul(curve, mul(mul(p.x, q.x), mul(p.y, q.y)))
	one := big.NewInt(1)
	return point{
		mul(new(big.Int).Add(mul(p.x, q.y), mul(p.y, q.x)), inverse(new(big.Int).Add(one, t))),
		mul(new(big.Int).Add(mul(p.y, q.y), mul(p.x, q.x)), inverse(new(big.Int).Sub(one, t))),
	}
}

// withY is the point with a y, if there is one.
func withY(y *big.Int) (point, bool) {
	y2 := mod(new(big.Int).Mul(y, y))
	down := new(big.Int).ModInverse(mod(new(big.Int).Add(big.NewInt(1), new(big.Int).Mul(curve, y2))), prime)
	if down == nil {
		return point{}, false
	}
	x := new(big.Int).ModSqrt(mod(new(big.Int).Mul(new(big.Int).Sub(y2, big.NewInt(1)), down)), prime)
	return point{x, y}, x != nil
}

// smallPoints are all points whose order divides 8: what is left of any point, times the order of the large group.
func smallPoints() map[string]point {
	points := map[string]point{}
	for y := int64(2); y < 200; y++ {
		p, ok := withY(big.NewInt(y))
		if !ok {
			continue
		}
		sum := point{big.NewInt(0), big.NewInt(1)}
		for i := order.BitLen() - 1; i >= 0; i-- {
			if sum = sum.plus(sum); order.Bit(i) == 1 {
				sum = sum.plus(p)
			}
		}
		points[sum.x.String()+" "+sum.y.String()] = sum
	}
	return points
}

// encodings are all the 32 bytes that a verifier may take for a point: also with y not below the prime, and with both
// signs of an x that is zero.
func (p point) encodings() (all [][]byte) {
	for _, y := range []*big.Int{p.y, new(big.Int).Add(p.y, prime)} {
		if y.BitLen() > 255 {
			continue
		}
		for sign := range uint(2) {
			if p.x.Sign() != 0 && p.x.Bit(0) != sign {
				continue
			}
			b := make([]byte, 32)
			for i, d := range y.FillBytes(make([]byte, 32)) {
				b[31-i] = d
			}
			b[31] |= byte(sign << 7)
			all = append(all, b)
		}
	}
	return all
}

// TestSmallOrderKeysAreRefused takes every point of small order in every encoding. For each, a signature that everybody
// can write fits some receipt; none of them is accepted, not even when a person accepts the key.
func TestSmallOrderKeysAreRefused(t *testing.T) {
	points := smallPoints()
	if len(points) != 8 {
		t.Fatalf("%d points of small order, want 8", len(points))
	}
	encodings, forged := 0, 0
	for _, p := range points {
		for _, b := range p.encodings() {
			encodings++
			key := Key(encode(b))
			r := signed(t, facts())
			r.Key = string(key)
			for _, half := range points { // R is a point of small order too, S is zero
				signature := append(append([]byte{}, half.encodings()[0]...), make([]byte, 32)...)
				for try := range 24 {
					r.Server = "https://figs.example/" + strings.Repeat("x", try)
					if r.Signature = encode(signature); !ed25519.Verify(b, r.signed(), signature) {
						continue
					}
					forged++
					rep := Check(r, good(), []Key{key})
					if rep.Signature != SignatureBad || rep.Verdict() != VerdictRefused || !strings.Contains(strings.Join(rep.Faults(), " "), "anybody can sign with it") {
						t.Fatalf("key %x: signature %v, %v, %q", b, rep.Signature, rep.Verdict(), rep.Faults())
					}
				}
			}
			if keys, ok := ParseKeys([]byte(key)); ok || key.Fingerprint() != "" {
				t.Errorf("ParseKeys takes %x: %v", b, keys)
			}
		}
	}
	if encodings != 14 || forged < encodings {
		t.Errorf("%d encodings, %d forged signatures; want 14 encodings, each with a signature that fits", encodings, forged)
	}
	if len(smallOrderPoints) != 7 || KeyOf(seed).Fingerprint() == "" {
		t.Error("an ordinary key is refused")
	}
}
