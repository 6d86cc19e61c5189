#!/usr/bin/env bash
# The report's page in a real browser: keys, filters, values, decisions, two tabs, accessibility, opening time. Needs node and Chromium
# (Debian: chromium). `BASE=URL bash ci/steps/report.sh` drives the two tabs against a `stillframe review --web` that runs already.
set -euo pipefail
command -v node >/dev/null || { echo "node is not there: it drives the browser"; exit 1; }
modules=$PWD/target/report
mkdir -p "$modules"
if [ ! -d "$modules/node_modules/playwright-core" ] || [ ! -d "$modules/node_modules/axe-core" ]; then
  (cd "$modules" && npm install --silent --no-save --no-audit --no-fund playwright-core@1.65.1 axe-core@4.14.1)
fi
export REPORT_MODULES=$modules
cargo build --locked -p stillframe-frames --example report
made=target/debug/examples/report
one=$("$made" "$modules/one")
beside=$("$made" "$modules/beside" --inside 10000)
large=$("$made" "$modules/large" --failures 500)
live=$("$made" "$modules/live" --live made-up-token)
node ci/report/page.mjs "$one" "$beside" "$large"
if [ -n "${BASE:-}" ]; then
  node ci/report/live.mjs --base "$BASE"
else
  node ci/report/live.mjs "$(dirname "$live")" made-up-token
fi
