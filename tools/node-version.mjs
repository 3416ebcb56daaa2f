// Imported before everything else by what people start: an older Node fails later, and at something else.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [major, minor] = engines.node.replace('>=', '').split('.').map(Number)
const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  process.stderr.write(`Slipway needs Node ${engines.node}; this is ${process.version} at ${process.execPath}\n`)
  process.exit(1)
}
