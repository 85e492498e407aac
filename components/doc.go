// Package components finds the page of a path and renders it: Render for one agent, RenderWorkspace for all agents of a
// workspace. The pages are in the packages below, templ views built from journal values only, the same in the offline
// inspector and in the hosted reader.
//
// Three habits keep them safe and kind. Every string that an agent wrote goes through package agenttext, which isolates it
// and makes hidden characters visible. Every sentence of ours goes through i18n.Say, so that it can be translated. Nothing
// has a style attribute or a script: pages work under a policy that allows neither.
package components
