import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type Rig, startRig } from '../api-server/rig.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { type Tab, assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

const TOKENS = [
  { name: 'reader', token: 'reader-token', scopes: ['read' as const] },
  { name: 'boss', token: 'boss-token', scopes: ['read' as const, 'decide' as const, 'admin' as const] },
]

const GREET = `#!/bin/sh
# slipway-description: Greets somebody
# slipway-parameters: WHO
echo "hello <b>$WHO</b>"
`

describe('scripts, drops, settings and statistics in a browser', function () {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-browser-scripts-'))
  let browser: Browser
  let rig: Rig
  before(async function () {
    browser = await launch(demandBrowser(this))
    for (const [name, text] of [
      ['greet', GREET],
      ['fails', '#!/bin/sh\necho broken pipe >&2; exit 7\n'],
    ] as const) {
      writeFileSync(join(folder, name), text)
      chmodSync(join(folder, name), 0o755)
    }
    rig = await startRig({ scriptsDir: folder, tokens: TOKENS })
  })
  after(async () => {
    await browser?.close()
    await rig?.stop()
    rmSync(folder, { recursive: true })
  })
  const openAs = async (token: string, path: string, options = {}): Promise<Tab> => {
    const tab = await openTab(browser, `${rig.url}${path}`, { expected: [/401|409|WebSocket/], ...options })
    await tab.page.getByLabel('Token').fill(token)
    await tab.page.getByRole('button', { name: 'Sign in' }).click()
    await tab.page.getByLabel('Token').waitFor({ state: 'detached' })
    return tab
  }

  it('runs a script with its parameters, and shows what it wrote as text', async () => {
    const tab = await openAs('boss-token', '/scripts')
    const { page } = tab
    await page.getByText('Choose a script').waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('link', { name: /greet/ }).click()
    await page.getByLabel('WHO').fill('you')
    await page.keyboard.press('Enter')
    await page.getByText(/Ended well \(exit code 0\)/).waitFor()
    await page.getByText('hello <b>you</b>').waitFor()
    await assertAccessibleInBothThemes(page)
    // A link shows the same script; what was typed may be a secret, and is kept nowhere.
    await page.reload()
    await becomes(() => page.getByLabel('WHO').inputValue(), '')
    assert.equal(await page.evaluate("JSON.stringify(localStorage).includes('you')"), false)
    assertNoProblems(tab)
    await tab.close()
  })

  it('says how a script failed, and in words why one could not be run', async () => {
    const tab = await openAs('boss-token', '/scripts?script=fails', { viewport: { width: 390, height: 844 } })
    const { page } = tab
    await page.getByRole('button', { name: 'Run fails' }).click()
    await page.getByText(/Failed with exit code 7/).waitFor()
    await page.getByText('broken pipe').waitFor()
    await becomes(() => page.evaluate('document.scrollingElement.scrollWidth <= innerWidth'), true)
    await page.goto(`${rig.url}/scripts?script=deploy`)
    await page.getByRole('button', { name: 'Run deploy' }).click()
    await page.getByText('no deployCommand is configured').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows everything and no button to somebody who may only read', async () => {
    const tab = await openAs('reader-token', '/scripts?script=greet')
    const { page } = tab
    await page.getByText('It takes WHO. To run scripts a token needs the scope admin.').waitFor()
    assert.equal(await page.getByRole('button', { name: /Run/ }).count(), 0)
    await page.goto(`${rig.url}/drops`)
    await page.getByRole('heading', { name: 'There are no files' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /Upload/ }).count(), 0)
    await page.goto(`${rig.url}/settings`)
    await page.getByText('You are signed in as reader').waitFor()
    await page.getByText('You may not delete, run scripts, change projects and agents').waitFor()
    await page.getByText('Your token may only read. Notifications lead to decisions').waitFor()
    assert.equal(await page.getByRole('button', { name: /Notify/ }).count(), 0)
    await assertAccessibleInBothThemes(page)
    await page.goto(`${rig.url}/stats`)
    await page.getByRole('heading', { name: /Nothing has ended/ }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })
})
