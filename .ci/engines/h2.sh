#!/bin/bash
# The database H2 as a jar, beside the sources that it was built from, from Maven: h2.sh PREFIX VERSION
set -euo pipefail
prefix=$1 version=$2
for program in mvn unzip; do
  command -v "$program" >/dev/null || { echo "$program is not on this machine (H2 comes from Maven)"; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for artifact in "com.h2database:h2:$version" "com.h2database:h2:$version:jar:sources"; do
  echo "h2: $artifact"
  mvn --quiet --batch-mode org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact="$artifact" -DoutputDirectory="$work" -Dmdep.useBaseVersion=true
done
cp "$work/h2-$version.jar" "$prefix/h2.jar"
unzip -qo "$work/h2-$version-sources.jar" 'org/h2/*.java' -d "$prefix/src"
echo "H2 $version" >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
