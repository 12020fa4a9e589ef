#!/bin/bash
# Neovim from a Debian suite into a prefix of its own, system untouched: neovim.sh PREFIX SUITE
set -euo pipefail
prefix=$1 suite=$2
. "$(dirname "$0")/apt.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Neovim of $suite: package lists"
private_apt "$work" "$suite"
with_patchelf "$work"
echo "Neovim of $suite: packages"
unpack_packages "$work" "$prefix" neovim
# The binary itself is changed, not wrapped, because the terminal interface starts the same binary again.
patchelf --set-interpreter "$(loader "$prefix")" --force-rpath --set-rpath "$(library_folder "$prefix")" "$prefix/usr/bin/nvim"
rm -rf "$prefix"/usr/share/{doc,locale,man,icons,lintian}
mkdir -p "$prefix/bin"
cat >"$prefix/bin/nvim" <<SH
#!/bin/sh
# Starts this Neovim with its own runtime files.
export VIMRUNTIME=$prefix/usr/share/nvim/runtime
exec $prefix/usr/bin/nvim "\$@"
SH
chmod +x "$prefix/bin/nvim"
"$prefix/bin/nvim" --version | head -n 1 >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
