/** What the figures of the UI share: a page, and what the browser noted of it. */
import type { Browser, Page } from 'playwright-core'
import type { Installation, Server } from '../../test/system/installation.ts'

export interface WebRig {
  readonly browser: Browser
  readonly installation: Installation
  readonly server: Server
  /** How long events come, for the figures about them. */
  readonly eventSeconds: number
}

/** Has a repository with one file, `a.ts`. */
export const BENCH_PROJECT = 'bench'

/** Notes long tasks (50 ms and more), the largest paint and what jumps from the first moment of each page on. */
const OBSERVE = `
  window.noted = { tasks: [], paint: 0, shift: 0 }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) noted.tasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) noted.paint = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) noted.shift += value
  }).observe({ type: 'layout-shift', buffered: true })
`

/** Runs `use` with a page in a context of its own, so with cold caches. */
export async function withPage<T>(
  browser: Browser,
  use: (page: Page) => Promise<T>,
  viewport = { width: 1440, height: 900 },
): Promise<T> {
  const context = await browser.newContext({ viewport })
  try {
    const page = await context.newPage()
    await page.addInitScript(OBSERVE)
    return await use(page)
  } finally {
    await context.close()
  }
}

/** Milliseconds until what `ready` names is there, since `start` began. */
export async function timeUntil(page: Page, start: () => Promise<unknown>, ready: string): Promise<number> {
  const startedAt = performance.now()
  await start()
  await page.waitForSelector(ready)
  return performance.now() - startedAt
}

/** The longest task of the page since the last call, in milliseconds; 0 when none took 50 or more. */
export async function takeLongest(page: Page): Promise<number> {
  // Long tasks are told to observers in a task of their own.
  await page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(done), 100))')
  return Number(await page.evaluate('Math.max(0, ...noted.tasks.splice(0))'))
}

/** Memory of the page's JavaScript in MB, after its garbage is collected. */
export async function heapMB(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}
