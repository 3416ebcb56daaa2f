/** A real browser for tests of the UI: the installed Chromium, driven by playwright-core. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'

const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Path of a Chromium; SLIPWAY_BROWSER names one that is elsewhere. Undefined: there is none. */
export function findBrowser(): string | undefined {
  const named = process.env['SLIPWAY_BROWSER']
  return [...(named === undefined ? [] : [named]), ...CANDIDATES].find((path) => existsSync(path))
}

/** What a run that is about the browser demands; `npm test` says what it leaves out instead. */
const IS_REQUIRED = process.env['SLIPWAY_BROWSER_REQUIRED'] === '1'

/**
 * Leaves the tests of a suite out where there is no browser, and says so; fails there where one is required.
 *
 * @param suite of mocha, in `before`
 */
export function demandBrowser(suite: Mocha.Context): string {
  const path = findBrowser()
  if (path !== undefined) return path
  const text = 'no Chromium is installed (apt-get install chromium, or set SLIPWAY_BROWSER)'
  if (IS_REQUIRED) throw new Error(text)
  process.stderr.write(`left out: ${suite.test?.parent?.title ?? 'tests in a browser'}: ${text}\n`)
  return suite.skip()
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
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  /** That of the first request. */
  let own: string | undefined
  const note = (text: string): void => {
    if (!expected.some((pattern) => pattern.test(text))) problems.push(text)
  }
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => note(`error: ${error.message}`))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    own ??= protocol.startsWith('http') ? origin : undefined
    if (protocol.startsWith('http') && origin !== own) note(`foreign host: ${request.url()}`)
  })
  await page.goto(url)
  return { page, problems: () => problems, close: () => context.close() }
}

/** Fails with what the page complained of. Violations of the content security policy are errors of the console. */
export function assertNoProblems(tab: Tab): void {
  assert.deepEqual(tab.problems(), [])
}
