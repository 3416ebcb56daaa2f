import { writeFileSync } from 'node:fs'
import { type Figure, median } from '../figure.ts'
import { type WebRig, BENCH_PROJECT, takeLongest, timeUntil, withPage } from './rig.ts'

const [FILES, HUNKS] = [300, 8]
const REPEATS = 3

/** A diff of 300 files and 50,000 lines: opened from a cold cache, beside the same page with a diff of one line. */
export async function measureDiff({ browser, installation, server }: WebRig): Promise<Figure[]> {
  await server.create('large-diff', 'echo two >> a.ts', { project: BENCH_PROJECT })
  await server.run('large-diff')
  await server.reaches('large-diff', 'READY')
  const url = `${server.program.url}/tasks/large-diff?tab=diff`
  const open = () =>
    withPage(browser, async (page) => {
      const ms = await timeUntil(page, () => page.goto(url), '[data-diff-list] [data-index]')
      await takeLongest(page)
      await page.evaluate(SCROLL)
      return { ms, scrollMs: await takeLongest(page) }
    })
  const small = []
  for (let i = 0; i < REPEATS; i++) small.push((await open()).ms)
  writeFileSync(installation.executionFile('large-diff-1', 'changes.diff'), largeDiff())
  const large = []
  for (let i = 0; i < REPEATS; i++) large.push(await open())
  return [
    {
      name: 'diff of 300 files and 50,000 lines opens, cold cache',
      unit: 'ms',
      ours: median(large.map(({ ms }) => ms)),
      floor: { what: 'the same page, diff of one line', value: median(small) },
      // Reading two megabytes and drawing what is seen; all else is the page.
      aim: { atMost: 1.3, of: 'ratio' },
    },
    {
      name: 'longest task while it is scrolled (0: none of 50 ms)',
      unit: 'ms',
      ours: median(large.map(({ scrollMs }) => scrollMs)),
      aim: { atMost: 50 },
    },
  ]
}

const SCROLL = `(async () => {
  const list = document.querySelector('[data-diff-list]')
  for (let i = 0; i < 60; i++) {
    list.scrollTop += 900
    await new Promise(requestAnimationFrame)
  }
})()`

function largeDiff(): string {
  const files = Array.from({ length: FILES }, (_, n) => {
    const path = `src/part${n % 20}/file${n}.ts`
    const hunks = Array.from({ length: HUNKS }, (_, h) => hunk(1 + h * 60))
    return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunks.join('')}`
  })
  return files.join('')
}

function hunk(start: number): string {
  const lines = (sign: string, count: number, text: string): string =>
    Array.from({ length: count }, (_, n) => `${sign}  const value${n} = ${text}(first, second, ${start + n})\n`).join(
      '',
    )
  const body = [lines(' ', 6, 'same'), lines('-', 5, 'before'), lines('+', 7, 'after'), lines(' ', 3, 'same')]
  return `@@ -${start},14 +${start},16 @@ function f()\n${body.join('')}`
}
