// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CheckRun } from '../../../core/crd/types.ts'
import { checkOutputPath, executionPath, roundDiffPath } from '../../../core/execution/layout.ts'
import { clip } from '../../../core/text.ts'
import { EXECUTIONS, PROJECTS } from '../../../kube/resources.ts'
import { aProject, aTask, anExecution } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, startRig } from '../rig.ts'

const COMMIT = clip('c'.repeat(40), 64)
const START = '2026-11-27T10:00:00Z'

const aCheck = ({
  name = 'test',
  ...rest
}: Partial<Omit<CheckRun, 'name'>> & { readonly name?: string } = {}): CheckRun => ({
  name: clip(name, 40),
  state: 'Passed',
  required: true,
  round: 1,
  commit: COMMIT,
  startedAt: START,
  seconds: 55,
  exitCode: 0,
  ...rest,
})
const SHOWN = {
  name: 'test',
  state: 'passed',
  required: true,
  round: 1,
  commit: COMMIT,
  started_at: START,
  seconds: 55,
  exit_code: 0,
}

describe('checks over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())
  const keep = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(api.volumeRoot, path)), { recursive: true })
    await writeFile(join(api.volumeRoot, path), text)
  }
  /** An execution whose check was red, and then green. */
  const givenRounds = (name: string) => {
    const checks = [aCheck({ state: 'Failed', exitCode: 1, seconds: 12 }), aCheck({ round: 2, required: false })]
    return api.givenExecution(
      anExecution({ name, status: { state: 'COMPLETED', rounds: 2, roundStartedAt: '2026-01-01T00:10:00Z', checks } }),
    )
  }
  const task = async (id: string, field: string) => at((await api.get(`/api/tasks/${id}`)).body, field)

  it('stand in a project as they are created, changed one by one and removed', async () => {
    const checks = [
      { name: 'test', run: 'npm test', timeout_seconds: 90, env: [{ name: 'CI', value: '1' }] },
      { name: 'lint', run: 'npm run lint', required: false, image: 'node:22' },
    ]
    const body = { id: 'shop', name: 'Shop', remote_url: 'https://example.com/shop.git' }
    const made = await api.post('/api/projects', { ...body, checks, max_check_rounds: 0, protected_paths: ['/test/'] })
    assert.deepEqual([made.status, at(made.body, 'checks'), at(made.body, 'max_check_rounds')], [201, checks, 0])
    const { spec } = await api.client.get(PROJECTS, { namespace: api.namespace, name: 'shop' })
    assert.deepEqual([spec.checks?.[0]?.timeout, spec.protectedPaths], ['1m30s', ['/test/']])
    const edited = await api.put('/api/projects/shop', { checks: [checks[1]], max_check_rounds: null })
    assert.deepEqual([edited.status, at(edited.body, 'checks')], [200, [checks[1]]])
    assert.equal(at(edited.body, 'max_check_rounds'), undefined)
    await api.put('/api/projects/shop', { checks: null, protected_paths: null })
    const { body: bare } = await api.get('/api/projects/shop')
    assert.deepEqual([at(bare, 'checks'), at(bare, 'protected_paths')], [undefined, undefined])
  })

  for (const [what, fields, words] of [
    [
      'a name that two have',
      {
        checks: [
          { name: 'test', run: 'a' },
          { name: 'test', run: 'b' },
        ],
      },
      /^checks\[1\].*test/,
    ],
    ['a field that is none', { checks: [{ name: 'test', run: 'a', secret: 'x' }] }, /^checks\[0\]\.secret/],
    ['a check without a program', { checks: [{ name: 'test' }] }, /^checks\[0\]\.run/],
    ['a name that is none', { checks: [{ name: 'My test', run: 'a' }] }, /^checks\[0\]\.name/],
    ['too many rounds', { max_check_rounds: 11 }, /^max_check_rounds/],
    ['no time at all', { checks: [{ name: 'test', run: 'a', timeout_seconds: 0 }] }, /^checks\[0\]\.timeout_seconds/],
    [
      'a variable of Slipway’s own',
      { checks: [{ name: 'test', run: 'a', env: [{ name: 'SLIPWAY_RUN', value: 'x' }] }] },
      /^checks\[0\]\.env\[0\]\.name: .* begin with SLIPWAY_/,
    ],
    ['a pattern that matches nothing', { protected_paths: ['/ci/', '!'] }, /^protected_paths\[1\]: .* match something/],
    ['a comment', { protected_paths: ['#ci'] }, /^protected_paths\[0\]: .* match something/],
  ] as const)
    it(`refuses ${what}, and names the field`, async () => {
      const body = { name: 'Shop', remote_url: 'https://example.com/shop.git', ...fields }
      const answer = await api.post('/api/projects', body)
      assert.equal(answer.status, 400)
      assert.match(textAt(answer.body, 'error'), words)
    })

  it('are proposed from the test command, and what protects them from the top of the repository', async () => {
    await api.givenProject({
      ...aProject({ name: 'bare', spec: { testCommand: clip('npm test', 4096) } }),
      status: { lockFiles: ['package-lock.json', '.github', 'test'].map((name) => clip(name, 255)) },
    })
    const shown = async (field: string) => at((await api.get('/api/projects/bare')).body, field)
    await until('the project shows its status', async () => (await shown('lock_files')) !== undefined)
    assert.deepEqual(await shown('lock_files'), ['package-lock.json'])
    assert.deepEqual(await shown('proposed_checks'), [{ name: 'test', run: 'npm test' }])
    assert.deepEqual(await shown('proposed_protected_paths'), ['/.github/workflows/', '/test/'])
    await api.put('/api/projects/bare', { checks: [], protected_paths: [] })
    assert.deepEqual([await shown('proposed_checks'), await shown('proposed_protected_paths')], [undefined, undefined])
  })

  it('are shown of an execution with all rounds, and of a task with who waived them and what it changes of protected files', async () => {
    await givenRounds('fix-1')
    const { body } = await api.get('/api/executions/fix-1')
    assert.deepEqual(at(body, 'checks'), [
      { ...SHOWN, state: 'failed', exit_code: 1, seconds: 12 },
      { ...SHOWN, round: 2, required: false },
    ])
    assert.deepEqual([at(body, 'rounds'), at(body, 'round_started_at')], [2, '2026-01-01T00:10:00Z'])
    const checksWaived = { by: clip('ada', 200), reason: clip('flaky', 4096), at: START }
    const protectedChanges = { count: 60, paths: [clip('test/a.js', 1024)] }
    await api.given(
      aTask({ name: 'fix', status: { state: 'READY', checks: [aCheck()], checksWaived, protectedChanges } }),
    )
    assert.deepEqual(await task('fix', 'checks'), [SHOWN])
    assert.deepEqual(await task('fix', 'checks_waived'), { by: 'ada', reason: 'flaky', at: START })
    assert.deepEqual(await task('fix', 'protected_changes'), { count: 60, paths: ['test/a.js'] })
  })

  it('are shown of a task that runs from its execution, in the round that it is in, with how long each took the last time', async () => {
    const spec = { project: 'timed' }
    const earlier = (name: string, startedAt: string, seconds: number) =>
      api.given(aTask({ name, spec, status: { state: 'COMPLETED', checks: [aCheck({ startedAt, seconds })] } }))
    await earlier('older', '2026-11-26T10:00:00Z', 99)
    await earlier('newer', '2026-11-27T09:00:00Z', 44)
    const running: CheckRun = { name: clip('test', 40), state: 'Running', round: 1, startedAt: START }
    await api.givenExecution(anExecution({ name: 'now-1', status: { state: 'RUNNING', checks: [running] } }))
    await api.given(
      aTask({
        name: 'now',
        spec,
        status: { state: 'RUNNING', execution: 'now-1', checks: [aCheck({ startedAt: '2026-11-25T10:00:00Z' })] },
      }),
    )
    const { required: _, ...shown } = { required: true, name: 'test', state: 'running', round: 1, started_at: START }
    assert.deepEqual(await task('now', 'checks'), [{ ...shown, required: true, last_seconds: 44 }])
    const checks = [aCheck({ state: 'Failed', seconds: 12 }), { ...running, round: 2 }]
    await api.setStatus(EXECUTIONS, 'now-1', { state: 'RUNNING', rounds: 2, checks })
    const second = [{ ...shown, required: true, round: 2, last_seconds: 12 }]
    await until('the second round is shown', async () => at((await task('now', 'checks'))?.[0 as never], 'round') === 2)
    assert.deepEqual(await task('now', 'checks'), second)
  })

  it('have a log for each round, as plain text that no browser takes for a page, in parts and by lines', async () => {
    await givenRounds('log-1')
    await keep(checkOutputPath('log-1', { round: 1, name: clip('test', 40) }), '<b>ok 1</b>\nerror: 2\n')
    const answer = await api.get('/api/executions/log-1/checks/1/test/log')
    assert.deepEqual([answer.status, answer.text], [200, '<b>ok 1</b>\nerror: 2\n'])
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    const part = await api.get('/api/executions/log-1/checks/1/test/log', { Range: 'bytes=12-16' })
    assert.deepEqual([part.status, part.text], [206, 'error'])
    const { body } = await api.get('/api/executions/log-1/log?check=test&round=1&from=2')
    assert.deepEqual(at(body, 'lines'), [{ number: 2, text: 'error: 2' }])
    const found = await api.get('/api/executions/log-1/log/search?check=test&round=1&q=error')
    assert.deepEqual(at(found.body, 'lines'), [2])
  })

  it('have no log of a name or a round that the record does not have, and none behind a link', async () => {
    await givenRounds('odd-1')
    await keep(`${executionPath('odd-1')}/rounds/1/secret/output.log`, 'no\n')
    for (const path of ['1/secret', '3/test', 'x/test', '1/..%2F..%2F..%2Fowner', '1/%2e%2e', '1e0/tes', '2/test'])
      assert.equal((await api.get(`/api/executions/odd-1/checks/${path}/log`)).status, 404, path)
    const place = join(api.volumeRoot, checkOutputPath('odd-1', { round: 2, name: clip('test', 40) }))
    await mkdir(dirname(place), { recursive: true })
    await symlink('/etc/hostname', place)
    assert.equal((await api.get('/api/executions/odd-1/checks/2/test/log')).status, 404)
    assert.equal((await api.get('/api/executions/odd-1/log?check=secret&round=1')).status, 404)
  })

  it('have the diff that each round checked', async () => {
    await givenRounds('diff-1')
    await keep(`${executionPath('diff-1')}/${roundDiffPath(2)}`, 'diff --git a/x b/x\n')
    const answer = await api.get('/api/executions/diff-1/rounds/2/diff')
    assert.deepEqual([answer.status, answer.text], [200, 'diff --git a/x b/x\n'])
    for (const round of ['1', '3', '..', '2%2F..%2F2'])
      assert.equal((await api.get(`/api/executions/diff-1/rounds/${round}/diff`)).status, 404, round)
  })
})
