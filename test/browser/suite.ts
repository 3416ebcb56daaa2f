/** What each suite of tests in a browser begins with: a real server, a real browser, pages of the one in the other. */
import type { Browser, Page } from 'playwright-core'
import { type Installation, type Server, makeInstallation } from '../system/installation.ts'
import { type Tab, demandBrowser, launch, openTab } from './browser.ts'

export interface SuiteOptions {
  /** Variables of the program. */
  readonly env?: Readonly<Record<string, string>>
  /** Arguments of the program. */
  readonly args?: readonly string[]
  /** Makes what the tests find there. Not run where the tests are left out. */
  readonly prepare?: (given: Pick<Suite, 'server' | 'installation'>) => Promise<void>
}

export interface Suite {
  readonly installation: Installation
  /** The server as it is now; it exists only while tests run. */
  readonly server: Server
  /** Opens a path of the server in a browser of its own. */
  open(path: string, options?: Parameters<typeof openTab>[2]): Promise<Tab>
}

/** Starts server and browser before the tests of the suite in which it is called, and ends them after those. */
export function inBrowser({ env = {}, args = [], prepare }: SuiteOptions = {}): Suite {
  const installation = makeInstallation(env)
  let browser: Browser | undefined
  let current: Server | undefined
  const started = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error('a test used server or browser before they were started')
    return thing
  }
  const server: Server = {
    get program() {
      return started(current).program
    },
    get kube() {
      return started(current).kube
    },
    call: (...given) => started(current).call(...given),
    create: (...given) => started(current).create(...given),
    run: (id) => started(current).run(id),
    task: (id) => started(current).task(id),
    reaches: (...given) => started(current).reaches(...given),
    executions: (id) => started(current).executions(id),
  }
  before(async function () {
    browser = await launch(demandBrowser(this))
    current = await installation.start(...args)
    await prepare?.({ server, installation })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })
  return {
    installation,
    server,
    open: (path, options) => openTab(started(browser), new URL(path, server.program.url).href, options),
  }
}

/** Types the token into the page that asks for one. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Token').waitFor({ state: 'detached' })
}
