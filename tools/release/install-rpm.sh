#!/bin/sh
# Looks at a package's metadata, unpacks it and starts the program; as root, also installs it into a separate root, and removes
# it again: install-rpm.sh FILE. Nothing of this machine is changed.
set -eu
package=$1
scripts=$(dirname "$0")/../../packaging
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
fail() { echo "$1" >&2; exit 1; }
query() { rpm --query --package "$@" "$package"; }

rpm --checksig --nosignature "$package"
query --queryformat '%{NAME} %{VERSION} %{RELEASE} %{ARCH} %{LICENSE} %{SUMMARY}\n'
test "$(query --queryformat '%{BUILDHOST}')" = localhost || fail 'the package names the machine that built it'
test "$(query --configfiles)" = /etc/figs-web/figs-web.conf || fail 'not only figs-web.conf is a configuration file'
query --queryformat '[%{FILENAMES} %{FILEFLAGS:fflags} %{FILEMODES:perms} %{FILEUSERNAME} %{FILEGROUPNAME}\n]' >"$root/files"
# Flags: c is a configuration file, n one that is not replaced, l a license.
for line in '/usr/bin/figs-web  -rwxr-xr-x root root' '/etc/figs-web/figs-web.conf cn -rw-r--r-- root root' \
	'/usr/lib/systemd/system/figs-web.service  -rw-r--r-- root root' '/usr/lib/systemd/system/figs-web-backup.timer  -rw-r--r-- root root' \
	'/usr/lib/sysusers.d/figs-web.conf  -rw-r--r-- root root' '/usr/share/man/man1/figs-web.1.gz  -rw-r--r-- root root' \
	'/usr/share/licenses/figs-web/LICENSE l -rw-r--r-- root root'; do
	grep -qxF "$line" "$root/files" || { cat "$root/files"; fail "the package has no $line"; }
done
for script in after-install before-remove; do
	query --scripts | grep -qF "$(sed -n 2p "$scripts/$script.sh")" || fail "the package runs no $script.sh"
done

mkdir "$root/unpacked"
rpm2cpio "$package" | (cd "$root/unpacked" && cpio --quiet --extract --no-absolute-filenames --make-directories --preserve-modification-time)
"$root/unpacked/usr/bin/figs-web" version
"$root/unpacked/usr/bin/figs-web" config check --config "$root/unpacked/etc/figs-web/figs-web.conf" --data "$root/data" >"$root/check" 2>&1 ||
	{ cat "$root/check"; fail 'the settings in the package have problems'; }
if test "$(id -u)" != 0; then
	echo 'Not installed: that needs root.'
	exit 0
fi

# The scripts need a shell, which the other root has not.
installed="$root/installed"
rpm_in_root() { rpm --root "$installed" "$@"; }
mkdir "$installed"
rpm_in_root --initdb
rpm_in_root --install --nodeps --noscripts "$package"
rpm_in_root --verify --nodeps figs-web
echo 'log = json' >>"$installed/etc/figs-web/figs-web.conf"
rpm_in_root --upgrade --replacepkgs --nodeps --noscripts "$package"
grep -q '^log = json' "$installed/etc/figs-web/figs-web.conf" || fail 'installing it again replaced changed settings'
rpm_in_root --erase --noscripts figs-web
test ! -e "$installed/usr/bin/figs-web" || fail 'the program is still there after --erase'
grep -q '^log = json' "$installed/etc/figs-web/figs-web.conf.rpmsave" || fail '--erase did not keep the changed settings'
