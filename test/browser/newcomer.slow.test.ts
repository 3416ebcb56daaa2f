import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { makeRemote } from '../helpers/repository.ts'
import { assertNoProblems } from './browser.ts'
import { inBrowser, signIn } from './suite.ts'

const TOKEN = 'the-real-token'

describe('the likeliest mistakes of a newcomer in a browser', function () {
  // It has the program of an agent, and no login.
  const home = mkdtempSync(join(tmpdir(), 'slipway-newcomer-'))
  writeFileSync(join(home, 'claude'), '#!/bin/sh\necho 2.1.0\n', { mode: 0o755 })
  const {
    installation,
    server,
    open: openAt,
  } = inBrowser({
    env: {
      HOME: home,
      PATH: [home, process.env['PATH'] ?? ''].join(delimiter),
      SLIPWAY_TOKEN: TOKEN,
      ANTHROPIC_API_KEY: '',
    },
    args: ['--runtime', 'process'],
    prepare: async ({ server, installation }) => {
      const { path } = makeRemote(installation.folder, { 'a.txt': 'a\n' })
      await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: path })
    },
  })
  after(() => rmSync(home, { recursive: true }))

  const open = (path: string) => openAt(path, { expected: [/400|401|WebSocket connection/] })
  const openSignedIn = async (path: string) => {
    const tab = await open(path)
    await signIn(tab.page, TOKEN)
    return tab
  }

  it('a wrong token is refused, and the page says where the right one is', async () => {
    const tab = await open('/')
    await tab.page.getByLabel('Token').fill('a-guess')
    await tab.page.getByRole('button', { name: 'Sign in' }).click()
    await tab.page.getByRole('alert').getByText('This server does not know that token.').waitFor()
    await tab.page.getByText('It is in its configuration, or with whoever runs it.').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('a repository that cannot be reached is named, with what can be wrong', async () => {
    const tab = await openSignedIn('/projects/new')
    const { page } = tab
    await page.getByLabel('Address', { exact: true }).fill(join(installation.folder, 'nowhere'))
    await page.getByLabel('Name', { exact: true }).fill('Nowhere')
    await page.getByText('It cannot be read').waitFor()
    await page.getByText(/does not exist, or is not visible without credentials/).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('an agent without a login is named on the task that waits for it, with what mends it', async () => {
    const task = { id: 'stuck', name: 'Stuck', project: 'shop', agent: { type: 'claude' } }
    await server.call('POST', '/api/tasks', task)
    await server.call('POST', '/api/tasks/stuck/run')
    const tab = await openSignedIn('/tasks/stuck')
    const { page } = tab
    await page
      .getByText(/agent claude: .*set ANTHROPIC_API_KEY and start Slipway again, or run claude/)
      .first()
      .waitFor()
    await page.goto(`${server.program.url}/agents/claude`)
    await page.getByRole('region', { name: 'What mends claude' }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })
})
