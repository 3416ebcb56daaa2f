import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

/** The messages that lie over a button which saves. */
const UNDER_MESSAGES = `(() => {
  const boxes = (selector, text) =>
    [...document.querySelectorAll(selector)].filter((each) => each.textContent.includes(text)).map((each) => each.getBoundingClientRect())
  return boxes('[data-tone=note]', 'saved').filter((said) =>
    boxes('button', 'Save').some((save) => said.top < save.bottom && save.top < said.bottom))
})()`

describe('projects in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server
  let path: string

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    path = makeRemote(installation.folder, { 'a.txt': 'a\n' }).path
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  it('are made, with a wrong address told as one leaves the field, changed and deleted', async () => {
    const tab = await openTab(browser, `${server.program.url}/projects`, { expected: [/400/, /409/] })
    const { page } = tab
    await page.getByRole('heading', { name: 'No repository yet' }).waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Add a repository' }).click()
    await page.getByLabel('Address', { exact: true }).fill(join(installation.folder, 'nowhere'))
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByText('It cannot be read').waitFor()
    await page.getByLabel('Address', { exact: true }).fill(path)
    await page.getByLabel('Id').fill('Not an id')
    await page.getByText('It can be read · default branch main').waitFor()
    await page.getByLabel('When work is accepted').selectOption('merge')
    await page.getByText(/Accept merges its branch into the default branch/).waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Create the project' }).click()
    await page.locator('[data-field=id] [role=alert]').waitFor()
    await page.getByLabel('Id').fill('shop')
    await page.getByRole('button', { name: 'Create the project' }).click()
    await page.getByRole('tab', { name: 'YAML' }).waitFor()

    await page.getByLabel('Test command').fill('make test')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project Shop saved').waitFor()
    const { body } = await server.call('GET', '/api/projects/shop')
    assert.deepEqual(
      [body['remote_url'], body['test_command'], body['on_accept'], body['default_branch']],
      [path, 'make test', 'merge', undefined],
    )
    await page.getByRole('tab', { name: 'YAML' }).click()
    await page.getByText('testCommand: make test').waitFor()
    await assertAccessibleInBothThemes(page)

    await server.create('uses-it', 'true', { project: 'shop' })
    await page.getByRole('tab', { name: 'Settings' }).click()
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Delete…' }).click()
      await page.getByRole('button', { name: 'Delete the project' }).click()
    }
    await remove()
    await page.getByText(/project shop cannot be deleted: task uses-it refers to it/).waitFor()
    await server.call('DELETE', '/api/tasks/uses-it')
    await remove()
    await page.getByRole('heading', { name: 'No repository yet' }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('have services, whose problems stand at their field', async () => {
    await server.call('POST', '/api/projects', { id: 'served', name: 'Served', remote_url: path })
    const tab = await openTab(browser, `${server.program.url}/projects/served`, { expected: [/400/] })
    const { page } = tab
    await page.getByText('Deployment, host and containers').click()
    const services = page.getByLabel('Services')
    await services.fill('[{ "name": "db" }]')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[data-field=services] [role=alert]').getByText(/image/).waitFor()
    await services.fill('[{ "name": "db", "image": "postgres:17" }]')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project Served saved').waitFor()
    const { body } = await server.call('GET', '/api/projects/served')
    assert.deepEqual(body['services'], [{ name: 'db', image: 'postgres:17' }])
    // As the operator does once an hour.
    const status = '/apis/slipway.dev/v1alpha1/namespaces/default/projects/served/status'
    const patch = { 'Content-Type': 'application/merge-patch+json' }
    const told = await server.kube.send('PATCH', status, { status: { mirrorBytes: 3 * 2 ** 30 } }, patch)
    assert.equal(told.status, 200, told.text)
    await page.getByText('mirror: 3 GiB').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('fit on a phone', async () => {
    await server.call('POST', '/api/projects', { id: 'phone', name: 'Phone', remote_url: path })
    const tab = await openTab(browser, `${server.program.url}/projects`, { viewport: { width: 390, height: 844 } })
    await tab.page.getByRole('link', { name: 'Phone' }).click()
    await tab.page.getByLabel('Test command').waitFor()
    await becomes(() => tab.page.evaluate('document.documentElement.scrollWidth'), 390)
    // Three messages, and the button that brought them is under none.
    for (const name of ['Phone 1', 'Phone 2', 'Phone 3']) {
      await tab.page.locator('[data-field=name] input').fill(name)
      await tab.page.getByRole('button', { name: 'Save' }).click()
      await tab.page.getByText(`Project ${name} saved`).waitFor()
    }
    await becomes(() => tab.page.evaluate(UNDER_MESSAGES), [])
    await assertAccessibleInBothThemes(tab.page)
    assertNoProblems(tab)
    await tab.close()
  })
})
