#!/bin/sh
# Runs a package.json script with run.mjs on the Node.js that it chooses. None stays behind it, as an
# older one that starts it would.
node=$(node lib/tooling/run.mjs --node "$1") && exec "$node" lib/tooling/run.mjs "$@"
