#!/bin/bash
# Helix from a Debian suite into a prefix of its own, system untouched: helix.sh PREFIX SUITE
set -euo pipefail
prefix=$1 suite=$2
. "$(dirname "$0")/apt.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Helix of $suite: package lists"
private_apt "$work" "$suite"
with_patchelf "$work"
echo "Helix of $suite: packages"
unpack_packages "$work" "$prefix" hx
patchelf --set-interpreter "$(loader "$prefix")" --force-rpath --set-rpath "$(library_folder "$prefix")" "$prefix/usr/lib/hx/hx"
rm -rf "$prefix"/usr/share/{doc,locale,man,icons,lintian}
mkdir -p "$prefix/bin"
cat >"$prefix/bin/hx" <<SH
#!/bin/sh
# Starts this Helix with its own runtime files.
export HELIX_RUNTIME=$prefix/usr/lib/hx/runtime
exec $prefix/usr/lib/hx/hx "\$@"
SH
chmod +x "$prefix/bin/hx"
"$prefix/bin/hx" --version | head -n 1 >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
