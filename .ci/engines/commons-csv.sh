#!/bin/bash
# What Maven needs to compile the tests of Apache Commons CSV offline, in a repository of its own: commons-csv.sh PREFIX COMMITS
# For every pom.xml of the last COMMITS commits of the bundle, and the launcher of its JUnit.
set -euo pipefail
prefix=$1 commits=$2
here=$(cd "$(dirname "$0")" && pwd)
command -v mvn >/dev/null || { echo "mvn is not on this machine (it compiles the tests of Commons CSV)"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q "$here/../../test/bench/commons-csv/commons-csv.bundle" "$work/tree"
cd "$work/tree"

plugin=org.apache.maven.plugins:maven-dependency-plugin:3.6.1
quiet=(--batch-mode --quiet "-Dmaven.repo.local=$prefix/repository")
for check in rat checkstyle enforcer animal.sniffer jacoco pmd cpd spotbugs japicmp; do quiet+=("-D$check.skip"); done

seen=
for commit in $(git rev-list -n "$commits" HEAD); do
  pom=$(git rev-parse "$commit:pom.xml")
  [[ $seen != *$pom* ]] || continue
  seen="$seen $pom"
  echo "commons-csv: $(git show -s --format='%h %s' "$commit")"
  git checkout -q --force "$commit"
  mvn "${quiet[@]}" test-compile $plugin:build-classpath -Dmdep.includeScope=test -Dmdep.outputFile="$work/classpath"
  platform=$(grep -o 'junit-platform-engine-[0-9][^/]*\.jar' "$work/classpath" | head -n 1 | sed 's/junit-platform-engine-\(.*\)\.jar/\1/')
  mvn "${quiet[@]}" $plugin:get -Dartifact="org.junit.platform:junit-platform-launcher:$platform"
done
echo "dependencies of $commits commits" >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
