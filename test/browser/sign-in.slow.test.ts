import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { until } from '../helpers/until.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'
import { signIn } from './suite.ts'

const TOKENS = JSON.stringify([{ name: 'reader', token: 'reader-token', scopes: ['read'] }])

/** Between the field and the button. */
const GAP = `Math.round(
  document.querySelector('button[type=submit]').getBoundingClientRect().top -
    document.querySelector('input[name=token]').getBoundingClientRect().bottom,
)`

describe('signing in to the browser UI', function () {
  const installation = makeInstallation({ SLIPWAY_TOKEN: 'the-real-token', SLIPWAY_TOKENS: TOKENS })
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    for (const id of ['one', 'two'])
      await server.call('POST', '/api/stories', {
        id,
        name: `Story ${id}`,
        status: 'VALIDATING',
      })
    await server.call('PUT', '/api/stories/one/status', { status: 'REVIEW_READY' })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  const openSignIn = () => openTab(browser, `${server.program.url}/`, { expected: [/401|WebSocket connection/] })

  it('refuses a wrong token, and takes the right one', async () => {
    const tab = await openSignIn()
    const { page } = tab
    await page.getByLabel('Token').fill('not-the-token')
    await becomes(() => page.evaluate(GAP), 12)
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This server does not know that token.').waitFor()
    await until('the words have room', async () => Number(await page.evaluate(GAP)) > 30)
    await page.getByLabel('Token').fill('the-real-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.getByRole('button', { name: 'Accept the story' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    // Neither storage nor cookies that scripts can read hold the token.
    assert.doesNotMatch(String(await page.evaluate('document.cookie + JSON.stringify(localStorage)')), /the-real-token/)
    await page.goto(`${server.program.url}/tasks/new`)
    await page.getByLabel('Title').fill('Nobody else’s business')
    await page.goto(`${server.program.url}/settings`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    assert.doesNotMatch(String(await page.evaluate('JSON.stringify(localStorage)')), /Nobody else/)
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps somebody signed in whose decision is refused at the sign-out, and says so', async () => {
    await server.call('POST', '/api/stories', { id: 'third', name: 'Story three', status: 'VALIDATING' })
    await server.call('PUT', '/api/stories/third/status', { status: 'REVIEW_READY' })
    const tab = await openTab(browser, `${server.program.url}/`, { expected: [/401|WebSocket connection/] })
    const { page } = tab
    await signIn(page, 'the-real-token')
    // Its five seconds may be over on a slow machine before the sign-out: then it is under way.
    let release = (): void => undefined
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/stories/third/accept', async (route) => {
      await isReleased
      await route.continue()
    })
    const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Story three' }) })
    await row.getByRole('button', { name: 'Accept the story' }).click()
    await page.getByText('Accepting “Story three”…').waitFor()
    await page.getByRole('link', { name: 'Settings' }).first().click()
    assert.equal((await server.call('POST', '/api/stories/third/accept')).status, 200)
    await page.getByRole('button', { name: 'Sign out' }).click()
    release()
    await page.getByText('You are still signed in: a decision was refused.').waitFor()
    assert.equal(await page.getByLabel('Token').count(), 0)
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps what is typed when the session ends, until it is saved or given up', async () => {
    const tab = await openTab(browser, `${server.program.url}/stories/one`, { expected: [/401|WebSocket connection/] })
    const { page } = tab
    await signIn(page, 'the-real-token')
    const spec = page.getByRole('textbox', { name: 'Specification' })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const ended = page.getByRole('alert').getByText('Your session has ended. What is not saved here stays')
    await page.getByRole('button', { name: 'Edit: Specification' }).click()
    await spec.fill('A line that nobody wants to type twice')
    await page.context().clearCookies()
    await save.click()
    await ended.waitFor()
    await page.getByRole('alert').getByText('Your session has ended: sign in again in another tab.').waitFor()
    await assertAccessibleInBothThemes(page)
    const signInElsewhere = async (token: string): Promise<void> => {
      const opening = page.context().waitForEvent('page')
      await page.getByRole('link', { name: 'sign in again in another tab' }).click()
      const other = await opening
      await signIn(other, token)
      await other.close()
      // As when the tab comes into sight; without a window to look at, it never left it.
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    }
    await signInElsewhere('the-real-token')
    await ended.waitFor({ state: 'detached' })
    await becomes(() => spec.inputValue(), 'A line that nobody wants to type twice')
    await save.click()
    await page.getByText('Story one: saved').waitFor()
    assert.equal((await server.call('GET', '/api/stories/one')).body['spec'], 'A line that nobody wants to type twice')

    await page.getByRole('button', { name: 'Edit: Specification' }).click()
    await spec.fill('Not so')
    await page.context().clearCookies()
    await save.click()
    await ended.waitFor()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByLabel('Token').waitFor()

    // Who signs in instead gets a page of their own, once the browser has asked.
    await signIn(page, 'the-real-token')
    await page.getByRole('button', { name: 'Edit: Specification' }).click()
    await spec.fill('Nor so')
    await page.context().clearCookies()
    await save.click()
    await ended.waitFor()
    const asked = page.waitForEvent('dialog')
    await signInElsewhere('reader-token')
    await (await asked).accept()
    await ended.waitFor({ state: 'detached' })
    await spec.waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: 'Edit: Specification' }).count(), 0)
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows everything and no button to somebody who may only read', async () => {
    const tab = await openSignIn()
    const { page } = tab
    await page.getByLabel('Token').fill('reader-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
    await page.getByText('Your token may read and not decide.').waitFor()
    await becomes(() => page.title(), 'Slipway')
    assert.equal(await page.getByRole('button', { name: /Accept|Ask|Reject|Resume|Undrain/ }).count(), 0)
    await page.goto(`${server.program.url}/stories`)
    await page.locator('[data-story="one"]').getByRole('link').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText('Your token may not change the order').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })
})
