/**
 * Pictures of the seeded installation: npm run screenshots [folder] takes every view in both themes and on a phone, to
 * be looked at; npm run screenshots -- --docs takes those of README and docs, into docs/pictures. With --only NAME, as
 * often as wanted, it takes those views alone.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { makeInstallation } from '../system/installation.ts'
import { findBrowser, launch, openTab } from './browser.ts'
import { takeMovingPicture } from './moving-picture.ts'
import { seedPast } from './seed-past.ts'
import { type Place, type View, VIEWS } from './screenshots-views.ts'
import { seed } from './seed.ts'

const FORMS = [
  { name: 'light', options: { colorScheme: 'light' as const } },
  { name: 'dark', options: { colorScheme: 'dark' as const } },
  { name: 'phone', options: { colorScheme: 'light' as const, viewport: { width: 390, height: 844 }, hasTouch: true } },
]

/** What README and docs show. */
const DOCS_VIEWS: readonly string[] = ['board', 'task', 'execution', 'story', 'inbox', 'checks-failed', 'ci']
const DOCS_OPTIONS = { colorScheme: 'light' as const, viewport: { width: 1280, height: 800 } }

/** What makes pictures small, and one of several: Debian's packages by their programs. */
const TOOLS = { pngquant: 'pngquant', img2webp: 'webp' } as const

function demandTools(): void {
  for (const [program, debian] of Object.entries(TOOLS)) {
    const { error: cause } = spawnSync(program, ['-version'])
    if (cause !== undefined) throw new Error(`${program} is not installed: apt-get install ${debian}`, { cause })
  }
}

/** The addresses of the installations by what they look like. */
type Addresses = Readonly<Record<Place, string>>

/** Who has left the guide of an empty installation sees the views. */
async function leaveGuide(page: Page, address: string): Promise<void> {
  await page.goto(new URL('/', address).href)
  await page.getByRole('button', { name: 'Leave the guide' }).click()
  await page.goto(address)
}

async function whole(page: Page, view: View): Promise<void> {
  await page.waitForSelector(view.ready)
  if (view.at === 'locked') return
  await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })
  // Texts are plain until the code for markdown is there; the logo comes after the page.
  await page.waitForSelector('[data-coming]', { state: 'detached' })
  await page.locator('img[src="/favicon.svg"]').evaluate((image: { decode(): Promise<void> }) => image.decode())
}

async function take(browser: Browser, addresses: Addresses, view: View, options: BrowserContextOptions, path: string) {
  const address = new URL(view.path, addresses[view.at]).href
  const expected = view.at === 'locked' ? [/401|WebSocket connection/] : []
  const tab = await openTab(browser, address, { expected, ...options })
  if (view.at === 'left') await leaveGuide(tab.page, address)
  await whole(tab.page, view)
  await tab.page.screenshot({ path })
  for (const problem of tab.problems()) process.stderr.write(`${path}: ${problem}\n`)
  await tab.close()
}

function isWanted({ name }: View): boolean {
  return only === undefined || only.includes(name)
}

async function takeAll(browser: Browser, addresses: Addresses, folder: string): Promise<void> {
  for (const form of FORMS)
    for (const view of VIEWS.filter(isWanted))
      await take(browser, addresses, view, form.options, join(folder, `${view.name}-${form.name}.png`))
}

/** With as many colours as the eye needs: a third of the bytes. */
async function takeForDocs(browser: Browser, addresses: Addresses, folder: string): Promise<void> {
  for (const view of VIEWS.filter((one) => DOCS_VIEWS.includes(one.name) && isWanted(one))) {
    const path = join(folder, `${view.name}.png`)
    await take(browser, addresses, view, DOCS_OPTIONS, path)
    execFileSync('pngquant', ['--force', '--strip', '--ext', '.png', path])
  }
  if (only === undefined) await takeMovingPicture(browser, join(folder, 'demo.webp'))
}

const executable = findBrowser()
if (executable === undefined) throw new Error('no Chromium is installed: apt-get install chromium')
const { values, positionals } = parseArgs({
  options: { docs: { type: 'boolean' }, only: { type: 'string', multiple: true } },
  allowPositionals: true,
})
const { docs: isForDocs = false, only } = values
const unknown = only?.find((name) => !VIEWS.some((view) => view.name === name))
if (unknown !== undefined) throw new Error(`no view ${unknown}: ${VIEWS.map(({ name }) => name).join(', ')}`)
if (isForDocs) demandTools()
const folder = resolve(isForDocs ? 'docs/pictures' : (positionals[0] ?? 'screenshots'))
mkdirSync(folder, { recursive: true })
const week = makeInstallation()
const empty = makeInstallation()
const locked = makeInstallation({ SLIPWAY_TOKEN: 'nobody-types-it' })
const browser = await launch(executable)
try {
  await seedPast(week)
  const server = await week.start()
  await seed({ installation: week, server })
  const { url } = (await empty.start()).program
  const addresses = { week: server.program.url, empty: url, left: url, locked: (await locked.start()).program.url }
  await (isForDocs ? takeForDocs : takeAll)(browser, addresses, folder)
  process.stdout.write(`pictures are in ${folder}\n`)
} finally {
  await browser.close()
  for (const installation of [week, empty, locked]) await installation.dispose()
}
