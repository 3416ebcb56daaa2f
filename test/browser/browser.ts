/** A real browser for tests of the UI: the installed Chromium, driven by playwright-core. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { leaveOut } from '../helpers/leave-out.ts'
import { until } from '../helpers/until.ts'

/** Takes a third less of the processor for the same pages; but it has no notifications, and nobody browses with it. */
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell'
const WITH_WINDOWS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const DEADLINE_MS = 120_000

/** What no page is to blame for, and meets by trying once more. */
const NO_PROBLEMS = [
  // Chromium drops all requests when an interface of the machine comes or goes, as containers of others make them.
  /net::ERR_NETWORK_CHANGED/,
  // The operator has written the record between what the page read and what it wrote.
  /status of 412/,
  // The page went on to another one, or the machine is slow.
  /was preloaded using link preload but not used within a few seconds/,
]

/** Of each page: how many accepts and answers it has sent, and how many of them a test has waited for. */
const sentFrom = new WeakMap<Page, { sent: number; awaited: number }>()

/** Path of a Chromium as people have it; SLIPWAY_BROWSER names one that is elsewhere. Undefined: there is none. */
export function findBrowser(candidates: readonly string[] = WITH_WINDOWS): string | undefined {
  const named = process.env['SLIPWAY_BROWSER']
  return [...(named === undefined ? [] : [named]), ...candidates].find((path) => existsSync(path))
}

/** Path of the Chromium that costs least; leaves out what `context` belongs to where there is none. */
export function demandBrowser(context: Mocha.Context, { notifies = false } = {}): string {
  return (
    findBrowser(notifies ? WITH_WINDOWS : [WITHOUT_WINDOWS, ...WITH_WINDOWS]) ??
    leaveOut(
      context,
      `no Chromium${notifies ? ' with notifications' : ''} is installed: apt-get install chromium, or set SLIPWAY_BROWSER to its path`,
    )
  )
}

export function launch(executablePath: string): Promise<Browser> {
  // Tests run as root in containers, where Chromium's own sandbox does not start.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}

export interface Tab {
  readonly page: Page
  /** What the page has complained of, or asked of another host, so far. */
  problems(): readonly string[]
  close(): Promise<void>
}

/** @param expected problems that the test causes, such as a server that is away */
export async function openTab(
  browser: Browser,
  url: string,
  { expected = [], ...options }: BrowserContextOptions & { readonly expected?: readonly RegExp[] } = {},
): Promise<Tab> {
  // What moves costs the processor for each frame; the suites of statistics and of the keyboard have it move.
  const still = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' as const }
  const context = await browser.newContext({ ...still, ...options })
  // Who waits in vain loses nothing but this, and a slow machine needs it.
  context.setDefaultTimeout(DEADLINE_MS)
  const page = await context.newPage()
  const problems: string[] = []
  /** That of the first request. */
  let own: string | undefined
  const note = (text: string): void => {
    if (![...NO_PROBLEMS, ...expected].some((pattern) => pattern.test(text))) problems.push(text)
  }
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => note(`error: ${error.message}`))
  const count = { sent: 0, awaited: 0 }
  sentFrom.set(page, count)
  page.on('request', (request) => {
    const { protocol, origin, pathname } = new URL(request.url())
    own ??= protocol.startsWith('http') ? origin : undefined
    if (protocol.startsWith('http') && origin !== own) note(`foreign host: ${request.url()}`)
    if (request.method() === 'POST' && /\/(accept|answer)$/.test(pathname)) count.sent += 1
  })
  await page.goto(url)
  const close = async (): Promise<void> => {
    // A request that a test has in hand would fail with the page, and fail the test with it.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
  return { page, problems: () => problems, close }
}

/** Fails with what the page complained of. Violations of the content security policy are errors of the console. */
export function assertNoProblems(tab: Tab): void {
  assert.deepEqual(tab.problems(), [])
}

/**
 * Sends what was just accepted or answered, which a person could take back for five seconds; on a slow machine these may
 * be over before the button is pressed.
 */
export async function sendNow(page: Page): Promise<void> {
  const count = sentFrom.get(page)
  assert.ok(count !== undefined)
  count.awaited += 1
  const buttons = page.getByRole('button', { name: 'Send now' })
  await until('the decision is sent', async () => {
    if (count.sent >= count.awaited) return true
    await buttons.evaluateAll((all: { click(): void }[]) => all[0]?.click())
    return false
  })
}

/**
 * Keeps a decision about a task from being sent, for as long as a test does something that a person does within the five
 * seconds: the comparison before it has no answer. Gives what lets it go on.
 */
export async function holdDecision(page: Page, task: string): Promise<() => void> {
  let release = (): void => undefined
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  await page.route(`**/api/tasks/${task}`, async (route) => {
    await isReleased
    await route.continue()
  })
  return release
}

/** Waits until what is read of a page is as expected: much of it comes after the page, or after what was done there. */
export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  let last: T | undefined
  await until(
    () => `${JSON.stringify(expected)} is shown, not ${JSON.stringify(last)}`,
    async () => isDeepStrictEqual((last = await read()), expected),
  )
}
