// npm run bench [-- --quick | --write]: prints every figure beside its floor; --write keeps them in docs/performance.md.
import { writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { packageFolder, readBuild } from '../cli/installation.ts'
import type { Effort } from './figures.ts'
import { measureFirstInstruction, measureReads, measureStart } from './figures.ts'
import type { Figure } from './figure.ts'
import { renderFigures } from './figure.ts'
import { measureStore } from './store.ts'

const FULL: Effort = { repeats: 7, tasks: 10_000, seconds: 5, objects: 100_000 }
const QUICK: Effort = { repeats: 3, tasks: 500, seconds: 1, objects: 10_000 }

const effort = process.argv.includes('--quick') ? QUICK : FULL
const figures: Figure[] = []
for (const measure of [measureStart, measureFirstInstruction, measureReads, measureStore])
  figures.push(...(await measure(effort)))

const table = renderFigures(figures)
process.stdout.write(`${table}\n`)

if (process.argv.includes('--write')) {
  const [cpu] = cpus()
  const machine = `${cpus().length} cores (${cpu?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const text = `# Performance

Written by \`npm run bench -- --write\`; nothing here is typed by hand. Each figure stands beside a floor measured in the same run:
the least that anybody could do for the same result.

- Machine: ${machine}
- Other work on the machine meanwhile (load average): ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}
- Commit: ${readBuild().commit}
- Medians of ${effort.repeats} measurements of Slipway and of its floor in turns; rates under ${effort.seconds} s of load each, from another process

${table}
`
  writeFileSync(join(packageFolder(), 'docs', 'performance.md'), text)
}
