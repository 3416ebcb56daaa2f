/** The moving picture of README: in the demo, a question is answered, and a diff is accepted and merged. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { openTab } from './browser.ts'

const MAX_BYTES = 1_500_000
const DEADLINE_MS = 120_000

/** How long a picture stays at most on which nothing happens; a wait in the film is shorter than in life. */
const STILL_MS = 800

interface Frame {
  readonly picture: Buffer
  shownMs: number
}

/** Takes pictures; one that does not differ from the last makes that stay longer. */
function openFilm(page: Page) {
  const frames: Frame[] = []
  const take = async (shownMs: number): Promise<void> => {
    const picture = await page.screenshot()
    const last = frames.at(-1)
    if (last?.picture.equals(picture) === true)
      last.shownMs = Math.min(last.shownMs + shownMs, Math.max(shownMs, STILL_MS))
    else frames.push({ picture, shownMs })
  }
  return {
    frames,
    take,
    /** Takes pictures until something stands on the page, and one of that. */
    async until(text: string | RegExp, shownMs: number): Promise<void> {
      const seen = async (): Promise<boolean> => {
        await take(250)
        return page.getByText(text).filter({ visible: true }).first().isVisible()
      }
      await until(`${String(text)} stands on the page`, seen, DEADLINE_MS)
      await take(shownMs)
    },
  }
}

async function film(page: Page, url: string): Promise<readonly Frame[]> {
  const { frames, take, until: takeUntil } = openFilm(page)
  const visit = async (path: string): Promise<void> => {
    await page.goto(new URL(path, url).href)
    await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })
  }
  await visit('/')
  await page.getByText('What shall the shop say').waitFor()
  await take(2_500)
  await visit('/tasks/demo-question')
  const answer = page.getByRole('button', { name: /^This voucher has expired\. Ask us/ })
  await answer.hover()
  await take(1_500)
  await answer.click()
  await takeUntil('Watch it work', 1_000)
  await page.getByRole('link', { name: 'Watch it work' }).click()
  await takeUntil(/no customer sees/, 1_500)
  await visit('/tasks/demo-question')
  await takeUntil(/Ready for review/, 500)
  await page.getByRole('tab', { name: /^Diff/ }).click()
  await page.getByText('voucher-expired.txt').filter({ visible: true }).first().click()
  await take(3_000)
  await visit('/tasks/demo-review')
  await page.getByText('basket.js').filter({ visible: true }).first().waitFor()
  await take(2_500)
  const accept = page.getByRole('button', { name: 'Accept', exact: true })
  await accept.hover()
  await take(1_000)
  await accept.click()
  await takeUntil(/^Accepted/, 1_000)
  await takeUntil(/^Merged/, 3_000)
  return frames
}

/** Writes the picture to `path`. @throws Error when it is larger than people wait for */
export async function takeMovingPicture(browser: Browser, path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-film-'))
  const program = await startSlipway(['demo', '--listen', '127.0.0.1:0', '--data-dir', join(folder, 'data')])
  try {
    await until('the demo waits for a person', async () => program.output().includes('Serving on.'), DEADLINE_MS)
    const form = {
      colorScheme: 'light' as const,
      viewport: { width: 1280, height: 760 },
      reducedMotion: 'reduce' as const,
    }
    const tab = await openTab(browser, program.url, form)
    const frames = await film(tab.page, program.url)
    await tab.close()
    const args = frames.flatMap(({ picture, shownMs }, at) => {
      const file = join(folder, `${at}.png`)
      writeFileSync(file, picture)
      return ['-d', String(shownMs), file]
    })
    execFileSync('img2webp', ['-loop', '0', '-min_size', '-lossy', '-q', '70', '-m', '4', ...args, '-o', path])
    const { size } = statSync(path)
    if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MAX_BYTES}`)
    process.stdout.write(`${path}: ${frames.length} frames, ${size} bytes\n`)
  } finally {
    await program.kill()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
