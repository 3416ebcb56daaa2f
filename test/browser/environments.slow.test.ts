import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { PreparedEnvironment, ProjectStatus } from '../../core/crd/types.ts'
import { EXECUTION_FILES, executionPath } from '../../core/execution/layout.ts'
import { NO_ENVIRONMENTS } from '../../core/sentences/environment.ts'
import { clip } from '../../core/text.ts'
import { EXECUTIONS, PROJECTS } from '../../kube/resources.ts'
import { type Rig, startRig } from '../api-server/rig.ts'
import { aProject, aTask, anExecution } from '../helpers/build.ts'
import { at } from '../helpers/kube-http.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

const COMMIT = 'c0ffee'.repeat(7).slice(0, 40)
const READY: PreparedEnvironment = {
  execution: 'shop-e2',
  state: 'Ready',
  recipe: 'a'.repeat(64),
  commit: COMMIT,
  bytes: 140 * 1024 ** 2,
  startedAt: '2026-11-27T10:00:00Z',
  builtAt: '2026-11-27T10:01:12Z',
  seconds: 72,
}
const FAILED: PreparedEnvironment = {
  execution: 'shop-e1',
  state: 'Failed',
  recipe: 'a'.repeat(64),
  onlyFor: { task: 'upgrade' },
  message: clip('the setup ended with 1:\nnpm error 404 no such package', 4096),
}
const PROBLEM = clip('the agent starts without its environment, because its setup has failed', 4096)

// Without an operator, which would mend what the tests have made up.
describe('environments in a browser', function () {
  let browser: Browser
  let api: Rig

  before(async function () {
    browser = await launch(demandBrowser(this))
    api = await startRig()
  })
  after(async () => {
    await browser?.close()
    await api?.stop()
  })
  const given = (name: string, status: ProjectStatus, spec = {}) =>
    api.givenProject(
      aProject({ name, spec: { title: name, remoteUrl: 'https://github.com/acme/shop.git', ...spec }, status }),
    )
  const open = (path: string, options = {}) => openTab(browser, `${api.url}${path}`, options)

  it('are proposed from lock files, filled in by one press, and saved', async () => {
    await given('fresh', { lockFiles: ['package-lock.json'] })
    const tab = await open('/projects/fresh')
    const { page } = tab
    await page.getByText(/^Each agent begins without the dependencies of package-lock\.json\./).waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Fill it in' }).press('Enter')
    const field = (name: string) => page.locator(`[data-field="${name}"] textarea`)
    await becomes(() => field('environment.setup').inputValue(), 'npm ci\n')
    await becomes(() => field('environment.cache').inputValue(), 'node_modules')
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project fresh saved').waitFor()
    await page.getByText('Nothing is prepared yet: the next task has it built.').waitFor()
    assert.deepEqual(at((await api.get('/api/projects/fresh')).body, 'environment'), {
      setup: 'npm ci\n',
      cache: [{ path: 'node_modules' }],
      keys: ['package-lock.json'],
    })
    assertNoProblems(tab)
    await tab.close()
  })

  it('keep nobody from saving what they type while one is being built', async () => {
    await given('typed', {}, { environment: { setup: 'npm ci' } })
    const tab = await open('/projects/typed')
    const { page } = tab
    await page.getByLabel('Test command').fill('npm test')
    await api.setStatus(PROJECTS, 'typed', { environments: [{ ...READY, execution: 'typed-e1', state: 'Building' }] })
    await page.getByText('Log of typed-e1').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project typed saved').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('say at the field what is refused', async () => {
    await given('strict', {})
    const tab = await open('/projects/strict', { expected: [/400/] })
    const { page } = tab
    await page.getByText('How it is prepared').click()
    await page.locator('[data-field="environment.setup"] textarea').fill('npm ci')
    await page.locator('[data-field="environment.cache"] textarea').fill('/abs')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .locator('[data-field="environment.cache"] [role=alert]')
      .getByText(/must not begin or end with \//)
      .waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('are listed with what they take, why one failed and their log, and are built again and removed', async () => {
    await given('shop', { environments: [READY, FAILED] }, { environment: { setup: 'npm ci' } })
    const tab = await open('/projects/shop')
    const { page } = tab
    const rows = page.getByRole('list', { name: 'Prepared environments' }).getByRole('listitem')
    await rows.first().getByText('140 MiB, built in 1m12s').waitFor()
    await becomes(
      () => rows.first().getByRole('link', { name: 'c0ffeec0' }).getAttribute('href'),
      `https://github.com/acme/shop/commit/${COMMIT}`,
    )
    await rows.nth(1).getByText('for task upgrade alone').waitFor()
    await rows.nth(1).getByText('npm error 404 no such package').waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Build again' }).click()
    await page.getByText('The environment is built anew').waitFor()
    const { status } = await api.client.get(PROJECTS, { namespace: api.namespace, name: 'shop' })
    assert.notEqual(status?.environmentRequestedAt, undefined)
    await rows.nth(1).getByRole('button', { name: 'Remove…' }).click()
    await rows.nth(1).getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('shop-e1 removed').waitFor()
    await page.waitForFunction('document.querySelectorAll(\'[aria-label="Prepared environments"] > li\').length === 1')
    assertNoProblems(tab)
    await tab.close()
  })

  it('fit on a phone', async () => {
    await given('phone', { environments: [READY, FAILED] })
    const tab = await open('/projects/phone', { viewport: { width: 390, height: 844 } })
    await tab.page.getByRole('list', { name: 'Prepared environments' }).waitFor()
    await becomes(() => tab.page.evaluate('document.documentElement.scrollWidth'), 390)
    await assertAccessibleInBothThemes(tab.page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('have a page for their setup that opens at its log', async () => {
    await given('logged', {})
    const name = 'logged-e1'
    const made = anExecution({ name })
    const { taskRef: _, ...spec } = made.spec
    await api.givenExecution({
      ...made,
      spec: { ...spec, purpose: 'Prepare', projectRef: { name: 'logged' } },
      status: {
        state: 'COMPLETED',
        phases: [
          { name: 'prepare', startedAt: '2026-11-27T10:00:01Z', finishedAt: '2026-11-27T10:00:02Z' },
          { name: 'agent', startedAt: '2026-11-27T10:00:02Z', finishedAt: '2026-11-27T10:01:02Z' },
          { name: 'deliver', startedAt: '2026-11-27T10:01:02Z', finishedAt: '2026-11-27T10:01:12Z' },
        ],
        sealed: { commit: COMMIT, isShared: true, bytes: 140 * 1024 ** 2 },
      },
    })
    const log = join(api.volumeRoot, executionPath(name), EXECUTION_FILES.stdout)
    await mkdir(dirname(log), { recursive: true })
    await writeFile(log, 'added 214 packages\n')
    const tab = await open(`/executions/${name}`)
    const { page } = tab
    await page.getByRole('heading', { name: 'Setup of logged' }).waitFor()
    await page.getByText('added 214 packages').waitFor()
    await page.getByRole('list', { name: 'Phases' }).getByText('setup').waitFor()
    await page.getByText('140 MiB at c0ffeec0ffee, for all tasks').waitFor()
    assert.equal(await page.getByRole('tab', { name: 'Conversation' }).count(), 0)
    await page.getByRole('navigation', { name: 'Where this is' }).getByRole('link', { name: 'logged' }).waitFor()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('say on the run and on the task where the agent began with one, without, and why the first waited', async () => {
    const digest = 'd'.repeat(64)
    await given('used', { environments: [{ ...FAILED, digest }] })
    const since = (second: number) => `2026-11-27T10:00:${String(second).padStart(2, '0')}Z`
    const execution = anExecution({
      name: 'late-1',
      spec: { projectRef: { name: 'used' } },
      status: {
        state: 'RUNNING',
        environment: { execution: 'used-e1' },
        phases: [
          { name: 'environment', startedAt: since(1), finishedAt: since(41) },
          { name: 'prepare', startedAt: since(42), finishedAt: since(44) },
          { name: 'agent', startedAt: since(44) },
        ],
      },
    })
    await api.givenExecution(execution)
    await api.given(
      aTask({ name: 'late', spec: { project: 'used' }, status: { state: 'RUNNING', execution: 'late-1' } }),
    )
    const tab = await open('/executions/late-1')
    const { page } = tab
    await page.getByText(/^The setup of the project ran first\. Later runs begin with what it has prepared\./).waitFor()
    await page.getByText('Environment taken from').getByRole('link', { name: 'used-e1' }).waitFor()
    await page.getByRole('list', { name: 'Phases' }).getByText('environment 40s').waitFor()
    await api.setStatus(EXECUTIONS, 'late-1', { ...execution.status, environment: { problem: PROBLEM, digest } })
    const note = page.getByRole('note', { name: 'The agent started without the environment of the project' })
    await note.getByText('npm error 404 no such package').waitFor()
    await assertAccessibleInBothThemes(page)
    await page.goto(`${api.url}/tasks/late`)
    await note.getByText('npm error 404 no such package').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })
})

describe('environments in a browser where executions are plain processes', function () {
  it('say why there are none', async function () {
    const browser = await launch(demandBrowser(this))
    const api = await startRig({ environmentProblem: NO_ENVIRONMENTS })
    try {
      await api.givenProject(aProject({ name: 'plain', status: { lockFiles: ['go.sum'] } }))
      const tab = await openTab(browser, `${api.url}/projects/plain`)
      await tab.page.getByText(/^No setup runs: executions run as plain processes here/).waitFor()
      assert.equal(await tab.page.getByRole('button', { name: 'Fill it in' }).count(), 0)
      assertNoProblems(tab)
      await tab.close()
    } finally {
      await browser.close()
      await api.stop()
    }
  })
})
