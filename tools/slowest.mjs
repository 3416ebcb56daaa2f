// Prints which tests of the last run took longest, and which cost the processor most. The reporter writes the figures.
//
//   npm run slowest [-- COUNT]
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist', 'test-runs')
const count = Number(process.argv[2] ?? 20)

const newest = readdirSync(folder)
  .filter((name) => name.startsWith('times-'))
  .map((name) => join(folder, name))
  .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0]
if (newest === undefined) throw new Error('no tests have run yet')
const tests = readFileSync(newest, 'utf8').trim().split('\n').map(JSON.parse)

function print(field) {
  const all = tests.reduce((sum, test) => sum + test[field], 0)
  process.stdout.write(`\n${field}: ${all.toFixed(0)} s in ${tests.length} tests\n`)
  for (const test of [...tests].sort((a, b) => b[field] - a[field]).slice(0, count))
    process.stdout.write(`${test[field].toFixed(1).padStart(7)} s  ${test.file}: ${test.title}\n`)
}

print('seconds')
print('processor')
