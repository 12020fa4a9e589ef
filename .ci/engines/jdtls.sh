#!/bin/bash
# Eclipse JDT LS, the Java server that most editors use, out of an npm package that carries it: jdtls.sh PREFIX PACKAGE@VERSION
set -euo pipefail
prefix=$1 package=$2
command -v npm >/dev/null || { echo "npm is not on this machine"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Eclipse JDT LS: $package"
(cd "$work" && npm pack --silent --ignore-scripts "$package" >/dev/null)
mkdir -p "$prefix"
tar -xzf "$work"/*.tgz -C "$prefix" --strip-components=2 --wildcards \
  'package/server/plugins/*' 'package/server/config_linux/*' 'package/server/config_linux_arm/*'
launcher=$(basename "$prefix"/plugins/org.eclipse.equinox.launcher_*.jar)
core=$(basename "$prefix"/plugins/org.eclipse.jdt.ls.core_*.jar .jar)
[ -n "$launcher" ] || { echo "there is no launcher in $package"; exit 1; }
echo "Eclipse JDT LS ${core#*_} (out of $package)" >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
