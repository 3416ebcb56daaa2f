// `npm run generate` writes what is generated; with --check it writes nothing and fails, naming what is stale.
import { join } from 'node:path'
import { findStale, renderAll, writeStale } from './generated-files.ts'

const root = join(import.meta.dirname, '..', '..')
const files = await renderAll(root)

if (process.argv.includes('--check')) {
  const stale = findStale(root, files)
  for (const path of stale) process.stderr.write(`${path} is stale; run: npm run generate\n`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const path of writeStale(root, files)) process.stdout.write(`wrote ${path}\n`)
}
