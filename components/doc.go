// Package components holds the pages of figs-web: templ views built from journal values
// only, the same in the offline inspector and in the hosted reader.
//
// Three habits keep them safe and kind. Every string that an agent wrote goes through
// agentText, agentLine, agentBlock or plain, which isolate it and make hidden characters
// visible. Every sentence of ours goes through say, so that it can be translated. Nothing
// has a style attribute or a script: pages work under a policy that allows neither.
package components
