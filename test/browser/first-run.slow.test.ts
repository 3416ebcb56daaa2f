import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab, sendNow } from './browser.ts'

const ASK =
  'if [ -n "$SERVICE_ANSWER" ]; then echo "$SERVICE_ANSWER" > answer; else echo \'{"text":"Which?","options":["First","Second"]}\' > "$SERVICE_QUESTION_FILE"; fi'

describe('the guide of an empty installation in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  it('leads from nothing to a first accepted task, and says at each step what is wrong', async () => {
    const remote = makeRemote(installation.folder, { 'a.txt': 'a\n' })
    const tab = await openTab(browser, `${server.program.url}/`, { expected: [/400/] })
    const { page } = tab
    const address = page.getByLabel('Address or folder')
    await address.fill(join(installation.folder, 'nowhere'))
    await address.blur()
    await page.getByText('It cannot be read').waitFor()
    await page.getByText(/does not exist, or is not visible without credentials/).waitFor()
    await address.fill('--upload-pack=x')
    await address.blur()
    await page
      .getByText(/must be an https, http, ssh, file or user@host:path URL/)
      .first()
      .waitFor()
    await address.fill(remote.path)
    await address.blur()
    await page.getByText('It can be read · default branch main · 1 branch · pushes will work').waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Add the repository' }).click()

    await page.getByRole('heading', { name: 'Who shall do the work?' }).waitFor()
    await page.getByText('script · needs no program and no login').waitFor()
    await page.getByRole('region', { name: 'What mends codex' }).waitFor()
    await assertAccessibleInBothThemes(page)

    // One that is registered is used, by whatever form of its path, and not registered again.
    await page.getByRole('button', { name: 'Back' }).click()
    await address.fill(`file://${remote.path}/`)
    await address.blur()
    await page.getByText('It is the repository of project remote already.').waitFor()
    await page.getByRole('button', { name: 'Use remote' }).click()
    await page.getByRole('heading', { name: 'Who shall do the work?' }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await address.fill(`${remote.path}/`)
    await address.press('Enter')
    await page.getByRole('heading', { name: 'Who shall do the work?' }).waitFor()
    assert.match((await server.call('GET', '/api/projects')).text, /^\[\{"id":"remote",[^\]{]*\}\]$/)
    await page.getByRole('button', { name: 'Use script' }).click()

    await page.reload()
    await page.getByRole('heading', { name: 'What shall script do first?' }).waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('textbox', { name: 'Script' }).fill(ASK)
    await page.getByRole('button', { name: 'Create and run' }).click()
    // The inbox is behind the guide, so the question is here; to run it afresh would throw the question away.
    await page.getByRole('button', { name: 'Second' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Run', exact: true }).count(), 0)
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Second' }).click()
    await sendNow(page)
    await page.getByText('The work is ready and waits for you').waitFor()
    await page.getByText('1 changed file on').waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Accept' }).click()
    await sendNow(page)
    await page.getByText('Accepted. From here on new work begins with New task').waitFor()
    await page.getByRole('button', { name: 'To the inbox' }).click()
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
    await becomes(
      async () => /"name":"Say hello".*"state":"COMPLETED"/.test((await server.call('GET', '/api/tasks')).text),
      true,
    )
    assertNoProblems(tab)
    await tab.close()
  })
})
