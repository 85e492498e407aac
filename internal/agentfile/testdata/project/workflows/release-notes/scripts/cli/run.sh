#!/bin/sh
set -eu
exec agentfile run release-notes "$@"
