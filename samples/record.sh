#!/usr/bin/env bash
# Makes the sample recordings again by really running the shop: record.sh JDK17_HOME JDK25_HOME [NAME...]
set -euo pipefail

if [ $# -lt 2 ]; then
  echo "usage: samples/record.sh JDK17_HOME JDK25_HOME [NAME...]" >&2
  echo "  names: shop-v1-jdk17-a shop-v1-jdk17-b shop-v1-jdk25 shop-v2-jdk17 (all of them when none is given)" >&2
  exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
jdk17=$1
jdk25=$2
shift 2
wanted=" $* "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$here/recordings"

# record NAME JAVA_HOME VERSION JFR_OPTIONS EVENT_OPTIONS PROGRAM_OPTIONS [JVM_OPTION...]
record() {
  local name=$1 home=$2 version=$3 recorder=$4 events=$5 load=$6
  shift 6
  if [ "$wanted" != "  " ] && [[ "$wanted" != *" $name "* ]]; then
    return
  fi
  echo "$name: compiling" >&2
  # A later version holds only what differs from the first: its files go over those of v1.
  mkdir -p "$work/$name"
  cp -R "$here/shop/v1/src" "$work/$name/"
  cp -R "$here/shop/$version/src" "$work/$name/"
  local sources
  mapfile -t sources < <(find "$work/$name/src/main/java" -name '*.java' | LC_ALL=C sort)
  "$home/bin/javac" -g -nowarn -d "$work/$name/classes" "${sources[@]}"
  cp "$here/recording.jfc" "$work/$name/recording.jfc"
  echo "$name: running with $load" >&2
  # An empty environment, a relative class path and relative file names: nothing of this machine can get into the file.
  # shellcheck disable=SC2086
  (cd "$work/$name" && env -i "$home/bin/java" "$@" \
    -XX:FlightRecorderOptions="$recorder,repository=repository" \
    -XX:StartFlightRecording=settings=recording.jfc,filename=out.jfr$events \
    -cp classes com.acme.shop.Main $load)
  cp "$work/$name/out.jfr" "$here/recordings/$name.jfr"
}

record shop-v1-jdk17-a "$jdk17" v1 stackdepth=128,maxchunksize=8m '' '--seconds 60 --threads 4 --seed 1' -Xmx512m
record shop-v1-jdk17-b "$jdk17" v1 stackdepth=64,maxchunksize=1m '' '--seconds 40 --threads 7 --seed 2' -Xmx256m
# JDK 25 reads its own security settings after the recorder has started; the event would carry the JDK's path.
# DebugNonSafepoints moves samples between lines and methods: both versions on JDK 17 do without, so that they compare.
record shop-v1-jdk25 "$jdk25" v1 stackdepth=128,maxchunksize=8m ',jdk.FileRead#enabled=false' '--seconds 40 --threads 4 --seed 1' -Xmx512m \
  -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints
record shop-v2-jdk17 "$jdk17" v2 stackdepth=128,maxchunksize=8m '' '--seconds 45 --threads 4 --seed 1' -Xmx512m
