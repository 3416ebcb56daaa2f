import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes } from './browser.ts'
import { enter, tabTo } from './keyboard.ts'
import { inBrowser } from './suite.ts'

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' })
const answer = (page: Page, name: 'Stay' | 'Leave') => question(page).getByRole('button', { name }).click()
const controlOf = (page: Page, field: string) => page.locator(`[data-field=${field}]`).locator('input, textarea')

const SPEC = 'A line that nobody wants to type twice\nand one below it'

/** A form in the place of its button, and the first of its fields. */
const FORMS_IN_PLACE = [
  { what: 'a new epic', view: '/epics', opens: 'New epic', field: 'Name' },
  { what: 'a new task of a story', view: '/stories?open=story:voucher', opens: 'Add task', field: 'Name of the task' },
]

/** A form of something that exists, and a link on its page. */
const FORMS = [
  { what: 'a project', view: '/projects/shop', field: 'test_command', link: 'All projects', goes: '/projects' },
  { what: 'an agent', view: '/agents/builder', field: 'default_model', link: 'All agents', goes: '/agents' },
]

describe('leaving a form in a browser', function () {
  const { server, installation, open } = inBrowser({
    async prepare({ server: { call } }) {
      await call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: 'https://git.example/shop.git' })
      await call('POST', '/api/agents', { id: 'builder', adapter: 'script' })
      await call('POST', '/api/stories', { id: 'voucher', name: 'Pay with a voucher' })
    },
  })

  for (const { what, view, field, link, goes } of FORMS)
    it(`asks before a link or a step back loses what was typed of ${what}, and not after it is saved`, async () => {
      const tab = await open(goes)
      const { page } = tab
      await page.locator(`a[href="${view}"]`).first().click()
      const input = controlOf(page, field)
      await input.fill('mine')

      await page.getByRole('link', { name: link }).click()
      await question(page).getByText('What you have typed here is not saved').waitFor()
      await assertAccessibleInBothThemes(page)
      await page.keyboard.press('Escape')
      await question(page).waitFor({ state: 'detached' })
      await becomes(async () => [await input.inputValue(), new URL(page.url()).pathname], ['mine', view])

      await page.goBack()
      await answer(page, 'Stay')
      await page.waitForURL(`**${view}`)
      await becomes(() => input.inputValue(), 'mine')

      // Another tab of the same page takes nothing away.
      await page.getByRole('tab', { name: 'YAML' }).click()
      await page.getByRole('tab', { name: 'Settings' }).click()
      await becomes(() => input.inputValue(), 'mine')

      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('[data-tone=note]').getByText('saved').waitFor()
      await page.getByRole('link', { name: link }).click()
      await page.waitForURL(`**${goes}`)
      assert.equal(await question(page).count(), 0)
      assertNoProblems(tab)
      await tab.close()
    })

  it('is decided by the keyboard alone: the focus is on staying, and comes back to where it was', async () => {
    const tab = await open('/projects/shop')
    const { page } = tab
    const input = controlOf(page, 'test_command')
    await tabTo(page, input)
    await page.keyboard.type(' typed')
    const link = page.getByRole('link', { name: 'All projects' })
    await tabTo(page, link, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await question(page).getByRole('button', { name: 'Stay' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await link.and(page.locator(':focus')).waitFor()
    await becomes(async () => (await input.inputValue()).endsWith(' typed'), true)
    await page.keyboard.press('Enter')
    await enter(page, question(page).getByRole('button', { name: 'Leave' }))
    await page.waitForURL('**/projects')
    assertNoProblems(tab)
    await tab.close()
  })

  it('goes to what was made without a question', async () => {
    const tab = await open('/agents/new')
    const { page } = tab
    await controlOf(page, 'id').fill('second')
    await page.getByRole('button', { name: 'Create the agent' }).click()
    await page.waitForURL('**/agents/second')
    assert.equal(await question(page).count(), 0)
    assertNoProblems(tab)
    await tab.close()
  })

  it('asks before Escape or ✕ loses an edit of a story in the panel', async () => {
    const tab = await open('/stories?open=story:voucher')
    const { page } = tab
    const begin = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Edit: Specification' }).click()
      await page.getByRole('textbox', { name: 'Specification' }).fill(SPEC)
    }
    const kept = () => page.getByRole('textbox', { name: 'Specification' }).inputValue()
    await begin()
    await page.keyboard.press('Escape')
    await assertAccessibleInBothThemes(page)
    await answer(page, 'Stay')
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await answer(page, 'Stay')
    // Another tab takes nothing away.
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('textbox', { name: 'Specification' }).waitFor({ state: 'hidden' })
    await page.getByRole('tab', { name: 'Overview' }).click()
    await becomes(kept, SPEC)

    // Escape ends the edit and leaves the panel open.
    await page.getByRole('textbox', { name: 'Specification' }).press('Escape')
    await answer(page, 'Leave')
    await page.getByRole('button', { name: 'Edit: Specification' }).waitFor()
    await begin()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Pay with a voucher: saved').waitFor()
    await page.locator('p', { hasText: 'A line that nobody' }).locator('br').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor({ state: 'detached' })
    assert.equal(await question(page).count(), 0)
    assertNoProblems(tab)
    await tab.close()
  })

  for (const { what, view, opens, field } of FORMS_IN_PLACE)
    it(`asks before Escape loses what was typed of ${what}, and gives the focus back`, async () => {
      const tab = await open(view)
      const { page } = tab
      const opener = page.getByRole('button', { name: opens, exact: true })
      const input = page.getByRole('textbox', { name: field, exact: true })
      await opener.click()
      await input.fill('Vouchers')
      await page.keyboard.press('Escape')
      await answer(page, 'Stay')
      await becomes(() => input.inputValue(), 'Vouchers')
      await input.press('Escape')
      await answer(page, 'Leave')
      await opener.and(page.locator(':focus')).waitFor()
      // What lies around it stays.
      await page.waitForURL(new URL(view, page.url()).href)
      assertNoProblems(tab)
      await tab.close()
    })

  it('keeps what is to be different when Escape closes it', async () => {
    const { path } = makeRemote(installation.folder, { 'README.md': '# shop\n' })
    await server.call('POST', '/api/projects', { id: 'here', name: 'Here', remote_url: path })
    await server.create('reviewed', 'true', { project: 'here' })
    await server.run('reviewed')
    await server.reaches('reviewed', 'READY')
    const tab = await open('/tasks?open=task:reviewed')
    const { page } = tab
    const text = page.getByRole('textbox', { name: 'What is to be different' })
    await page.getByRole('button', { name: 'Ask for changes…' }).click()
    await text.fill('Not so')
    await page.keyboard.press('Escape')
    await text.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Ask for changes…' }).click()
    await becomes(() => text.inputValue(), 'Not so')
    assert.equal(await question(page).count(), 0)
    assertNoProblems(tab)
    await tab.close()
  })

  it('does not ask about what is kept as a draft', async () => {
    await server.create('edited', 'true')
    const tab = await open('/tasks/new')
    const { page } = tab
    await controlOf(page, 'name').fill('Kept')
    await page.getByRole('link', { name: 'Stories' }).first().click()
    await page.waitForURL('**/stories')
    await page.goBack()
    await becomes(() => controlOf(page, 'name').inputValue(), 'Kept')

    await page.goto(new URL('/tasks/edited/edit', page.url()).href)
    await controlOf(page, 'name').fill('Kept too')
    await page.getByRole('link', { name: 'Back to the task' }).click()
    await page.waitForURL('**/tasks/edited')
    assert.equal(await question(page).count(), 0)
    assertNoProblems(tab)
    await tab.close()
  })
})
