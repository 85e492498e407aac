#!/bin/sh
# Before the package is removed (not when it is replaced by a newer one); what the reader keeps stays where it is.
set -eu
case "${1:-}" in
upgrade | 1) exit 0 ;;
esac
if test -z "${DPKG_ROOT:-}" && test -d /run/systemd/system; then
	systemctl disable --now figs-web.service figs-web-backup.timer
fi
