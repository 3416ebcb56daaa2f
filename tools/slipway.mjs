#!/usr/bin/env node
// What `npm link` and `npx` put on the PATH. They link what is there at the time and never look again, so it must be a
// file of the repository: in a fresh clone nothing is built yet.
import './node-version.mjs'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = new URL('../dist/bin/slipway.js', import.meta.url)
if (existsSync(program)) {
  // In this process: signals, exit code and the name it was called by are the program's own.
  await import(program)
} else {
  const root = fileURLToPath(new URL('..', import.meta.url))
  process.stderr.write(
    `slipway is not built yet: run "npm ci && npm start" in ${root} (or "npm run build", to build only)\n`,
  )
  process.exitCode = 1
}
