// Package headless has the options with which tests and benchmarks start a headless Chromium.
package headless

import "github.com/chromedp/chromedp"

// Disabled names the features that are switched off, as --disable-features takes them. The address bar of every window is
// a page of its own that nobody sees here: two of them cost half of the processor time of opening a window.
const Disabled = "Translate,WebUIOmniboxPopup,WebUIOmniboxAimPopup"

// Options starts program with a profile in the given folder, or in a temporary one if it is empty.
func Options(program, profile string, more ...chromedp.ExecAllocatorOption) []chromedp.ExecAllocatorOption {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WindowSize(1280, 900), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-features", Disabled))
	if profile != "" {
		options = append(options, chromedp.UserDataDir(profile))
	}
	return append(options, more...)
}
