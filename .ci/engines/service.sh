#!/bin/bash
# Libraries from Maven: the jars of the service whose edits are predicted, and the sources of one library: service.sh PREFIX H2 JACKSON CAFFEINE JSOUP
set -euo pipefail
prefix=$1 h2=$2 jackson=$3 caffeine=$4 jsoup=$5
for program in mvn unzip; do
  command -v "$program" >/dev/null || { echo "$program is not on this machine (the libraries come from Maven)"; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

get() { # FOLDER COORDINATES
  echo "service: $2"
  mvn --quiet --batch-mode org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact="$2" -DoutputDirectory="$1" -Dmdep.useBaseVersion=true
}
get "$prefix/jars" "com.h2database:h2:$h2"
for part in core databind; do get "$prefix/jars" "com.fasterxml.jackson.core:jackson-$part:$jackson"; done
# Jackson's annotations have versions of two numbers.
get "$prefix/jars" "com.fasterxml.jackson.core:jackson-annotations:${jackson%.*}"
get "$prefix/jars" "com.github.ben-manes.caffeine:caffeine:$caffeine"
get "$work" "org.jsoup:jsoup:$jsoup:jar:sources"
mkdir -p "$prefix/src/jsoup"
unzip -qo "$work/jsoup-$jsoup-sources.jar" 'org/*' -d "$prefix/src/jsoup"
echo "H2 $h2, Jackson $jackson, Caffeine $caffeine, jsoup $jsoup" >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
