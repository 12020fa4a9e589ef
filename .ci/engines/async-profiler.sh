#!/bin/bash
# async-profiler's library in several versions and its converter jfrconv, from Maven: async-profiler.sh PREFIX CONVERTER VERSION…
set -euo pipefail
prefix=$1 converter=$2
shift 2
for program in mvn unzip; do
  command -v "$program" >/dev/null || { echo "$program is not on this machine (async-profiler comes from Maven)"; exit 1; }
done
case $(dpkg --print-architecture) in
  amd64) platform=linux-x64 ;;
  arm64) platform=linux-arm64 ;;
  *) echo "async-profiler has no library for this processor"; exit 1 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

get() { # ARTIFACT VERSION
  echo "async-profiler: $1 $2"
  mvn --quiet --batch-mode org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact="tools.profiler:$1:$2" -DoutputDirectory="$work" -Dmdep.useBaseVersion=true
}
for version in "$@"; do
  get async-profiler "$version"
  mkdir -p "$prefix/$version"
  unzip -qoj "$work/async-profiler-$version.jar" "$platform/libasyncProfiler.so" -d "$prefix/$version"
done
get jfr-converter "$converter"
cp "$work/jfr-converter-$converter.jar" "$prefix/jfrconv.jar"
echo "async-profiler $*, jfrconv $converter" >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
