// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { TASKS } from '../../../kube/resources.ts'
import { aTask, anExecution, aProject, aStory } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { type Rig, idsOf, itemsOf, startRig } from '../rig.ts'

describe('tasks over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  it('creates a task with 201, its record and its address', async () => {
    const created = await api.post('/api/tasks', { name: 'First', agent: { type: 'script', instructions: 'true' } })
    assert.equal(created.status, 201)
    assert.match(textAt(created.body, 'id'), /^task-[0-9a-hjkmnp-tv-z]{26}$/)
    assert.equal(created.headers.get('location'), `/api/tasks/${textAt(created.body, 'id')}`)
    assert.deepEqual(
      [
        at(created.body, 'name'),
        at(created.body, 'state'),
        at(created.body, 'run_policy'),
        at(created.body, 'actions'),
      ],
      ['First', 'PENDING', 'manual', ['run', 'cancel']],
    )
    const read = await api.get(`/api/tasks/${textAt(created.body, 'id')}`)
    assert.deepEqual(read.body, created.body)
  })

  it('warns who creates, or runs, a task whose budget its agent cannot keep', async () => {
    const agent = (name: string, spec: object) =>
      api.givenAgent({
        apiVersion: 'slipway.dev/v1alpha1',
        kind: 'Agent',
        metadata: { name },
        spec: { adapter: 'gemini', ...spec },
      })
    await agent('unpriced', {})
    await agent('priced', { prices: { inputPerMillion: 1, outputPerMillion: 2 } })
    const says = /^299 - "budget_usd cannot be kept: agent unpriced tells no cost/
    const task = { name: 'Dear', budget_usd: 1 }
    const created = await api.post('/api/tasks', { ...task, id: 'dear', agent: { type: 'unpriced' } })
    assert.match(created.headers.get('warning') ?? '', says)
    assert.match((await api.post('/api/tasks/dear/run')).headers.get('warning') ?? '', says)
    for (const quiet of [{ ...task, agent: { type: 'priced' } }, task, { name: 'Free', agent: { type: 'unpriced' } }])
      assert.equal((await api.post('/api/tasks', quiet)).headers.get('warning'), null)
  })

  it('warns who deletes a task whose accepted work was still to be delivered', async () => {
    const delivery = { state: 'Pending', requestedAt: '2026-03-01T10:00:00Z' } as const
    const status = { state: 'COMPLETED', branch: 'slipway/work', delivery } as const
    const warningOf = async (name: string, project: string): Promise<string | null> => {
      await api.given(aTask({ name, spec: { project }, status }))
      const { status: code, headers } = await api.delete(`/api/tasks/${name}`)
      assert.equal(code, 204)
      return headers.get('warning')
    }
    await api.givenProject(aProject({ name: 'merging', spec: { onAccept: 'Merge' } }))
    await api.givenProject(aProject({ name: 'leaving' }))
    const words = 'its accepted work was still to be delivered and now is not: it stays on branch slipway/work'
    assert.deepEqual(
      [await warningOf('hasty', 'merging'), await warningOf('merged-by-hand', 'leaving')],
      [`299 - "${words}"`, null],
    )
  })

  it('goes on from accepted work alone, where that works', async () => {
    const work = (name: string, state: 'COMPLETED' | 'FAILED') =>
      api.given(aTask({ name, spec: { repositoryUrl: '/srv/shop' }, status: { state } }))
    await work('accepted', 'COMPLETED')
    await work('red', 'FAILED')
    const created = await api.post('/api/tasks', { id: 'more', name: 'More', continues: 'accepted' })
    assert.deepEqual(
      [created.status, at(created.body, 'continues'), at(created.body, 'repository_url')],
      [201, 'accepted', '/srv/shop'],
    )
    const refused = await api.post('/api/tasks', { name: 'More', continues: 'red' })
    assert.equal(refused.status, 400)
    assert.match(textAt(refused.body, 'error'), /^continues: task red is FAILED, and only accepted work/)
    const moved = await api.put('/api/tasks/more', { repository_url: '/srv/site' })
    assert.match(textAt(moved.body, 'error'), /^continues: task accepted belongs to no project, repository \/srv\/shop/)
    assert.equal((await api.put('/api/tasks/more', { repository_url: '/srv/site', continues: null })).status, 200)
  })

  it('refuses an image that the named agent may not run, at once and when it is edited', async () => {
    await api.givenAgent({
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Agent',
      metadata: { name: 'narrow' },
      spec: { adapter: 'script', allowedImages: ['registry.example.com/team/*'] },
    })
    const task = { id: 'in-image', name: 'A', agent: { type: 'narrow' } }
    const error =
      "container_image: agent narrow may not run image node: allowedImages of the agent has registry.example.com/team/*; name another containerImage or agent, or none to run in the agent's own image"
    const refused = await api.post('/api/tasks', { ...task, container_image: 'node' })
    assert.deepEqual([refused.status, refused.body], [400, { error }])
    assert.equal(
      (await api.post('/api/tasks', { ...task, container_image: 'registry.example.com/team/a' })).status,
      201,
    )
    const edited = await api.put('/api/tasks/in-image', { container_image: 'node' })
    assert.deepEqual([edited.status, edited.body], [400, { error }])
  })

  it('labels what it creates as managed by slipway', async () => {
    const { body } = await api.post('/api/tasks', { name: 'Labelled' })
    const stored = await api.client.get(TASKS, { namespace: api.namespace, name: textAt(body, 'id') })
    assert.equal(stored.metadata.labels?.['app.kubernetes.io/managed-by'], 'slipway')
  })

  it('takes the id that a create names, and refuses it the second time with 409', async () => {
    assert.equal(at((await api.post('/api/tasks', { id: 'mine', name: 'Mine' })).body, 'id'), 'mine')
    const again = await api.post('/api/tasks', { id: 'mine', name: 'Mine' })
    assert.deepEqual([again.status, again.body], [409, { error: 'task mine already exists' }])
  })

  it('reads the legacy agent key when there is no agent', async () => {
    await api.givenAgent({
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Agent',
      metadata: { name: 'claude' },
      spec: { adapter: 'claude' },
    })
    const { body } = await api.post('/api/tasks', { name: 'Old', claude: { model: 'm', instructions: 'do' } })
    assert.deepEqual(at(body, 'agent'), { type: 'claude', model: 'm', instructions: 'do' })
  })

  const refusals: readonly [string, unknown, string][] = [
    ['an unknown field', { name: 'x', colour: 'red' }, 'colour: unknown field'],
    ['an unknown nested field', { name: 'x', agent: { colour: 'red' } }, 'agent.colour: unknown field'],
    ['a missing name', {}, 'name: is required'],
    ['an unknown agent', { name: 'x', agent: { type: 'nobody' } }, 'agent.type: agent nobody does not exist'],
    ['an unknown project', { name: 'x', project: 'nowhere' }, 'project: project nowhere does not exist'],
    ['an unknown task to go on from', { name: 'x', continues: 'nothing' }, 'continues: task nothing does not exist'],
    ['an unknown dependency', { name: 'x', depends_on: ['nothing'] }, 'depends_on: task nothing does not exist'],
    ['an unknown parent', { name: 'x', parent_task_id: 'nothing' }, 'parent_task_id: task nothing does not exist'],
    ['an unknown story', { name: 'x', story_id: 'nothing' }, 'story_id: story nothing does not exist'],
    [
      'an unknown run policy',
      { name: 'x', run_policy: 'later' },
      'run_policy: must be one of manual, auto, not "later"',
    ],
    [
      'both agent and its older name',
      { name: 'x', agent: { model: 'a' }, claude: { model: 'b' } },
      'claude: agent and claude exclude each other',
    ],
    ['an empty name', { name: '' }, 'name: must not be empty'],
    ['a blank name', { name: ' \t' }, 'name: must be one line that is not blank'],
    ['a name of two lines', { name: 'a\nb' }, 'name: must be one line that is not blank'],
    ['a NUL', { name: 'x', agent: { instructions: 'a\0b' } }, 'agent.instructions: must not contain NUL characters'],
    ['a body that is no object', [], 'the body must be an object'],
    ['a null where a text is wanted', { name: null }, 'name: must be a text, not null'],
    ['a number out of range', { name: 'x', max_attempts: 0 }, 'max_attempts: must be from 1 to '],
    [
      'a priority beyond int32',
      { name: 'x', priority: 2 ** 31 },
      'priority: must be from -2147483648 to 2147483647, not 2147483648',
    ],
    ['a dependency named twice', { name: 'x', depends_on: ['a', 'b', 'a'] }, 'depends_on: must not name "a" twice'],
    ['an empty project', { name: 'x', project: '' }, 'project: must not be empty'],
    ['an id that is no label', { name: 'x', id: 'Not_Me' }, 'id: must be lower-case letters, digits and -'],
  ]
  for (const [what, body, message] of refusals) {
    it(`refuses ${what} with 400 that names it`, async () => {
      const { status, body: answer } = await api.post('/api/tasks', body)
      assert.equal(status, 400)
      assert.ok(textAt(answer, 'error').startsWith(message), textAt(answer, 'error'))
    })
  }

  it('refuses a repository URL that the CRD refuses with 400 that names the field', async () => {
    const { status, body } = await api.post('/api/tasks', { name: 'x', repository_url: '--upload-pack=evil' })
    assert.equal(status, 400)
    assert.match(textAt(body, 'error'), /^repository_url: must be/)
  })

  it('refuses a repository URL with a password, naming the way out and not the password', async () => {
    const { status, text } = await api.post('/api/tasks', { name: 'x', repository_url: 'https://me:s3cret@host/app' })
    assert.equal(status, 400)
    assert.match(text, /repository_url: must not carry a password.*git\.secretName/)
    assert.ok(!text.includes('s3cret'), text)
    const token = await api.post('/api/tasks', { name: 'x', repository_url: 'https://ghp_s3cret@host.example/app' })
    assert.equal(token.status, 400)
    assert.match(token.text, /repository_url: must not carry a user, which may be a token.*git\.secretName/)
    assert.ok(!token.text.includes('s3cret'), token.text)
  })

  it('refuses the URL of a page in place of a repository, naming where the branch belongs', async () => {
    for (const url of ['https://host.example/a/b/tree/main', 'https://host.example/a/b#main']) {
      const { status, text } = await api.post('/api/tasks', { name: 'x', repository_url: url })
      assert.equal(status, 400)
      assert.match(text, /repository_url: must .*a project names its branch in defaultBranch/)
    }
  })

  it('refuses a task in a DONE story with 409', async () => {
    await api.givenStory(aStory({ name: 'done', status: { status: 'DONE' } }))
    const { status, body } = await api.post('/api/tasks', { name: 'x', story_id: 'done' })
    assert.deepEqual([status, at(body, 'error')], [409, 'story is DONE'])
  })

  it('answers 404 for a task that does not exist, whatever its name', async () => {
    for (const id of ['nothing', '..%2F..%2Fhealthz', 'A%20B']) {
      const { status, body } = await api.get(`/api/tasks/${id}`)
      assert.deepEqual([status, body], [404, { error: 'task not found' }])
    }
  })

  it('reads at once what kubectl has just written', async () => {
    await api.client.create(TASKS, aTask({ name: 'fresh', metadata: { namespace: api.namespace } }))
    assert.equal((await api.get('/api/tasks/fresh')).status, 200)
  })

  it('lists the tasks of one state only, and refuses a state that does not exist', async () => {
    await api.given(aTask({ name: 'timed-out', status: { state: 'TIMED_OUT' } }))
    const { body } = await api.get('/api/tasks?state=TIMED_OUT')
    assert.deepEqual(idsOf(body), ['timed-out'])
    const unknown = await api.get('/api/tasks?state=SLEEPING')
    assert.equal(unknown.status, 400)
    assert.match(textAt(unknown.body, 'error'), /SLEEPING/)
  })

  it('lists newest first what was made within one second under ids of its own, in pages that skip and repeat none', async () => {
    const ids = ['own-b', 'own-c', 'own-a', 'own-d']
    // Whichever of them a slow machine makes in another second, the order is the same.
    for (const id of ids) assert.equal((await api.post('/api/tasks', { id, name: id })).status, 201)
    const listed: string[] = []
    for (let next: string | undefined = '/api/tasks?limit=1'; next !== undefined;) {
      const page = await api.get(next)
      listed.push(...idsOf(page.body).map(String))
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(
      listed.filter((id) => ids.includes(id)),
      ids.toReversed(),
    )
  })

  it('lists newest first, in pages that together are the list', async () => {
    const whole = idsOf((await api.get('/api/tasks')).body)
    const paged: unknown[] = []
    for (let next: string | undefined = '/api/tasks?limit=3'; next !== undefined;) {
      const page = await api.get(next)
      paged.push(...idsOf(page.body))
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(paged, whole)
    assert.ok(whole.length > 3)
  })

  it('shows the deployment status of READY tasks only, in list and get', async () => {
    await api.givenExecution(anExecution({ name: 'ready-1', status: { state: 'COMPLETED', commits: ['c0ffee'] } }))
    await api.given(aTask({ name: 'ready', status: { state: 'READY', execution: 'ready-1' } }))
    const expected = { deployed_commit: '', fix_commits: ['c0ffee'], includes_fix: false }
    assert.deepEqual(at((await api.get('/api/tasks/ready')).body, 'deployment_status'), expected)
    assert.deepEqual((await api.get('/api/tasks/ready/deployment-status')).body, expected)
    const list = (await api.get('/api/tasks')).body
    const withStatus = itemsOf(list).filter((task) => at(task, 'deployment_status') !== undefined)
    assert.deepEqual(idsOf(withStatus), ['ready'])
  })

  it('says why a queued task waits', async () => {
    await api.given(aTask({ name: 'first-of-two' }))
    await api.given(
      aTask({ name: 'second-of-two', spec: { dependsOn: ['first-of-two'] }, status: { state: 'QUEUED' } }),
    )
    const { body } = await api.get('/api/tasks/second-of-two')
    assert.equal(
      at(body, 'waiting_for'),
      'waits for task first-of-two (PENDING, waits for run); start it: slipway restart first-of-two',
    )
  })

  it('lists subtasks in chain order', async () => {
    await api.given(aTask({ name: 'parent' }))
    await api.given(aTask({ name: 'sub-b', spec: { parentTaskId: 'parent', dependsOn: ['sub-z'] } }))
    await api.given(aTask({ name: 'sub-z', spec: { parentTaskId: 'parent' } }))
    const { body } = await api.get('/api/tasks/parent/subtasks')
    assert.deepEqual(idsOf(body), ['sub-z', 'sub-b'])
  })

  it('answers 304 while the entity tag is the same', async () => {
    const first = await api.get('/api/tasks/parent')
    const tag = first.headers.get('etag') ?? ''
    assert.equal((await api.get('/api/tasks/parent', { 'If-None-Match': tag })).status, 304)
    assert.equal((await api.get('/api/tasks/parent', { 'If-None-Match': '"other"' })).status, 200)
  })

  it('gives links to the branch where the host is known', async () => {
    await api.givenProject(
      aProject({ name: 'hub', spec: { remoteUrl: 'git@github.com:o/r.git', defaultBranch: 'main' } }),
    )
    const { repositoryUrl: _, ...spec } = aTask().spec
    await api.given({
      ...aTask({ name: 'linked', status: { state: 'READY', branch: 'slipway/x' } }),
      spec: { ...spec, project: 'hub' },
    })
    const { body } = await api.get('/api/tasks/linked')
    assert.deepEqual(
      [at(body, 'branch_url'), at(body, 'compare_url')],
      ['https://github.com/o/r/tree/slipway/x', 'https://github.com/o/r/compare/main...slipway/x'],
    )
  })

  it('prints a manifest that names the resource and says what happened as comments', async () => {
    const { status, text, headers } = await api.get('/api/tasks/parent/manifest')
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /yaml/)
    assert.match(text, /^apiVersion: slipway.dev\/v1alpha1\nkind: Task\n/)
    assert.match(text, /^# Events: none$/m)
  })
})
