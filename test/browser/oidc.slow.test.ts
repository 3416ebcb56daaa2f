import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { freePort } from '../helpers/free-port.ts'
import { type TestProvider, CLIENT_ID, CLIENT_SECRET, startProvider } from '../api-server/auth/oidc-provider.ts'
import { makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, demandBrowser, launch, openTab } from './browser.ts'

/** The provider is at 127.0.0.1 and Slipway at localhost: two sites, which matters for cookies. */
describe('signing in to the browser UI with OpenID Connect', function () {
  const installation = makeInstallation()
  let browser: Browser
  let provider: TestProvider
  let url: string

  before(async function () {
    browser = await launch(demandBrowser(this))
    const port = await freePort()
    url = `http://localhost:${port}`
    provider = await startProvider({ redirectUri: `${url}/api/session/oidc/callback` })
    provider.claims.set('alice', { groups: ['leads'] })
    provider.claims.set('mallory', { groups: ['others'] })
    mkdirSync(installation.dataDir, { mode: 0o700 })
    const secret = join(installation.folder, 'client-secret')
    writeFileSync(secret, CLIENT_SECRET, { mode: 0o600 })
    const roles = [{ group: 'leads', scopes: ['read', 'decide', 'admin'] }]
    const { issuer } = provider
    const oidc = { issuer, clientId: CLIENT_ID, clientSecretFile: secret, groupsClaim: 'groups', name: 'Acme', roles }
    writeFileSync(join(installation.dataDir, 'config.yaml'), JSON.stringify({ publicUrl: url, identity: { oidc } }))
    await installation.start('--listen', `127.0.0.1:${port}`)
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
    await provider?.stop()
  })

  const expected = [/401|WebSocket connection|foreign host|favicon\.ico/]
  const signInAs = async (page: Page, name: string): Promise<void> => {
    // The pages of the provider for tests name a style sheet of somebody else.
    await page.route(/googleapis/, (route) => route.fulfill({ contentType: 'text/css', body: '' }))
    await page.getByRole('link', { name: 'Sign in with Acme' }).click()
    await page.getByPlaceholder('Enter any login').fill(name)
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  it('leads back to the page that was asked for, as the person, who can act and sign out again', async () => {
    const tab = await openTab(browser, `${url}/tasks/new?project=none`, { expected })
    const { page } = tab
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor()
    await assertAccessibleInBothThemes(page)
    await signInAs(page, 'alice')
    await page.waitForURL(`${url}/tasks/new?project=none`)
    await page.getByLabel('Title').waitFor()
    await page.goto(`${url}/settings`)
    await page.getByText(`${provider.issuer}#alice`).waitFor()
    const cookies = await page.context().cookies(url)
    const session = cookies.filter(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Strict')
    assert.equal(session.length, 1, JSON.stringify(cookies))
    // A write takes the cookie and our own Origin.
    const id = 'by-alice'
    const status = await page.evaluate(
      `fetch('/api/tasks', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"id":"${id}","name":"x"}' }).then((answer) => answer.status)`,
    )
    assert.equal(status, 201)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL((at) => at.origin === provider.issuer)
    await page.getByRole('button', { name: /Yes, sign me out/ }).click()
    await page.waitForURL(`${url}/`)
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('says who somebody is signed in as who may do nothing', async () => {
    const tab = await openTab(browser, `${url}/`, { expected: [...expected, /403/] })
    const { page } = tab
    await signInAs(page, 'mallory')
    await page.getByText(`You are signed in at Acme as ${provider.issuer}#mallory.`).waitFor()
    await page.getByText('No role of identity.oidc.roles names you').waitFor()
    await assertAccessibleInBothThemes(page)
    await page.goto(`${url}/`)
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })
})
