/**
 * Pictures of every view in both themes and on a phone, of the seeded installation: npm run screenshots [folder].
 * Made to be looked at beside the pictures of the design.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import type { Browser } from 'playwright-core'
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

async function takeAll(browser: Browser, url: string, folder: string): Promise<void> {
  for (const form of FORMS)
    for (const view of VIEWS) {
      const tab = await openTab(browser, new URL(view.path, url).href, form.options)
      await tab.page.waitForSelector(view.ready)
      await tab.page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })
      await tab.page.screenshot({ path: join(folder, `${view.name}-${form.name}.png`) })
      for (const problem of tab.problems()) process.stderr.write(`${view.name} ${form.name}: ${problem}\n`)
      await tab.close()
    }
}

const executable = findBrowser()
if (executable === undefined) throw new Error('no Chromium is installed: apt-get install chromium')
const folder = resolve(process.argv[2] ?? 'screenshots')
mkdirSync(folder, { recursive: true })
const installation = makeInstallation()
const browser = await launch(executable)
try {
  await seedPast(installation)
  const server = await installation.start()
  await seed({ installation, server })
  await takeAll(browser, server.program.url, folder)
  process.stdout.write(`pictures are in ${folder}\n`)
} finally {
  await browser.close()
  await installation.dispose()
}
