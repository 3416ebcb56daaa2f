// Prints every figure beside its floor. The groups are the files of figures/, in the order of their names.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageFolder, readBuild } from '../cli/installation.ts'
import { type Figure, renderFigures } from './figure.ts'
import type { Effort, Measure } from './measure.ts'
import { report } from './report.ts'

const FULL: Effort = { size: 'full', repeats: 7, seconds: 5 }
const QUICK: Effort = { size: 'quick', repeats: 3, seconds: 1 }
const GROUPS = new URL('figures/', import.meta.url)

const { values: switches, positionals: wanted } = parseArgs({
  options: { quick: { type: 'boolean' }, write: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
})
if (switches.help === true) {
  process.stdout.write(formatHelp())
  process.exit()
}
const effort = switches.quick === true ? QUICK : FULL
const figures: Figure[] = []
for (const group of chooseGroups()) {
  const measure = await loadGroup(group)
  const startedAt = performance.now()
  figures.push(...(await measure(effort)))
  process.stderr.write(`${group}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
}

report(figures)

if (switches.write === true) {
  const page = join(packageFolder(), 'docs', 'performance.md')
  // What was measured by hand stands below the table.
  const [, ...byHand] = readFileSync(page, 'utf8').split(/^(?=## )/m)
  const [cpu] = cpus()
  const machine = `${cpus().length} cores (${cpu?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const text = `# Performance

\`npm run bench -- --write\` writes the table of this page. Each figure has a floor, measured in the same run: the least work that gives the same result.

- Machine: ${machine}
- Load average during the run: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}
- Commit: ${readBuild().commit}
- Medians of ${effort.repeats} measurements, alternating between Slipway and its floor; rates under ${effort.seconds} s of load from another process

${renderFigures(figures)}
`
  writeFileSync(page, [text, ...byHand].join('\n'))
}

function formatHelp(): string {
  return `Measures Slipway, and in the same run the least work that gives the same result. Fails where a figure misses its aim.

Usage: npm run bench [-- [--quick | --write] [group …]]

  --quick  enough of each figure to see that it runs; a minute for all
  --write  keeps the figures in docs/performance.md, whose table then has these and no others
  --help   prints this

Groups, all unless some are named: ${listGroups().join(', ')}
`
}

function listGroups(): string[] {
  const files = readdirSync(GROUPS).filter((file) => file.endsWith('.js'))
  return files.map((file) => file.slice(0, -'.js'.length)).toSorted()
}

/** @throws Error for a name that is no group */
function chooseGroups(): string[] {
  const groups = listGroups()
  const unknown = wanted.find((name) => !groups.includes(name))
  if (unknown !== undefined) throw new Error(`no group of figures ${unknown}: there are ${groups.join(', ')}`)
  return wanted.length === 0 ? groups : groups.filter((name) => wanted.includes(name))
}

async function loadGroup(name: string): Promise<Measure> {
  const group: unknown = await import(new URL(`${name}.js`, GROUPS).href)
  if (!isGroup(group)) throw new Error(`bench/figures/${name}.ts exports no function measure`)
  return group.measure
}

function isGroup(group: unknown): group is { readonly measure: Measure } {
  return typeof group === 'object' && group !== null && 'measure' in group && typeof group.measure === 'function'
}
