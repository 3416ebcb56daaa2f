import assert from 'node:assert/strict'
import type { JsonValue } from '../../../embedded/schema/json.ts'
import { type Attempts, annotate, decide, make, patch, readTable, tryAttempts } from './attempts.ts'
import { PEOPLE, userOf } from './people.ts'
import { type Request, type RolesRig, answerOf, messageOf, outcomeOf, setUpRoles, SLIPWAY } from './setup.ts'

const execution = { taskRef: { name: 'a' }, agent: 'script', attempt: 1, purpose: 'Run' }
const lease = (name: string): Request => ({
  method: 'POST',
  path: 'coordination.k8s.io/v1/leases',
  body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec: {} },
})

const ATTEMPTS: Attempts = {
  'list tasks': () => ({ method: 'GET', path: 'tasks' }),
  'list executions': () => ({ method: 'GET', path: 'executions' }),
  'create a task': () => make('tasks', 'Task', { title: 'New' }),
  'create a task with more annotations than are judged': () =>
    make('tasks', 'Task', { title: 'New' }, Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`a${n}`, '']))),
  'create a task that is accepted': (user) =>
    make('tasks', 'Task', { title: 'New' }, { 'slipway.dev/action': 'accept', 'slipway.dev/by': user }),
  'edit a task': () => patch('tasks/a', { spec: { title: 'Other' } }),
  'label a task': () => patch('tasks/a', { metadata: { labels: { a: 'b' } } }),
  'set another annotation of a task': () => annotate('tasks/a', { 'slipway.dev/fixes': 'a' }),
  'lift the finalizers of a task': () => patch('tasks/a', { metadata: { finalizers: null } }),
  'delete a task': () => ({ method: 'DELETE', path: 'tasks/a' }),
  accept: (user) => decide('tasks/a', user, 'accept'),
  reject: (user) => decide('tasks/a', user, 'reject', { 'slipway.dev/comment': 'no' }),
  revise: (user) => decide('tasks/a', user, 'revise', { 'slipway.dev/comment': 'no' }),
  run: (user) => decide('tasks/a', user, 'run'),
  resume: (user) => decide('tasks/a', user, 'resume'),
  answer: (user) => decide('tasks/a', user, 'answer', { 'slipway.dev/answer': 'yes' }),
  cancel: (user) => decide('tasks/a', user, 'cancel'),
  message: (user) => decide('tasks/a', user, 'message', { 'slipway.dev/comment': 'hi', 'slipway.dev/mode': 'queue' }),
  'accept as somebody else': () => decide('tasks/a', 'alice', 'accept'),
  'accept without a name': () => annotate('tasks/a', { 'slipway.dev/action': 'accept' }),
  'cancel without a name': () => annotate('tasks/a', { 'slipway.dev/action': 'cancel' }),
  'cancel as somebody else': () => decide('tasks/a', 'alice', 'cancel'),
  'accept once more by its id': (user) =>
    annotate('tasks/asked', { 'slipway.dev/action-id': '2', 'slipway.dev/by': user }),
  'take back an accept': () =>
    annotate('tasks/asked', { 'slipway.dev/action': null, 'slipway.dev/action-id': null, 'slipway.dev/by': null }),
  'rename who accepted': (user) => annotate('tasks/asked', { 'slipway.dev/by': user }),
  'change an accept that somebody asked for': () => annotate('tasks/asked', { 'slipway.dev/action-id': '2' }),
  'turn a named accept into a reject': () => annotate('tasks/asked', { 'slipway.dev/action': 'reject' }),
  'take the name from an accept': () => annotate('tasks/asked', { 'slipway.dev/by': null }),
  'comment without an action': () => annotate('tasks/a', { 'slipway.dev/comment': 'a' }),
  'accept a story': (user) => decide('stories/a', user, 'accept'),
  'move a story': (user) => decide('stories/a', user, 'move', { 'slipway.dev/status': 'BACKLOG' }),
  'move a story to DONE': (user) => decide('stories/a', user, 'move', { 'slipway.dev/status': 'DONE' }),
  'edit a story': () => patch('stories/a', { spec: { title: 'Other' } }),
  'undrain an agent': (user) => decide('agents/a', user, 'undrain'),
  'edit an agent': () => patch('agents/a', { spec: { image: 'registry.example.com/team/a' } }),
  'create an agent': () => make('agents', 'Agent', { adapter: 'script' }),
  'create a project': () => make('projects', 'Project', { title: 'P', remoteUrl: 'https://git.example.com/p.git' }),
  'create an execution': () => make('executions', 'Execution', execution),
  'edit an execution': () => patch('executions/a-1', { metadata: { labels: { a: 'b' } } }),
  'lift the finalizer of an execution': () => patch('executions/a-1', { metadata: { finalizers: null } }),
  'write the status of a task': () => patch('tasks/a/status', { status: { state: 'QUEUED' } }),
  'replace the status of a task': (_user, resourceVersion) => ({
    method: 'PUT',
    path: 'tasks/a/status',
    body: {
      ...SLIPWAY,
      kind: 'Task',
      metadata: { name: 'a', resourceVersion },
      spec: { title: 'A' },
      status: { state: 'QUEUED' },
    },
  }),
  'create a story event': () =>
    make('storyevents', 'StoryEvent', {
      storyId: 'a',
      kind: 'human_accepted',
      at: '2026-01-01T00:00:00Z',
      payload: {},
    }),
  'create a Lease of somebody else': () => lease('kube-scheduler'),
  'create a Lease of ours': () => lease('slipway-slot-a-1'),
  'make a Secret usable by agents': () =>
    patch('v1/secrets/a', { metadata: { labels: { 'slipway.dev/usable-by': 'agent' } } }),
  'send a git Secret to another host': () =>
    patch('v1/secrets/git', { metadata: { annotations: { 'slipway.dev/git-host': 'evil.example' } } }),
  'create a task with an image of ours': () =>
    make('tasks', 'Task', { title: 'New', containerImage: 'registry.example.com/team/node:20' }),
  'create a task with another image': () =>
    make('tasks', 'Task', { title: 'New', containerImage: 'quay.example/node:20' }),
  'create a project with another image': () =>
    make('projects', 'Project', {
      title: 'P',
      remoteUrl: 'https://git.example.com/p.git',
      containerImage: 'quay.example/node:20',
    }),
  'create an agent with another image': () =>
    make('agents', 'Agent', { adapter: 'script', image: 'quay.example/node:20' }),
  'create a task on a host of ours': () =>
    make('tasks', 'Task', { title: 'New', repositoryUrl: 'https://git.example.com/p.git' }),
  'create a task on another host': () =>
    make('tasks', 'Task', { title: 'New', repositoryUrl: 'https://evil.example/p.git' }),
  'create a project on another host': () =>
    make('projects', 'Project', { title: 'P', remoteUrl: 'https://evil.example/p.git' }),
  'write a Secret': () => patch('v1/secrets/git', { data: { password: 'YQ==' } }),
}

const TABLE = `
V A P B M N W O S U G R  what
+ + + + + r + + + + + +  list tasks
+ + + + + r + + + + + +  list executions
r + r + + r + r + r r +  create a task
r N r N N r N r N r r N  create a task with more annotations than are judged
r D r + + r + r D r r +  create a task that is accepted
r + E + + r + E r E + +  edit a task
r + E + + r + E r E + +  label a task
r + E + + r + E r E + +  set another annotation of a task
r + E + + r + E r E + +  lift the finalizers of a task
r + r + + r + + + r + +  delete a task
r D + + + r + D r D D +  accept
r D + + + r + D r D D +  reject
r D + + + r + D r D D +  revise
r + + + + r + D r D D +  run
r + + + + r + D r D D +  resume
r + + + + r + D r D D +  answer
r + + + + r + D r D D +  cancel
r + + + + r + D r D D +  message
r D D D D r D D r D D D  accept as somebody else
r D + + + r + D r D D +  accept without a name
r + + + + r + + r + D +  cancel without a name
r D D D D r D D r D D D  cancel as somebody else
r D + + + r + D r D D +  accept once more by its id
r D + + + r + + r D D +  take back an accept
r D + + + r + D r D D +  rename who accepted
r D D D D r D D r D D D  change an accept that somebody asked for
r D D D D r D D r D D D  turn a named accept into a reject
r D + + + r + + r D D +  take the name from an accept
r D D D D r D D r D D D  comment without an action
r D + + + r + D r r D +  accept a story
r D + + + r + D r r D +  move a story
r D + + + r + D r r D +  move a story to DONE
r + E + + r + E r r + +  edit a story
r r r r + r + D r r D +  undrain an agent
r r r r + r + E r r + +  edit an agent
r r r r + r + r + r r +  create an agent
r r r r + r + r + r r +  create a project
r r r r r r R + + r r +  create an execution
r r r r r r R + r + + +  edit an execution
r r r r r r R + r + + +  lift the finalizer of an execution
r r r r r r R r r r + +  write the status of a task
r r r r r r R + + r + +  replace the status of a task
r r r r r r R + + r r +  create a story event
r + r + + r r L r r r +  create a Lease of somebody else
r + r + + r r + r r r +  create a Lease of ours
r S r S + r r r r r + +  make a Secret usable by agents
r S r S + r r r r r + +  send a git Secret to another host
r + r + + r + r + r r +  create a task with an image of ours
r I r I I r I r I r r I  create a task with another image
r r r r I r I r I r r I  create a project with another image
r r r r I r I r I r r I  create an agent with another image
r + r + + r + r + r r +  create a task on a host of ours
r H r H H r H r H r r H  create a task on another host
r r r r H r H r H r r H  create a project on another host
r + r + + r r r r r + +  write a Secret
`

/** For one registry's folder and docker.io, which a name without a registry is of; upper case is no such name. */
const IMAGES = [
  ['registry.example.com/team/a/b@sha256:0', '+'],
  ['registry.example.com/team:1', '+'],
  ['EVIL/tool', 'I'],
  ['registry.example.com/teams/a', 'I'],
  ['registry.example.com/other', 'I'],
  ['registry.example.com.evil.example/team/a', 'I'],
  ['team/a', '+'],
] as const

/** For one host, and the names below another. */
const REPOSITORIES = [
  ['https://git.example.com/p.git', '+'],
  ['https://GIT.example.com:8443/p.git', '+'],
  ['ssh://git@git.example.com/p.git', '+'],
  ['git@git.example.com:team/p.git', '+'],
  ['https://a.b.example.org/p.git', '+'],
  ['https://example.org/p.git', 'H'],
  ['https://git.example.com.evil.example/p.git', 'H'],
  ['https://git@evil.example/git.example.com/p.git', 'H'],
  ['https://evil.example/git.example.com/p.git', 'H'],
  ['https://gitXexample.com/p.git', 'H'],
  ['git@evil.example:git.example.com/p.git', 'H'],
  ['file:///srv/p.git', 'H'],
] as const

describe('who may do what, by roles and admission policies', function () {
  let rig: RolesRig
  before(async () => {
    rig = await setUpRoles({
      images: ['registry.example.com/team', 'docker.io'],
      repositoryHosts: ['git.example.com', '*.example.org'],
    })
    const metadata = { name: 'a', namespace: rig.namespace }
    const finalizers = ['example.com/theirs']
    const asked = { 'slipway.dev/action': 'accept', 'slipway.dev/action-id': '1', 'slipway.dev/by': 'kubernetes-admin' }
    await rig.apply(
      { ...SLIPWAY, kind: 'Task', metadata: { ...metadata, finalizers }, spec: { title: 'A' } },
      { ...SLIPWAY, kind: 'Story', metadata, spec: { title: 'A' } },
      { ...SLIPWAY, kind: 'Agent', metadata, spec: { adapter: 'script' } },
      { ...SLIPWAY, kind: 'Execution', metadata: { ...metadata, name: 'a-1', finalizers }, spec: execution },
      { apiVersion: 'v1', kind: 'Secret', metadata },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          ...metadata,
          name: 'git',
          labels: { 'slipway.dev/usable-by': 'git' },
          annotations: { 'slipway.dev/git-host': 'git.example.com' },
        },
      },
      {
        ...SLIPWAY,
        kind: 'Task',
        metadata: { ...metadata, name: 'asked', annotations: asked },
        spec: { title: 'Asked' },
      },
    )
  })
  after(() => rig.end())

  const { letters } = readTable(TABLE)

  tryAttempts(TABLE, ATTEMPTS, () => rig)

  it('says by kubectl auth can-i who may accept tasks', async () => {
    const may = letters.map(async (letter) => {
      const user = userOf(PEOPLE[letter], rig)
      const args = ['auth', 'can-i', 'accept', 'tasks.slipway.dev', '--namespace', rig.namespace, '--as', user]
      return (await answerOf(...args)) === 'yes' ? letter : '-'
    })
    assert.equal((await Promise.all(may)).join(' '), '- - P B M - W - - - - R')
  })

  it("lets the operator cancel in nobody's name, and not in the name that somebody else left", async () => {
    const take = (annotations: JsonValue) => rig.as('operator', annotate('tasks/asked', annotations))
    const cancel = { 'slipway.dev/action': 'cancel', 'slipway.dev/action-id': null }
    const outcomes = await Promise.all([take({ ...cancel, 'slipway.dev/by': null }), take(cancel)])
    assert.deepEqual(outcomes.map(outcomeOf), ['+', 'D'])
  })

  for (const [containerImage, outcome] of IMAGES)
    it(`${outcome === '+' ? 'takes' : 'refuses'} the image ${containerImage}`, async () => {
      const answer = await rig.as('author', make('tasks', 'Task', { title: 'New', containerImage }))
      assert.equal(outcomeOf(answer), outcome)
    })

  for (const [repositoryUrl, outcome] of REPOSITORIES)
    it(`${outcome === '+' ? 'takes' : 'refuses'} the repository ${repositoryUrl}`, async () => {
      const answer = await rig.as('author', make('tasks', 'Task', { title: 'New', repositoryUrl }))
      assert.equal(outcomeOf(answer), outcome)
    })

  it('says in a refusal what is missing, and in which role it is', async () => {
    const author = userOf('author', rig)
    const refused = await rig.as('author', decide('tasks/a', author, 'accept'))
    assert.equal(
      messageOf(refused),
      `${author} may not accept tasks: this needs the verb accept on tasks.slipway.dev, which the ClusterRole slipway-approver gives`,
    )
    const approver = userOf('approver', rig)
    const other = await rig.as('approver', annotate('tasks/asked', { 'slipway.dev/action-id': '2' }))
    assert.equal(
      messageOf(other),
      `slipway.dev/by is kubernetes-admin, and the user of the request is ${approver}: set slipway.dev/by=${approver} in the same request, or remove the annotation`,
    )
  })
})
