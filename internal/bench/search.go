package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/figs-web/figs-web/internal/bench/table"
)

// typing types words into the page's search letter by letter, each as soon as the letter before is answered or, as a
// person's letters do, 120 ms after it, and returns for each letter how many milliseconds passed until the first results of it
// stood in the page. A letter is typed in by changing the field and saying so, as the browser does.
const typing = `(async () => {
	const field = document.querySelector('#view input[type="search"]'), times = [];
	for (const words of %s) for (let n = 1; n <= words.length; n++) {
		field.value = words.slice(0, n);
		field.dispatchEvent(new Event("input", { bubbles: true }));
		for (const end = performance.now() + 20000; !performance.getEntriesByName("search-shown").length;) {
			if (performance.now() > end) throw new Error("nothing was shown for " + field.value);
			await new Promise(next => setTimeout(next, 1));
		}
		times.push(performance.getEntriesByName("search-shown")[0].startTime - performance.getEntriesByName("search-typed").at(-1).startTime);
		await new Promise(next => setTimeout(next, 120));
	}
	return times;
})()`

// What is typed: words of many records, of some, of one alone, of none, and fields.
const typed = `["invoice", "reconciliation 1204", "close-2026-000777", "is:needs customer", "status:fail twice", "zebra"]`

// measureSearch drops the large folder on the inspector and types into its search, from the first moment that the page
// of the search stands.
func measureSearch(ctx context.Context, b *bench) error {
	br, err := openInspector(ctx, "file://"+filepath.ToSlash(filepath.Join(b.wasm, "inspector.html")))
	if err != nil {
		return err
	}
	defer br.close()
	if _, err := br.drop(filepath.Join(b.dir, largeName, ".figs"), "folder-read"); err != nil {
		return err
	}
	stands, err := eval[float64](br.ctx, `(async () => {
		const start = performance.now();
		location.hash = "#/1/search";
		while (!document.querySelector('#view input[type="search"]')) {
			if (performance.now() - start > 30000) throw new Error("the page of the search did not come");
			await new Promise(next => setTimeout(next, 5));
		}
		return performance.now() - start;
	})()`)
	if err != nil {
		return err
	}
	var rounds [2][]float64
	for i := range rounds {
		if rounds[i], err = eval[[]float64](br.ctx, fmt.Sprintf(typing, typed)); err != nil {
			return err
		}
	}
	first, again := rounds[0], rounds[1]
	b.table.Add(table.Row{What: "search as you type, first results, Chromium, " + largeName, Figure: median(again), Format: "%.0f ms", Floor: 100, Aim: 30,
		Detail: sprint("the median of %d letters, 95 of 100 within %.0f ms, the longest %.0f ms; while what speeds it up was still being made: %.0f, %.0f and %.0f ms; the page of the first search stands after %.0f ms",
			len(again), rank(again, 0.95), rank(again, 1), median(first), rank(first, 0.95), rank(first, 1), stands)})
	return nil
}
