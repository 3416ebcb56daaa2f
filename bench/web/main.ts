// npm run bench:web [-- --long] [figure …]: what the UI costs in a browser, each figure beside its floor, as a table.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { findBrowser, launch } from '../../test/browser/browser.ts'
import { makeRemote } from '../../test/helpers/repository.ts'
import { makeInstallation } from '../../test/system/installation.ts'
import type { Figure } from '../figure.ts'
import { report } from '../report.ts'
import { measureBoard } from './board.ts'
import { measureBuild } from './build.ts'
import { measureDiff } from './diff.ts'
import { measureFirstLoad } from './first-load.ts'
import { measureLayoutShift } from './layout-shift.ts'
import { measureLog } from './log.ts'
import { type WebRig, BENCH_PROJECT } from './rig.ts'
import { measureStory } from './story.ts'

const GROUPS: Readonly<Record<string, (rig: WebRig) => Promise<Figure[]>>> = {
  'first-load': measureFirstLoad,
  diff: measureDiff,
  log: measureLog,
  story: measureStory,
  'layout-shift': measureLayoutShift,
  // The last one with the server: what it makes stays.
  board: measureBoard,
  build: measureBuild,
}

const { values, positionals: wanted } = parseArgs({ options: { long: { type: 'boolean' } }, allowPositionals: true })
const unknown = wanted.find((name) => GROUPS[name] === undefined)
if (unknown !== undefined) throw new Error(`no figure ${unknown}: there are ${Object.keys(GROUPS).join(', ')}`)
const executable = findBrowser()
if (executable === undefined) throw new Error('no Chromium is installed: apt-get install chromium')

const installation = makeInstallation()
const browser = await launch(executable)
const figures: Figure[] = []
try {
  const server = await installation.start()
  const remote = makeRemote(installation.folder, { 'a.ts': 'one\n' })
  await server.call('POST', '/api/projects', { id: BENCH_PROJECT, name: BENCH_PROJECT, remote_url: remote.path })
  const rig = { browser, installation, server, eventSeconds: values.long === true ? 60 : 20 }
  for (const [name, measure] of Object.entries(GROUPS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const startedAt = performance.now()
    figures.push(...(await measure(rig)))
    process.stderr.write(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
  }
} finally {
  await browser.close()
  await installation.dispose()
}
report(figures)
