package hiding

import (
	"strings"
	"testing"
)

func TestCollection(t *testing.T) {
	names, count := map[string]bool{}, map[Class]int{}
	for _, d := range All() {
		if names[d.Name] {
			t.Errorf("%s is there twice", d.Name)
		}
		names[d.Name] = true
		count[d.Class]++
		if n := strings.Count(string(d.With(Secret)), Secret); (n == 0) == (d.Class == Hides) {
			t.Errorf("%s, which %s, holds the secret %d times", d.Name, d.Class, n)
		}
		if strings.Contains(string(d.With(Secret)), mark) {
			t.Errorf("%s holds a mark still", d.Name)
		}
	}
	for class, least := range map[Class]int{Hides: 150, Imitates: 50, Honest: 60} {
		if count[class] < least {
			t.Errorf("%d documents of class %s, want %d", count[class], class, least)
		}
	}
	t.Log(count)
	if len(Secret) != len(Other) {
		t.Errorf("the secret has %d letters, the other text %d", len(Secret), len(Other))
	}
}
