/**
 * Pictures of the seeded installation: npm run screenshots [folder] takes every view in both themes and on a phone, to
 * be looked at; npm run screenshots -- --docs takes those of README and docs, into docs/pictures.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { makeInstallation } from '../system/installation.ts'
import { findBrowser, launch, openTab } from './browser.ts'
import { seedPast } from './seed-past.ts'
import { seed } from './seed.ts'

const VIEWS = [
  { name: 'inbox', path: '/', ready: 'h1' },
  { name: 'board', path: '/stories', ready: '[data-story]' },
  { name: 'stories-list', path: '/stories?view=list', ready: '[data-row]' },
  { name: 'tasks', path: '/tasks', ready: '[data-row]' },
  { name: 'task', path: '/tasks/escape-names', ready: '[role=tab]' },
  { name: 'story', path: '/stories/voucher', ready: 'svg [data-node]' },
  { name: 'new-story', path: '/stories/new', ready: 'textarea' },
  { name: 'epics', path: '/epics', ready: 'h2' },
  { name: 'projects', path: '/projects', ready: '[data-row]' },
  { name: 'agents', path: '/agents', ready: '[data-row]' },
  { name: 'new-task', path: '/tasks/new', ready: 'form' },
  { name: 'stats', path: '/stats', ready: 'canvas' },
  { name: 'scripts', path: '/scripts', ready: 'nav[aria-label="Scripts"]' },
  { name: 'drops', path: '/drops', ready: 'h2' },
  { name: 'execution', path: '/executions/voucher-refund-1?tab=conversation', ready: '[data-index]' },
  { name: 'log', path: '/executions/index-queue-1', ready: '[data-line]' },
  { name: 'settings', path: '/settings', ready: 'fieldset' },
]

const FORMS = [
  { name: 'light', options: { colorScheme: 'light' as const } },
  { name: 'dark', options: { colorScheme: 'dark' as const } },
  { name: 'phone', options: { colorScheme: 'light' as const, viewport: { width: 390, height: 844 }, hasTouch: true } },
]

/** What README and docs show. */
const DOCS_VIEWS: readonly string[] = ['board', 'task', 'execution', 'story', 'inbox']
const DOCS_OPTIONS = { colorScheme: 'light' as const, viewport: { width: 1280, height: 800 } }

function demandPngquant(): void {
  try {
    execFileSync('pngquant', ['--version'])
  } catch (cause) {
    throw new Error('pngquant makes the pictures small and is not installed: apt-get install pngquant', { cause })
  }
}

type View = (typeof VIEWS)[number]

async function take(browser: Browser, address: string, view: View, options: BrowserContextOptions, path: string) {
  const tab = await openTab(browser, address, { reducedMotion: 'reduce', ...options })
  await tab.page.waitForSelector(view.ready)
  await tab.page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })
  // Texts are plain until the code for markdown is there; the logo comes after the page.
  await tab.page.waitForSelector('[data-coming]', { state: 'detached' })
  await tab.page.locator('img[src="/favicon.svg"]').evaluate((image: { decode(): Promise<void> }) => image.decode())
  await tab.page.screenshot({ path })
  for (const problem of tab.problems()) process.stderr.write(`${path}: ${problem}\n`)
  await tab.close()
}

async function takeAll(browser: Browser, url: string, folder: string): Promise<void> {
  for (const form of FORMS)
    for (const view of VIEWS)
      await take(
        browser,
        new URL(view.path, url).href,
        view,
        form.options,
        join(folder, `${view.name}-${form.name}.png`),
      )
}

/** With as many colours as the eye needs: a third of the bytes. */
async function takeForDocs(browser: Browser, url: string, folder: string): Promise<void> {
  for (const view of VIEWS.filter(({ name }) => DOCS_VIEWS.includes(name))) {
    const path = join(folder, `${view.name}.png`)
    await take(browser, new URL(view.path, url).href, view, DOCS_OPTIONS, path)
    execFileSync('pngquant', ['--force', '--strip', '--ext', '.png', path])
  }
}

const executable = findBrowser()
if (executable === undefined) throw new Error('no Chromium is installed: apt-get install chromium')
const isForDocs = process.argv.includes('--docs')
if (isForDocs) demandPngquant()
const folder = resolve(isForDocs ? 'docs/pictures' : (process.argv[2] ?? 'screenshots'))
mkdirSync(folder, { recursive: true })
const installation = makeInstallation()
const browser = await launch(executable)
try {
  await seedPast(installation)
  const server = await installation.start()
  await seed({ installation, server })
  await (isForDocs ? takeForDocs : takeAll)(browser, server.program.url, folder)
  process.stdout.write(`pictures are in ${folder}\n`)
} finally {
  await browser.close()
  await installation.dispose()
}
