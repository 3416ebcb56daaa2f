import { writeFileSync } from 'node:fs'
import { type Figure, median } from '../figure.ts'
import { type WebRig, BENCH_PROJECT, heapMB, timeUntil, withPage } from './rig.ts'

const LINES = 1_000_000
const REPEATS = 3
const LAST = `[data-line="${LINES}"]`

/** The log of a million lines: opened at its end, searched, and what the page holds of it in memory. */
export async function measureLog({ browser, installation, server }: WebRig): Promise<Figure[]> {
  await server.create('long-log', 'echo begun', { project: BENCH_PROJECT })
  await server.run('long-log')
  await server.reaches('long-log', 'READY')
  const base = `${server.program.url}/executions/long-log-1`
  const open = (ready: string) =>
    withPage(browser, async (page) => {
      const ms = await timeUntil(page, () => page.goto(`${base}?tab=log`), ready)
      if (ready !== LAST) return { ms, searchMs: 0, memoryMB: 0 }
      const field = page.getByRole('searchbox', { name: 'Search the log' })
      const search = async (): Promise<void> => {
        await field.fill('needle')
        await page.keyboard.press('Enter')
      }
      const searchMs = await timeUntil(page, search, 'text="1 line"')
      return { ms, searchMs, memoryMB: await heapMB(page) }
    })
  const small = []
  for (let i = 0; i < REPEATS; i++) small.push((await open('[data-line="1"]')).ms)
  const line = (n: number): string => (n === LINES / 2 ? 'a needle' : `\u001b[3${n % 8}mline ${n}\u001b[0m of the log`)
  const text = Array.from({ length: LINES }, (_, n) => line(n + 1)).join('\n')
  writeFileSync(installation.executionFile('long-log-1', 'agent/stdout.log'), `${text}\n`)
  const large = []
  for (let i = 0; i < REPEATS; i++) large.push(await open(LAST))
  return [
    {
      name: 'log of 1,000,000 lines opens at its end, cold cache',
      unit: 'ms',
      ours: median(large.map(({ ms }) => ms)),
      floor: { what: 'the same page, log of one line', value: median(small) },
      // What opens is the page: its length is to cost nothing.
      aim: { atMost: 1.2, of: 'ratio' },
    },
    {
      name: 'search in 1,000,000 lines, until the number of matches is shown',
      unit: 'ms',
      ours: median(large.map(({ searchMs }) => searchMs)),
      aim: { atMost: 1000 },
    },
    {
      name: 'memory of the page with the log',
      unit: 'MB',
      ours: median(large.map(({ memoryMB }) => memoryMB)),
      aim: { atMost: 250 },
    },
  ]
}
