#!/bin/bash
# Agents that time calls, from Maven: tracers.sh PREFIX KIEKER OPENTELEMETRY
set -euo pipefail
prefix=$1 kieker=$2 opentelemetry=$3
command -v mvn >/dev/null || { echo "mvn is not on this machine (the agents come from Maven)"; exit 1; }

get() { # FILE COORDINATES
  echo "tracers: $2"
  mvn --quiet --batch-mode org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact="$2" -DoutputDirectory="$prefix/$1" -Dmdep.useBaseVersion=true
  mv "$prefix/$1"/*.jar "$prefix/$1.jar"
}
get kieker "net.kieker-monitoring:kieker:$kieker:jar:aspectj"
get opentelemetry "io.opentelemetry.javaagent:opentelemetry-javaagent:$opentelemetry"
echo "Kieker $kieker, OpenTelemetry $opentelemetry" >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
