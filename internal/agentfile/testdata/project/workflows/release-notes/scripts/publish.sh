#!/bin/sh
set -eu
exec ./send-notes "$1"
