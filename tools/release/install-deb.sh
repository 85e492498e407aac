#!/bin/sh
# Installs a package into a separate root, starts the program from there, and removes the package again:
# install-deb.sh FILE. Nothing of this machine is changed.
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
touch "$root/var/lib/dpkg/status"
dpkg_in_root() { dpkg --root="$root" --log=/dev/null --force-not-root --force-script-chrootless "$@"; }
fail() { echo "$1" >&2; exit 1; }

dpkg_in_root --install "$1"
for file in usr/bin/figs-web usr/lib/systemd/system/figs-web.service usr/lib/systemd/system/figs-web-backup.timer \
	usr/lib/sysusers.d/figs-web.conf etc/figs-web/figs-web.conf usr/share/man/man1/figs-web.1.gz usr/share/doc/figs-web/copyright; do
	test -s "$root/$file" || fail "the package installs no $file"
done
dpkg_in_root --verify figs-web
"$root/usr/bin/figs-web" version
"$root/usr/bin/figs-web" config check --config "$root/etc/figs-web/figs-web.conf" --data "$root/var/lib/figs-web" >"$root/check" 2>&1 ||
	{ cat "$root/check"; fail 'the installed settings have problems'; }
if test -e "$root/etc/passwd"; then grep '^figs-web:' "$root/etc/passwd"; fi

# Settings that someone changed stay when the package is installed again and removed; --purge removes them.
echo 'log = json' >>"$root/etc/figs-web/figs-web.conf"
dpkg_in_root --install "$1"
grep -q '^log = json' "$root/etc/figs-web/figs-web.conf" || fail 'installing it again replaced changed settings'
dpkg_in_root --remove figs-web
test ! -e "$root/usr/bin/figs-web" || fail 'the program is still there after --remove'
test -e "$root/etc/figs-web/figs-web.conf" || fail '--remove removed the settings'
dpkg_in_root --purge figs-web
test ! -e "$root/etc/figs-web/figs-web.conf" || fail 'the settings are still there after --purge'
