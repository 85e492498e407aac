// Package packaging holds what is shipped around the program to what the program is: its tests read the Dockerfile, the
// units in packaging/ and the configuration of releases, and give every command line in them to the program's own parser.
package packaging
