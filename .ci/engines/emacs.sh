#!/bin/bash
# Emacs for the terminal from a Debian suite into a prefix of its own, system untouched: emacs.sh PREFIX SUITE
set -euo pipefail
prefix=$1 suite=$2
. "$(dirname "$0")/apt.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Emacs of $suite: package lists"
private_apt "$work" "$suite"
with_patchelf "$work"
echo "Emacs of $suite: packages"
unpack_packages "$work" "$prefix" emacs-nox ncurses-term
patchelf --set-interpreter "$(loader "$prefix")" --force-rpath --set-rpath "$(library_folder "$prefix")" "$prefix/usr/bin/emacs-nox"
rm -rf "$prefix"/usr/share/{doc,locale,man,icons,info,lintian} "$prefix"/usr/lib/gcc
share=$(echo "$prefix"/usr/share/emacs/[0-9]*)
programs=$(echo "$prefix"/usr/libexec/emacs/[0-9]*/*)
dump=$(echo "$programs"/*.pdmp)
mkdir -p "$prefix/bin"
cat >"$prefix/bin/emacs" <<SH
#!/bin/sh
# Starts this Emacs with its own Lisp files; nothing is compiled to native code.
export EMACSLOADPATH=$share/lisp EMACSDATA=$share/etc EMACSDOC=$share/etc EMACSPATH=$programs
export TERMINFO_DIRS=$prefix/usr/share/terminfo:$prefix/lib/terminfo
exec $prefix/usr/bin/emacs-nox --dump-file=$dump "\$@"
SH
chmod +x "$prefix/bin/emacs"
"$prefix/bin/emacs" --version | head -n 1 >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
