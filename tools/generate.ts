// `npm run generate` writes what is generated; with --check it writes nothing and fails, naming what is stale.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findStale, renderAll, writeStale } from './generated-files.ts'

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    /** Another checkout than the one that this program was built from; tests use it. */
    root: { type: 'string', default: join(import.meta.dirname, '..', '..') },
  },
})
const files = await renderAll(values.root)

if (values.check) {
  const stale = findStale(values.root, files)
  for (const path of stale) process.stderr.write(`${path} is stale; run: npm run generate\n`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const path of writeStale(values.root, files)) process.stdout.write(`wrote ${path}\n`)
}
