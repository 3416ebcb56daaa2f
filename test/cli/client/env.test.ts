import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { envCommand } from '../../../cli/commands/env.ts'
import { findingsOfProject } from '../../../cli/doctor/environment.ts'
import type { PreparedEnvironment } from '../../../core/crd/types.ts'
import { EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import { NO_ENVIRONMENTS } from '../../../core/sentences/environment.ts'
import { clip } from '../../../core/text.ts'
import { PROJECTS } from '../../../kube/resources.ts'
import { aProject, anExecution } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { runCommand } from './run-command.ts'

const READY: PreparedEnvironment = {
  execution: 'shop-e2',
  state: 'Ready',
  recipe: 'a'.repeat(64),
  commit: 'c0ffee'.repeat(7).slice(0, 40),
  bytes: 140_000_000,
  builtAt: '2026-11-27T10:01:00Z',
  seconds: 72,
}
const FAILED: PreparedEnvironment = {
  execution: 'shop-e1',
  state: 'Failed',
  recipe: '',
  onlyFor: { task: 'fix' },
  message: clip('the setup ended with 1\nnpm error 404', 4096),
}

describe('slipway env', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())
  const env = (...words: string[]) => runCommand(envCommand, words, api.url)
  const given = (name: string, environments: readonly PreparedEnvironment[], lockFiles: readonly string[] = []) =>
    api.givenProject(aProject({ name, status: { environments, lockFiles } }))

  it('lists what is prepared, for whom, what it takes and why one failed', async () => {
    await given('shop', [READY, FAILED])
    const [heading = '', ready = '', failed = ''] = (await env('ls', 'shop')).out.split('\n')
    assert.match(heading, /^ENVIRONMENT +STATE +FOR +COMMIT +SIZE +TOOK +AGE +USED +MESSAGE$/)
    assert.match(ready, /^shop-e2 +ready +all tasks +c0ffeec0ffee +1[34]\d(\.\d)? Mi?B +1m12s +/)
    assert.match(failed, /^shop-e1 +failed +task fix alone .*the setup ended with 1$/)
    assert.equal((await env('ls', 'shop', '-o', 'name')).out, 'shop-e2\nshop-e1\n')
    const listed = JSON.parse((await env('ls', 'shop', '-o', 'json')).out) as { execution: string }[]
    assert.deepEqual(
      listed.map(({ execution }) => execution),
      ['shop-e2', 'shop-e1'],
    )
  })

  it('shows what could be prepared where nobody says, as YAML to paste', async () => {
    await given('fresh', [], ['package-lock.json'])
    const { out } = await env('ls', 'fresh')
    assert.match(out, /^Each agent begins without the dependencies of package-lock\.json\./)
    assert.match(out, /slipway edit --project fresh, and add\n {2}environment:\n {4}setup: \|\n {6}npm ci\n/)
  })

  it('waits for what it has built, and ends with 1 where the setup fails', async () => {
    await given('again', [READY])
    for (const [execution, entry, code, words] of [
      ['again-e3', { state: 'Ready', bytes: 1024, seconds: 3 }, 0, /^again-e3 is ready: 1.* built in 3s\n$/],
      [
        'again-e4',
        { state: 'Failed', message: clip('no such package', 4096) },
        1,
        /^again-e4 has failed\n {2}no such package\n\nNext: slipway env log again again-e4\n$/,
      ],
    ] as const) {
      const before = (await stored('again')).status?.environments ?? []
      const waiting = env('build', 'again', '--wait')
      await until('it is asked for', async () => (await stored('again')).status?.environmentRequestedAt !== undefined)
      const { environmentRequestedAt: _, ...status } = (await stored('again')).status ?? {}
      const built = { execution, recipe: 'a'.repeat(64), ...entry }
      await api.setStatus(PROJECTS, 'again', { ...status, environments: [built, ...before] })
      const { code: given, out } = await waiting
      assert.equal(given, code)
      assert.match(out, words)
    }
  })
  const stored = (name: string) => api.client.get(PROJECTS, { namespace: api.namespace, name })

  it('prints the log of the newest setup, or of the one that is named', async () => {
    await given('logged', [
      { ...READY, execution: 'logged-e2' },
      { ...READY, execution: 'logged-e1' },
    ])
    for (const name of ['logged-e1', 'logged-e2']) {
      await api.givenExecution(anExecution({ name, spec: { purpose: 'Prepare', projectRef: { name: 'logged' } } }))
      const path = join(api.volumeRoot, executionPath(name), EXECUTION_FILES.stdout)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, `added 7 packages by ${name}\n`)
    }
    assert.equal((await env('log', 'logged')).out, 'added 7 packages by logged-e2\n')
    assert.equal((await env('log', 'logged', 'logged-e1')).out, 'added 7 packages by logged-e1\n')
  })

  it('removes one, and says what else may be typed', async () => {
    await given('less', [READY, FAILED])
    assert.equal((await env('rm', 'less', 'shop-e1')).out, 'shop-e1 removed\n')
    assert.deepEqual(
      (await stored('less')).status?.environments?.map(({ execution }) => execution),
      ['shop-e2'],
    )
    for (const words of [
      ['rm', 'less'],
      ['show', 'less'],
      ['ls', 'less', 'x'],
      ['ls', 'less', '--wait'],
    ])
      await assert.rejects(env(...words), { message: /^env: / })
  })
})

describe('slipway doctor --project', () => {
  const project = {
    id: 'shop',
    name: 'Shop',
    remote_url: 'https://h/shop.git',
    run_policy: 'manual',
    created_at: '',
  } as const
  const now = new Date('2026-11-27T12:00:00Z')
  const brief = (more: object) =>
    findingsOfProject({ ...project, ...more }, now).map(({ status, text, remedy = '' }) => [status, text, remedy])

  it('proposes a test command as a check, with the paths that protect it, and nothing where checks are said', () => {
    const proposed = { proposed_checks: [{ name: 'test', run: 'npm test' }], proposed_protected_paths: ['/test/'] }
    const [status, text = '', remedy = ''] = brief(proposed).at(-1) ?? []
    assert.deepEqual([status, text.includes('test command')], ['warn', true])
    assert.match(remedy, /and add\nchecks:\n {2}- name: test\n {4}run: npm test\nprotected_paths:\n {2}- \/test\/\n/)
    assert.equal(
      brief({}).some((finding) => finding[1]?.includes('test command')),
      false,
    )
  })

  it('proposes how the project is prepared, to be pasted', () => {
    const environment = {
      setup: 'npm ci\n',
      cache: [{ path: 'node_modules', mode: 'copy' }],
      keys: ['package-lock.json'],
    }
    const [found = [], ...more] = brief({ proposed_environment: environment, lock_files: environment.keys })
    assert.deepEqual([found[0], more], ['warn', []])
    assert.match(found[2] ?? '', /^slipway edit --project shop, and add\nenvironment:\n {2}setup: \|\n {4}npm ci\n/)
  })

  it('says how the last setup for all tasks ended, and what all take', () => {
    const ready = { execution: 'shop-e2', state: 'ready', from_repository: false, bytes: 2_000_000, seconds: 9 }
    const failed = { ...ready, execution: 'shop-e3', state: 'failed', message: 'npm error' }
    const environment = { setup: 'npm ci' }
    const ofReady = brief({ environment, environments: [{ ...failed, only_for: { task_id: 'x' } }, ready] })
    assert.deepEqual(
      ofReady.map(([status]) => status),
      ['ok', 'ok', 'ok'],
    )
    assert.match(ofReady[1]?.[1] ?? '', /^shop-e2 is ready for all tasks, .*built in 9s$/)
    assert.match(ofReady[2]?.[1] ?? '', /^2 environments of shop take .*retention\.environmentBytes$/)
    assert.deepEqual(brief({ environment, environments: [failed, ready] })[1], [
      'fail',
      'shop-e3 has failed: npm error',
      'slipway env log shop shop-e3',
    ])
  })

  it('says that plain processes have none', () => {
    assert.deepEqual(
      brief({ environment_problem: NO_ENVIRONMENTS, environment: { setup: 'x' } }).map(([status, text]) => [
        status,
        text,
      ]),
      [['warn', NO_ENVIRONMENTS]],
    )
  })
})
