import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { type Tab, assertNoProblems, becomes } from './browser.ts'
import { inBrowser, signIn } from './suite.ts'

const TOKENS = JSON.stringify([{ name: 'reader', token: 'reader-token', scopes: ['read'] }])

/** Each button that writes, by what it says. What only shows something else may stay: tabs, filters, copies. */
const CHANGES =
  /^(Add|Create|Save|Delete|Remove|Run|Stop|Accept|Ask|Reject|Cancel|Resume|Answer|Send|Undrain|End the limit|Upload|Notify|New)/

/** A person with the scope `read` sees the whole of each view, and nothing there that changes anything. */
describe('the browser of somebody who may only read', function () {
  const { installation, server, open } = inBrowser({
    env: { SLIPWAY_TOKEN: 'the-real-token', SLIPWAY_TOKENS: TOKENS },
    prepare: async ({ server, installation }) => {
      const { path } = makeRemote(installation.folder, { 'a.txt': 'a\n' })
      await server.call('POST', '/api/projects', {
        id: 'shop',
        name: 'Shop',
        remote_url: path,
        test_command: 'make test',
      })
      await server.call('POST', '/api/agents', { id: 'builder', adapter: 'script', max_concurrent: 2 })
      const script =
        'echo "a line of the log"; echo b > b.txt; while [ ! -e "$SERVICE_DROP_DIR/end" ]; do sleep 0.05; done'
      await server.create('works', script, { project: 'shop' })
      await server.run('works')
      await server.reaches('works', 'RUNNING')
    },
  })
  let tab: Tab
  beforeEach(async () => {
    tab = await open('/', { expected: [/401|WebSocket connection/] })
    await signIn(tab.page, 'reader-token')
  })
  afterEach(() => tab.close())

  /** Goes there, waits for its texts, and looks for what may not be there. */
  const shows = async (path: string, ...texts: readonly (string | RegExp)[]): Promise<Page> => {
    const { page } = tab
    await page.goto(`${server.program.url}${path}`)
    for (const text of texts) await page.getByText(text).first().waitFor()
    const main = page.getByRole('main')
    const buttons = await main.getByRole('button', { name: CHANGES }).allTextContents()
    assert.deepEqual(buttons, [], path)
    // Those of a disabled group are disabled too, though their own property is not.
    const fields = main.locator(':is(input:not([type=checkbox], [type=search], [type=radio]), textarea):enabled')
    await becomes(() => fields.count(), 0)
    assertNoProblems(tab)
    return page
  }

  it('has projects whole', async () => {
    await shows('/projects', 'Shop', /1 tasks?/)
    const page = await shows('/projects/shop', 'Shop')
    await becomes(() => page.getByLabel('Test command').inputValue(), 'make test')
  })

  it('has agents whole', async () => {
    await shows('/agents', 'builder', '2 tasks at a time')
    await shows('/agents/builder', 'builder')
  })

  it('has an execution whole', async () => {
    await shows('/executions/works-1', 'Running', 'a line of the log')
    await shows('/executions/works-1?tab=details', 'kind: Execution')
    writeFileSync(join(installation.dataDir, 'volume', 'drops', 'end'), '')
    await server.reaches('works', 'READY')
    await shows('/executions/works-1?tab=changes', 'b.txt')
  })

  it('has scripts whole', async () => {
    await shows('/scripts', 'start-next-task')
    await shows('/scripts?script=start-next-task', /To run scripts a token needs the scope admin/)
  })

  it('has settings whole', async () => {
    await shows('/settings', 'You are signed in as reader', 'You may not make, run, answer, accept and send back')
  })

  it('is told what a form needs, in place of a form', async () => {
    for (const path of ['/projects/new', '/agents/new', '/tasks/new']) await shows(path, /scope (admin|decide)/)
  })
})
