#!/bin/bash
# Makes commons-csv.bundle from a clone of Apache Commons CSV: make-bundle.sh CLONE
# The last 60 commits up to 2021 that changed Java code, one after the other, each with src, pom.xml, licence and notice alone, and
# without two large files of test data that no measured test reads.
set -euo pipefail
clone=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
kept='^(src/.*|pom\.xml|LICENSE\.txt|NOTICE\.txt)$'
large='/(CSV-198|perf)/[^/]*$'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git init -q --bare "$work/repository"
cd "$work/repository"
echo "$(git -C "$clone" rev-parse --path-format=absolute --git-path objects)" >objects/info/alternates

parent=
for commit in $(git -C "$clone" rev-list --first-parent --until=2021-12-31T23:59:59Z -n 60 HEAD -- src/main/java src/test/java | tac); do
  rm -f index
  git ls-tree -r "$commit" | awk -F'\t' -v kept="$kept" -v large="$large" '$2 ~ kept && $2 !~ large' |
    GIT_INDEX_FILE=index git update-index --index-info
  tree=$(GIT_INDEX_FILE=index git write-tree)
  field() { git show -s --format="$1" "$commit"; }
  parent=$(
    export GIT_AUTHOR_NAME="$(field %an)" GIT_AUTHOR_EMAIL="$(field %ae)" GIT_AUTHOR_DATE="$(field %aI)"
    export GIT_COMMITTER_NAME="$(field %cn)" GIT_COMMITTER_EMAIL="$(field %ce)" GIT_COMMITTER_DATE="$(field %cI)"
    git show -s --format=%B "$commit" | git commit-tree "$tree" ${parent:+-p "$parent"}
  )
done
git update-ref refs/heads/main "$parent"
git symbolic-ref HEAD refs/heads/main
git bundle create -q "$here/commons-csv.bundle" HEAD main
git show main:LICENSE.txt >"$here/LICENSE.txt"
git show main:NOTICE.txt >"$here/NOTICE.txt"
ls -l "$here/commons-csv.bundle"
