#!/bin/bash
# LSP4J, the protocol library that IntelliJ's LSP4IJ speaks through, as jars out of an npm package that carries it: lsp4j.sh PREFIX PACKAGE@VERSION
set -euo pipefail
prefix=$1 package=$2
command -v npm >/dev/null || { echo "npm is not on this machine"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "LSP4J: $package"
(cd "$work" && npm pack --silent --ignore-scripts "$package" >/dev/null)
mkdir -p "$prefix/jars"
# Gson reads and writes the messages; Guava and Xtend's library are what LSP4J itself is built on.
tar -xzf "$work"/*.tgz -C "$prefix/jars" --strip-components=3 --wildcards \
  'package/server/plugins/org.eclipse.lsp4j_*.jar' \
  'package/server/plugins/org.eclipse.lsp4j.jsonrpc_*.jar' \
  'package/server/plugins/org.eclipse.xtext.xbase.lib_*.jar' \
  'package/server/plugins/com.google.gson_*.jar' \
  'package/server/plugins/com.google.guava_*.jar' \
  'package/server/plugins/com.google.guava.failureaccess_*.jar'
version=$(basename "$prefix"/jars/org.eclipse.lsp4j_*.jar .jar)
echo "LSP4J ${version#*_} (out of $package)" >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
