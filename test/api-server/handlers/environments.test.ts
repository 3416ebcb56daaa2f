// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import type { PreparedEnvironment } from '../../../core/crd/types.ts'
import { NO_ENVIRONMENTS } from '../../../core/sentences/environment.ts'
import { clip } from '../../../core/text.ts'
import { EXECUTIONS, PROJECTS } from '../../../kube/resources.ts'
import { aProject, anExecution } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { connectLive } from '../live/live-client.ts'
import { type Rig, idsOf, startRig } from '../rig.ts'

const COMMIT = 'c'.repeat(40)
const READY: PreparedEnvironment = {
  execution: 'shop-e2',
  state: 'Ready',
  recipe: 'a'.repeat(64),
  digest: 'd'.repeat(64),
  commit: COMMIT,
  cache: [{ path: clip('node_modules', 1024), mode: 'Copy' }],
  bytes: 1024,
  startedAt: '2026-11-27T10:00:00Z',
  builtAt: '2026-11-27T10:01:00Z',
  seconds: 60,
  usedAt: '2026-11-27T10:00:00Z',
}
const FAILED: PreparedEnvironment = {
  execution: 'shop-e1',
  state: 'Failed',
  recipe: '',
  onlyFor: { task: 'fix' },
  message: clip('setup ended with 1: npm error', 4096),
}
const ENVIRONMENT = { setup: 'npm ci', cache: [{ path: 'node_modules' }], keys: ['package-lock.json'] }

describe('environments of a project over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())
  const given = async (
    name: string,
    environments: readonly PreparedEnvironment[] = [],
    lockFiles: readonly string[] = [],
  ): Promise<void> => {
    await api.givenProject({ ...aProject({ name }), status: { environments, lockFiles } })
    await until(`the record of ${name} shows its status`, async () => {
      if (at((await api.get(`/api/projects/${name}`)).body, 'lock_files') !== undefined) return true
      // A server that all suites share may serve an older definition for a moment, and drop what that does not know.
      await api.setStatus(PROJECTS, name, { environments, lockFiles })
      return false
    })
  }
  const stored = (name: string) => api.client.get(PROJECTS, { namespace: api.namespace, name })

  it('are shown with what each is made of and for whom, and whether the repository asked for them', async () => {
    await given('shop', [READY, FAILED], ['package-lock.json'])
    const { body } = await api.get('/api/projects/shop')
    assert.deepEqual(at(body, 'environments'), [
      {
        execution: 'shop-e2',
        state: 'ready',
        from_repository: false,
        digest: READY.digest,
        commit: COMMIT,
        cache: [{ path: 'node_modules', mode: 'copy' }],
        bytes: 1024,
        started_at: '2026-11-27T10:00:00Z',
        built_at: '2026-11-27T10:01:00Z',
        seconds: 60,
        used_at: '2026-11-27T10:00:00Z',
      },
      {
        execution: 'shop-e1',
        state: 'failed',
        from_repository: true,
        only_for: { task_id: 'fix' },
        message: 'setup ended with 1: npm error',
      },
    ])
    assert.deepEqual(at(body, 'lock_files'), ['package-lock.json'])
  })

  it('are proposed from lock files where neither the project nor its repository says how it is prepared', async () => {
    const proposal = async (name: string) => at((await api.get(`/api/projects/${name}`)).body, 'proposed_environment')
    await given('fresh', [], ['package-lock.json'])
    await given('said', [FAILED], ['package-lock.json'])
    await given('bare', [], [])
    assert.deepEqual(await proposal('fresh'), { ...ENVIRONMENT, setup: 'npm ci\n' })
    assert.deepEqual([await proposal('said'), await proposal('bare')], [undefined, undefined])
    const saved = await api.put('/api/projects/fresh', { environment: await proposal('fresh') })
    assert.deepEqual([saved.status, await proposal('fresh')], [200, undefined])
  })

  it('change the entity tag of the project, and no edit of it is refused for that', async () => {
    await given('tagged', [], [])
    const before = (await api.get('/api/projects/tagged')).headers.get('etag') ?? ''
    await api.setStatus(PROJECTS, 'tagged', { environments: [READY] })
    await until('the record shows it', async () => {
      const { body, headers } = await api.get('/api/projects/tagged')
      return at(body, 'environments.0') !== undefined && headers.get('etag') !== before
    })
    assert.equal((await api.put('/api/projects/tagged', { name: 'Other' }, { 'If-Match': before })).status, 200)
  })

  it('are told by live messages as they are built', async () => {
    await given('told')
    const live = await connectLive(api.url)
    try {
      await api.setStatus(PROJECTS, 'told', { environments: [{ ...READY, state: 'Building' }] })
      await until('it is told', () =>
        live.messages.some(
          ({ type, project }) => type === 'project_updated' && project?.environments?.[0]?.state === 'building',
        ),
      )
    } finally {
      await live.close()
    }
  })

  it('are asked for anew by a POST, which the project notes', async () => {
    await given('again', [READY])
    const { status, body } = await api.post('/api/projects/again/environments')
    assert.deepEqual([status, at(body, 'id')], [202, 'again'])
    const { environmentRequestedAt, environments } = (await stored('again')).status ?? {}
    assert.match(environmentRequestedAt ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    assert.deepEqual(environments, [READY])
  })

  it('cannot be asked for where nobody says how the project is prepared, and the answer names both ways', async () => {
    await given('unsaid', [], ['package-lock.json'])
    const { status, body } = await api.post('/api/projects/unsaid/environments')
    assert.equal(status, 409)
    assert.match(
      textAt(body, 'error'),
      /^project unsaid has no environment: .*in environment, or in \.slipway\/environment\.yaml/,
    )
    assert.equal((await api.post('/api/projects/nobody/environments')).status, 404)
  })

  it('are removed one by one, but not while their setup runs', async () => {
    await given('less', [{ ...READY, execution: 'less-e3', state: 'Building' }, READY, FAILED])
    assert.equal((await api.delete('/api/projects/less/environments/shop-e2')).status, 204)
    const { environments = [] } = (await stored('less')).status ?? {}
    assert.deepEqual(
      environments.map(({ execution }) => execution),
      ['less-e3', 'shop-e1'],
    )
    const building = await api.delete('/api/projects/less/environments/less-e3')
    assert.deepEqual(
      [building.status, textAt(building.body, 'error')],
      [409, 'environment less-e3 cannot be removed while its setup runs'],
    )
    const gone = await api.delete('/api/projects/less/environments/shop-e2')
    assert.deepEqual([gone.status, textAt(gone.body, 'error')], [404, 'environment not found'])
  })

  it('name the field of a setup that is refused', async () => {
    await given('strict')
    for (const [change, words] of [
      [{ cache: [{ path: '/abs' }] }, /^environment\.cache\[0\]\.path: must not begin or end with \//],
      [{ cache: [{ path: 'a/../b' }] }, /^environment\.cache\[0\]\.path: must not have an empty part/],
      [{ cache: [{ path: 'a', mode: 'link' }] }, /^environment\.cache\[0\]\.mode: /],
      [
        { cache: [{ path: 'a/b' }, { path: 'a' }] },
        /^environment\.cache: has a\/b inside a, which is kept whole: leave it out$/,
      ],
      [{ keys: ['../lock'] }, /^environment\.keys\[0\]: must be a path from the top of the repository/],
      [{ setup: '' }, /^environment\.setup: /],
      [{ env: [{ name: 'A' }] }, /^environment\.env\[0\]: give either value or secretKey/],
      [{ timeout_seconds: 0 }, /^environment\.timeout_seconds: /],
    ] as const) {
      const { status, body } = await api.put('/api/projects/strict', { environment: { setup: 'true', ...change } })
      assert.equal(status, 400, JSON.stringify(change))
      assert.match(textAt(body, 'error'), words)
    }
  })

  it('are found among the executions by their project, with what each has sealed', async () => {
    const sealed = { digest: 'd'.repeat(64), commit: COMMIT, isShared: true, bytes: 7 }
    const prepare = anExecution({
      name: 'shop-e9',
      spec: { purpose: 'Prepare', projectRef: { name: 'shop' } },
      status: { state: 'COMPLETED', sealed },
    })
    await api.givenExecution(prepare)
    await api.givenExecution(anExecution({ name: 'other-1' }))
    const { body } = await api.get('/api/executions?project_id=shop')
    assert.deepEqual(idsOf(body), ['shop-e9'])
    const record = (await api.get('/api/executions/shop-e9')).body
    assert.deepEqual(at(record, 'sealed'), {
      digest: sealed.digest,
      commit: COMMIT,
      is_shared: true,
      bytes: 7,
    })
    const environment = { digest: sealed.digest, problem: clip('its setup failed: npm error', 4096) }
    await api.setStatus(EXECUTIONS, 'other-1', { state: 'RUNNING', environment })
    await until(
      'it is shown',
      async () => at((await api.get('/api/executions/other-1')).body, 'environment.problem') === environment.problem,
    )
  })
})

describe('environments where executions are plain processes', () => {
  it('are neither proposed nor built, and the project says why', async () => {
    const api = await startRig({ environmentProblem: NO_ENVIRONMENTS })
    try {
      await api.givenProject({
        ...aProject({ name: 'plain', spec: { environment: { setup: 'npm ci' } } }),
        status: { lockFiles: ['package-lock.json'] },
      })
      const { body } = await api.get('/api/projects/plain')
      assert.deepEqual(
        [at(body, 'environment_problem'), at(body, 'proposed_environment')],
        [NO_ENVIRONMENTS, undefined],
      )
      const refused = await api.post('/api/projects/plain/environments')
      assert.deepEqual([refused.status, textAt(refused.body, 'error')], [409, NO_ENVIRONMENTS])
    } finally {
      await api.stop()
    }
  })
})
