// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { STORIES, TASKS } from '../../../kube/resources.ts'
import { aStory, aTask } from '../../helpers/build.ts'
import type { KubeObject, Resource } from '../../../kube/types.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Answer, type Rig, startRig } from '../rig.ts'

const SCOPES = ['read', 'decide', 'admin'] as const
const TOKENS = ['ann', 'bob'].map((name) => ({ name, token: `token-of-${name}`, scopes: SCOPES }))
const [ann, bob, all] = ['ann', 'bob', 'all'].map((name) => ({ Authorization: `Bearer token-of-${name}` }))

describe('four eyes over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig({ token: 'token-of-all', tokens: TOKENS, fourEyes: true })
  })
  after(() => api.stop())

  const authorOf = async (kind: 'task' | 'story', name: string): Promise<string | undefined> => {
    const key = { namespace: api.namespace, name }
    const { metadata } = await (kind === 'task' ? api.client.get(TASKS, key) : api.client.get(STORIES, key))
    return metadata.annotations?.['slipway.dev/author']
  }
  const authored = (author?: string) => (author === undefined ? {} : { annotations: { 'slipway.dev/author': author } })
  /** As an operator has left it, and as the server has heard of it. */
  const given = async <T extends KubeObject & { readonly status?: unknown }>(
    resource: Resource<T>,
    object: T,
    path: string,
  ): Promise<void> => {
    const { uid: _, ...metadata } = object.metadata
    const { status, ...rest } = object
    await api.client.create(resource, { ...rest, metadata: { ...metadata, namespace: api.namespace } } as T)
    const { metadata: stored } = await api.setStatus(resource, object.metadata.name, status)
    await until(`${path} is heard of`, async () => {
      const tag = (await api.get(path, bob)).headers.get('ETag') ?? ''
      return tag.includes(stored.resourceVersion ?? '')
    })
  }
  const ready = (name: string, author?: string): Promise<void> =>
    given(TASKS, aTask({ name, metadata: authored(author), status: { state: 'READY' } }), `/api/tasks/${name}`)
  const said = ({ status, headers, body }: Answer) =>
    [status, headers.get('Slipway-Error'), textAt(body, 'error')] as const

  it('refuse an accept by the author with 403, and take one by somebody else', async () => {
    await ready('mine', 'ann')
    const error = 'task cannot be accepted: ann authored task mine; have somebody else accept it'
    assert.deepEqual(said(await api.post('/api/tasks/mine/accept', undefined, ann)), [
      403,
      'second_person_needed',
      error,
    ])
    assert.equal((await api.post('/api/tasks/mine/accept', undefined, bob)).status, 200)
  })

  it('refuse an accept with the token of the release, which has no name of its own', async () => {
    await ready('unnamed', 'ann')
    const [status, code, error] = said(await api.post('/api/tasks/unnamed/accept', undefined, all))
    assert.deepEqual([status, code], [403, 'second_person_needed'])
    assert.match(error, /api is nobody's own name; use a token of your own/)
  })

  it('refuse an accept of a task without author until somebody has edited it, and then to that one', async () => {
    await ready('old')
    assert.match(said(await api.post('/api/tasks/old/accept', undefined, bob))[2], /nobody is known to have authored/)
    assert.equal((await api.put('/api/tasks/old', { name: 'new' }, ann)).status, 200)
    assert.equal((await api.post('/api/tasks/old/accept', undefined, ann)).status, 403)
    assert.equal((await api.post('/api/tasks/old/accept', undefined, bob)).status, 200)
  })

  it('offer the accept of one record to others and not to its author, each with a tag of its own', async () => {
    await ready('offered', 'ann')
    const answers = await Promise.all([ann, bob, all].map((headers) => api.get('/api/tasks/offered', headers)))
    const actions = answers.map(({ body }) => (at(body, 'actions') as string[]).includes('accept'))
    assert.deepEqual(actions, [false, true, false])
    assert.notEqual(answers[0]?.headers.get('ETag'), answers[1]?.headers.get('ETag'))
    const lists = await Promise.all([ann, bob, ann].map((headers) => api.get('/api/tasks?limit=100', headers)))
    const inList = lists.map(({ body }) => {
      const record = (body as { id: string; actions: string[] }[]).find(({ id }) => id === 'offered')
      return record?.actions.includes('accept')
    })
    assert.deepEqual(inList, [false, true, false])
  })

  it('know who created and who edited a task, and not who only read or reviewed it', async () => {
    await api.post('/api/tasks', { id: 'made', name: 'x' }, ann)
    assert.equal(await authorOf('task', 'made'), 'ann')
    await api.put('/api/tasks/made', { name: 'x' }, bob)
    assert.equal(await authorOf('task', 'made'), 'ann')
    await api.put('/api/tasks/made', { name: 'y' }, bob)
    assert.equal(await authorOf('task', 'made'), 'bob')
    await api.post('/api/tasks/made/run', undefined, ann)
    assert.equal(await authorOf('task', 'made'), 'bob')
  })

  it('refuse an accept by the first author after others have dragged the card and changed the text', async () => {
    await ready('dragged', 'ann')
    await api.put('/api/tasks/dragged', { priority: 3 }, bob)
    assert.equal(await authorOf('task', 'dragged'), 'ann')
    assert.equal((await api.post('/api/tasks/dragged/accept', undefined, ann)).status, 403)
    await api.put('/api/tasks/dragged', { description: 'and more' }, bob)
    for (const headers of [ann, bob])
      assert.equal((await api.post('/api/tasks/dragged/accept', undefined, headers)).status, 403)
  })

  it('know who made and who edited a story, and who added a task to it', async () => {
    await api.post('/api/stories', { id: 'tale', name: 's' }, ann)
    await api.post('/api/stories/tale/tasks', { id: 'chapter', name: 't' }, bob)
    assert.deepEqual([await authorOf('story', 'tale'), await authorOf('task', 'chapter')], ['ann', 'bob'])
    await api.put('/api/stories/tale', { name: 't' }, bob)
    assert.equal(await authorOf('story', 'tale'), 'bob')
  })

  it('refuse to accept a story, and to move it to DONE, to who authored it or a task of it', async () => {
    const task = aTask({
      name: 'part',
      metadata: authored('bob'),
      spec: { storyId: 'done' },
      status: { state: 'READY' },
    })
    await given(TASKS, task, '/api/tasks/part')
    const status = { status: 'REVIEW_READY' } as const
    await given(STORIES, aStory({ name: 'done', metadata: authored('ann'), status }), '/api/stories/done')
    for (const [headers, who] of [
      [ann, 'ann authored story done'],
      [bob, 'bob authored task part'],
    ] as const) {
      const error = `story cannot be accepted: ${who}; have somebody else accept it`
      const refused = [403, 'second_person_needed', error]
      const accept = await api.post('/api/stories/done/accept', undefined, headers)
      const move = await api.put('/api/stories/done/status', { status: 'DONE' }, headers)
      assert.deepEqual([said(accept), said(move)], [refused, refused])
      const { body } = await api.get('/api/stories/done', headers)
      assert.deepEqual([at(body, 'actions'), at(body, 'moves')], [['run', 'add_task', 'move'], ['IN_PROGRESS']])
    }
  })
})

describe('four eyes and the webhook', () => {
  for (const [secret, author] of [
    ['a-long-secret', 'webhook'],
    [undefined, 'ann'],
  ] as const)
    it(`make ${author} the author ${secret === undefined ? 'by its token' : 'of what is signed'}`, async () => {
      const api = await startRig({ tokens: TOKENS, fourEyes: true, ...(secret && { webhookSecret: secret }) })
      try {
        await api.post('/api/projects', { id: 'p', name: 'p', remote_url: 'https://git.example/team/p.git' }, ann)
        const body = JSON.stringify({
          action: 'completed',
          workflow_run: {
            id: 1,
            run_attempt: 1,
            name: 'ci',
            conclusion: 'failure',
            head_sha: 'a'.repeat(40),
            head_branch: 'main',
            html_url: 'https://git.example/team/p/runs/1',
          },
          repository: { full_name: 'team/p', clone_url: 'https://git.example/team/p.git' },
        })
        const signature = createHmac('sha256', secret ?? 'forged')
          .update(body)
          .digest('hex')
        const headers = { 'X-GitHub-Event': 'workflow_run', 'X-Hub-Signature-256': `sha256=${signature}` }
        const answer = await api.post('/api/webhooks/vcshost', body, {
          ...headers,
          ...(secret === undefined ? ann : {}),
        })
        assert.equal(answer.status, 201, answer.text)
        const { metadata } = await api.client.get(TASKS, {
          namespace: api.namespace,
          name: textAt(answer.body, 'task_id'),
        })
        assert.equal(metadata.annotations?.['slipway.dev/author'], author)
      } finally {
        await api.stop()
      }
    })
})
