#!/bin/bash
# tmux, in which tests look at real screens, from a Debian suite into a prefix of its own: tmux.sh PREFIX SUITE
set -euo pipefail
prefix=$1 suite=$2
. "$(dirname "$0")/apt.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "tmux: package lists of $suite"
private_apt "$work" "$suite"
with_patchelf "$work"
echo "tmux: packages"
unpack_packages "$work" "$prefix" tmux ncurses-base ncurses-term
patchelf --set-interpreter "$(loader "$prefix")" --force-rpath --set-rpath "$(library_folder "$prefix")" "$prefix/usr/bin/tmux"
rm -rf "$prefix"/usr/share/{doc,locale,man,icons,lintian}
mkdir -p "$prefix/bin"
cat >"$prefix/bin/tmux" <<SH
#!/bin/sh
# Starts this tmux with its own terminal descriptions and an encoding that shows every character.
export TERMINFO_DIRS=$prefix/usr/share/terminfo:$prefix/lib/terminfo
export LC_ALL=C.UTF-8
exec $prefix/usr/bin/tmux -u "\$@"
SH
chmod +x "$prefix/bin/tmux"
"$prefix/bin/tmux" -V >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
