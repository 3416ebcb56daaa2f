import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { CheckRun, ExecutionStatus } from '../../core/crd/types.ts'
import { checkOutputPath, executionPath, roundDiffPath } from '../../core/execution/layout.ts'
import { RED_WAY_OUT } from '../../core/sentences/checks.ts'
import { clip } from '../../core/text.ts'
import { EXECUTIONS, PROJECTS } from '../../kube/resources.ts'
import { type Rig, startRig } from '../api-server/rig.ts'
import { aProject, aTask, anExecution, text } from '../helpers/build.ts'
import { at } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

const COMMIT = clip('c0ffee'.repeat(7).slice(0, 40), 64)
const TEST = clip('test', 40)
const LINT = clip('lint', 40)
const START = '2026-11-27T10:00:00Z'
const GREEN: CheckRun = {
  name: TEST,
  state: 'Passed',
  round: 1,
  commit: COMMIT,
  startedAt: START,
  seconds: 55,
  exitCode: 0,
}
const RED: CheckRun = { ...GREEN, state: 'Failed', seconds: 12, exitCode: 1 }
const ERROR = { category: 'checks', message: text(`check test is red: exit code 1; ${RED_WAY_OUT}`) } as const
const PHASES: ExecutionStatus['phases'] = [{ name: 'agent', startedAt: START, finishedAt: START }]

const diffOf = (word: string): string =>
  `diff --git a/a.js b/a.js
new file mode 100644
index 0000000..1111111
--- /dev/null
+++ b/a.js
@@ -0,0 +1 @@
+${word}
diff --git a/test/a.js b/test/a.js
new file mode 100644
index 0000000..1111111
--- /dev/null
+++ b/test/a.js
@@ -0,0 +1 @@
+skip
`

const ROWS_OF_MOVES = `new Set(
  [...document.querySelectorAll('[data-decisions] :is(a, button)')]
    .filter((move) => move.checkVisibility())
    .map((move) => {
      const { top, bottom } = move.getBoundingClientRect()
      return Math.round((top + bottom) / 2)
    }),
).size`

// Without an operator, which would mend what the tests have made up.
describe('checks in a browser', function () {
  let browser: Browser
  let api: Rig

  before(async function () {
    browser = await launch(demandBrowser(this))
    api = await startRig()
    await api.givenProject(aProject({ name: 'shop' }))
  })
  after(async () => {
    await browser?.close()
    await api?.stop()
  })
  const open = (path: string, options = {}) => openTab(browser, `${api.url}${path}`, options)
  const keep = async (path: string, words: string): Promise<void> => {
    await mkdir(dirname(join(api.volumeRoot, path)), { recursive: true })
    await writeFile(join(api.volumeRoot, path), words)
  }
  const givenFailed = async (name: string): Promise<void> => {
    const execution = `${name}-1`
    const checks = [RED, { ...GREEN, name: LINT, required: false }, { ...RED, round: 2 }]
    const lines = [...Array.from({ length: 200 }, (_, i) => `ok ${i + 1}`), 'Error: expected 2', 'done']
    await keep(checkOutputPath(execution, { round: 2, name: TEST }), `${lines.join('\n')}\n`)
    await keep(checkOutputPath(execution, { round: 1, name: TEST }), 'the first round\n')
    for (const round of [1, 2])
      await keep(`${executionPath(execution)}/${roundDiffPath(round)}`, diffOf(`round ${round}`))
    await api.givenExecution(
      anExecution({ name: execution, status: { state: 'FAILED', error: ERROR, rounds: 2, checks, phases: PHASES } }),
    )
    const status = { state: 'FAILED', execution, error: ERROR, checks: [{ ...RED, round: 2 }] } as const
    await api.given(aTask({ name, spec: { title: name, project: 'shop' }, status }))
  }

  it('are beside Accept with their time and commit, with what work changes of protected files, which come first', async () => {
    const checks = [GREEN, { ...RED, name: LINT, required: false }]
    const protectedChanges = { count: 1, paths: [clip('test/a.js', 1024)] }
    await keep(`${executionPath('ready-1')}/changes.diff`, diffOf('work'))
    const changes = { files: 2, insertions: 2, deletions: 0 }
    await api.givenExecution(
      anExecution({ name: 'ready-1', status: { state: 'COMPLETED', changes, phases: PHASES, checks } }),
    )
    const runs = [
      { name: 'build', state: 'Failed', url: 'https://ci.example/7' },
      { name: 'unit', state: 'Passed' },
    ] as const
    const ci = { commit: COMMIT, state: 'Failed', total: 2, runs, at: START } as const
    const head = { commit: COMMIT, at: START }
    const status = { state: 'READY', execution: 'ready-1', head, ci, changes, checks, protectedChanges } as const
    await api.given(aTask({ name: 'ready', spec: { title: 'ready', project: 'shop' }, status }))
    const tab = await open('/tasks/ready?tab=diff')
    const { page } = tab
    const about = page.getByRole('region', { name: 'About the work' })
    await about.getByText('Green, 55s at c0ffeec0ffee').waitFor()
    await about.getByText('Red, exit code 1, 12s, optional at c0ffeec0ffee').waitFor()
    await about.getByText('changes 1 protected file').waitFor()
    const log = about.getByRole('link', { name: 'CI build failed at c0ffeec0' })
    await becomes(() => log.getAttribute('href'), 'https://ci.example/7')
    // What is seldom done here leaves room for the rest.
    const startOver = page.getByRole('button', { name: 'Start over…' })
    assert.equal(await startOver.count(), 0)
    await page.getByRole('button', { name: 'More' }).click()
    await startOver.waitFor()
    await page.getByRole('note', { name: 'Changes 1 protected file' }).getByText('test/a.js').waitFor()
    await page.getByText('1 check green, lint is red (optional)').waitFor()
    await until('the protected file comes first', async () => {
      const shown = await page.locator('main').innerText()
      const [guarded, other] = [shown.lastIndexOf('skip'), shown.lastIndexOf('work')]
      return guarded !== -1 && guarded < other
    })
    await assertAccessibleInBothThemes(page)
    await page.goto(api.url)
    await page.getByText('1 check green, lint is red (optional)').waitFor()
    await page.getByText('changes 1 protected file').waitFor()
    await page.getByText('CI failed: build').waitFor()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('leave a phone room for the work, however many and however long their names and the reason to waive them', async () => {
    const green = Array.from({ length: 19 }, (_, i): CheckRun => ({
      ...GREEN,
      name: clip(`c${i}-`.padEnd(40, 'x'), 40),
    }))
    const checks = [...green, { ...RED, name: clip('last-'.padEnd(40, 'x'), 40) }]
    const checksWaived = { by: clip('ann', 512), reason: text('because '.repeat(300)), at: START }
    const status = { state: 'READY', execution: 'many-1', checks, checksWaived } as const
    await api.given(aTask({ name: 'many', spec: { title: 'many', project: 'shop' }, status }))
    const tab = await open('/tasks/many', { viewport: { width: 390, height: 844 } })
    const about = tab.page.getByRole('region', { name: 'About the work' })
    await about.getByText('and 17 more checks').waitFor()
    await about.getByText(/^last-x+$/).waitFor()
    await becomes(
      () => tab.page.evaluate('document.querySelector("[aria-label=\'About the work\']").scrollWidth <= 390'),
      true,
    )
    await until('it leaves room', async () => {
      const { x = -1, width = 0, height = 0 } = (await about.boundingBox()) ?? {}
      return x >= 0 && x + width <= 390 && height < 844 / 3
    })
    await assertAccessibleInBothThemes(tab.page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('open a failed task at the first failure, and can be waived with a reason', async () => {
    await givenFailed('red')
    const tab = await open('/tasks/red')
    const { page } = tab
    await page.getByRole('region', { name: 'Log of test, round 2' }).getByText('Error: expected 2').waitFor()
    await page.getByRole('button', { name: 'Check again' }).waitFor()
    await page.getByRole('button', { name: 'Ask for changes…' }).waitFor()
    await becomes(() => page.evaluate(ROWS_OF_MOVES), 1)
    // The buttons say how.
    await page
      .getByRole('region', { name: 'Error' })
      .getByText(/: exit code 1; ask the agent for changes, /)
      .waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Waive…' }).click()
    const send = page.getByRole('button', { name: 'Waive the checks' })
    assert.equal(await send.isDisabled(), true)
    await page.getByText(/^It is recorded for/).waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByLabel('Why the checks do not count').fill('the test server is down')
    await send.click()
    await becomes(async () => at((await api.get('/api/tasks/red')).body, 'state'), 'QUEUED')
    const waived = at((await api.get('/api/tasks/red')).body, 'checks_waived')
    assert.equal(at(waived, 'reason'), 'the test server is down')
    await page.getByText('Checks waived', { exact: true }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('are read by rounds on the page of the execution, with what each checked and what changed between them', async () => {
    await givenFailed('rounds')
    const tab = await open('/executions/rounds-1?tab=checks')
    const { page } = tab
    await page.getByRole('region', { name: 'Log of test, round 2' }).getByText('Error: expected 2').waitFor()
    await page.getByRole('region', { name: 'Round 1' }).getByRole('button', { name: /^test/ }).click()
    await page.getByText('the first round').waitFor()
    await until('the log is as high as its line', async () => {
      const { height = 360 } = (await page.getByRole('region', { name: 'Log of test, round 1' }).boundingBox()) ?? {}
      return height < 60
    })
    await page.waitForURL((url) => url.searchParams.get('check') === '1/test')
    await assertAccessibleInBothThemes(page)
    await page.getByRole('region', { name: 'Round 2' }).getByRole('button', { name: 'What it checked' }).click()
    await page.getByText('skip', { exact: true }).waitFor()
    await page.getByLabel('Changes since').selectOption('1')
    await becomes(() => page.getByText('skip', { exact: true }).count(), 0)
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('are told while one runs, with for how long and how long it took the last time', async () => {
    const spec = { title: 'live', project: 'shop' }
    const checks: CheckRun[] = [{ name: TEST, state: 'Running', round: 2, startedAt: new Date().toISOString() }]
    const status = { state: 'RUNNING', rounds: 2, phases: PHASES, checks: [RED, ...checks] } as const
    await api.givenExecution(anExecution({ name: 'live-1', status }))
    await api.given(aTask({ name: 'live', spec, status: { state: 'RUNNING', execution: 'live-1' } }))
    const tab = await open('/tasks/live')
    const { page } = tab
    await page.getByText(/^check test, [\dms]+, last time 12s$/).waitFor()
    await api.setStatus(EXECUTIONS, 'live-1', { ...status, checks: [RED, { ...GREEN, round: 2 }] })
    await page.getByText('1 check green').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('are set on the page of the project, proposed by one press and saved', async () => {
    await api.givenProject({
      ...aProject({ name: 'set', spec: { title: 'set', testCommand: clip('npm test', 4096) } }),
      status: { lockFiles: [clip('test', 255)] },
    })
    const tab = await open('/projects/set', { expected: [/400/] })
    const { page } = tab
    await page.getByRole('button', { name: 'Check with npm test' }).press('Enter')
    await page.getByRole('button', { name: 'Protect them' }).press('Enter')
    await page.getByRole('button', { name: 'Add a check' }).press('Enter')
    const field = (name: string) => page.locator(`[data-field="${name}"]`).locator('input, textarea')
    await field('checks[1].name').fill('test')
    await field('checks[1].run').fill('npm run lint')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[data-field="checks"] [role=alert]').first().waitFor()
    await assertAccessibleInBothThemes(page)
    await field('checks[1].name').fill('lint')
    await field('checks[1].timeout').fill('90')
    await page.getByRole('group', { name: 'lint' }).getByLabel('Required').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project set saved').waitFor()
    const { spec } = await api.client.get(PROJECTS, { namespace: api.namespace, name: 'set' })
    assert.deepEqual(spec.checks, [
      { name: 'test', run: 'npm test' },
      { name: 'lint', run: 'npm run lint', timeout: '1m30s', required: false },
    ])
    assert.deepEqual(spec.protectedPaths, ['/test/'])
    assertNoProblems(tab)
    await tab.close()
  })

  it('fit on a phone', async () => {
    await givenFailed('phone')
    const tab = await open('/tasks/phone', { viewport: { width: 390, height: 844 } })
    const moves = tab.page.getByRole('group', { name: 'Decisions' })
    await moves.getByRole('button', { name: 'Check again' }).waitFor()
    await becomes(() => tab.page.evaluate(ROWS_OF_MOVES), 1)
    await moves.getByRole('button', { name: 'More' }).click()
    for (const name of ['Waive…', 'Start over']) await moves.getByRole('button', { name }).waitFor()
    await tab.page.getByRole('region', { name: 'Log of test, round 2' }).waitFor()
    await becomes(() => tab.page.evaluate('document.documentElement.scrollWidth'), 390)
    // The bar over the foot of the page hides half of what happens to lie under its edge.
    await tab.page.locator('a[href$="/executions/phone-1"]').waitFor()
    await tab.page.evaluate(
      `document.querySelector('a[href$="/executions/phone-1"]').scrollIntoView({ block: 'center' })`,
    )
    await assertAccessibleInBothThemes(tab.page)
    assertNoProblems(tab)
    await tab.close()
  })
})
