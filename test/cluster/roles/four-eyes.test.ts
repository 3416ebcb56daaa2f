import assert from 'node:assert/strict'
import { type Attempts, annotate, decide, make, patch, tryAttempts } from './attempts.ts'
import { userOf } from './people.ts'
import { type RolesRig, messageOf, setUpRoles, SLIPWAY } from './setup.ts'

const AUTHOR = 'slipway.dev/author'
const AUTHORS = 'slipway.dev/authors'
const by = (author: string, authors?: string) => ({
  metadata: { annotations: { [AUTHOR]: author, ...(authors && { [AUTHORS]: authors }) } },
})
const spec = { title: 'Other' }

const ATTEMPTS: Attempts = {
  accept: (user) => decide('tasks/a', user, 'accept'),
  'accept without a name': () => annotate('tasks/a', { 'slipway.dev/action': 'accept' }),
  'accept as somebody else': () => decide('tasks/a', 'alice', 'accept'),
  'cancel without a name': () => annotate('tasks/a', { 'slipway.dev/action': 'cancel' }),
  'take the name from an accept': () => annotate('tasks/asked', { 'slipway.dev/by': null }),
  'accept a story without a name': () => annotate('stories/a', { 'slipway.dev/action': 'accept' }),
  'create a task': (user) => make('tasks', 'Task', spec, { [AUTHOR]: user }),
  'create a task without an author': () => make('tasks', 'Task', spec),
  'create a task as somebody else': () => make('tasks', 'Task', spec, { [AUTHOR]: 'alice' }),
  'edit a task': (user, _, maker) => patch('tasks/a', { ...by(user, `${user}\n${maker}`), spec }),
  'edit a task and forget who made it': (user) => patch('tasks/a', { ...by(user), spec }),
  'edit a task and add somebody else': (user, _, maker) => patch('tasks/a', { ...by(user, `${maker}\nalice`), spec }),
  'drag a task': () => patch('tasks/a', { spec: { priority: 4 } }),
  'drag a task and become its author': (user, _, maker) =>
    patch('tasks/a', { ...by(user, maker), spec: { priority: 4 } }),
  'drag a task and forget its author': (user) => patch('tasks/a', { ...by(user), spec: { priority: 4 } }),
  'edit a task and leave the author': () => patch('tasks/a', { spec }),
  'edit a task as somebody else': () => patch('tasks/a', { ...by('alice'), spec }),
  'edit a task and accept it as its author': (user) =>
    patch('tasks/a', {
      metadata: { annotations: { [AUTHOR]: 'alice', 'slipway.dev/action': 'accept', 'slipway.dev/by': user } },
      spec,
    }),
  'replace a task as somebody else': (_user, resourceVersion) => ({
    method: 'PUT',
    path: 'tasks/a',
    body: {
      ...SLIPWAY,
      kind: 'Task',
      metadata: { name: 'a', resourceVersion, annotations: { [AUTHOR]: 'alice' } },
      spec,
    },
  }),
  'become the author': (user, _, maker) => annotate('tasks/a', { [AUTHOR]: user, [AUTHORS]: maker }),
  'become the only author': (user) => annotate('tasks/a', { [AUTHOR]: user }),
  'make somebody else the author': () => annotate('tasks/a', { [AUTHOR]: 'alice' }),
  'remove the author': () => annotate('tasks/a', { [AUTHOR]: null }),
  'label a task': () => patch('tasks/a', { metadata: { labels: { a: 'b' } } }),
  'create a story without an author': () => make('stories', 'Story', spec),
  'edit a story': (user, _, maker) => patch('stories/a', { ...by(user, maker), spec }),
  'edit a story and leave the author': () => patch('stories/a', { spec }),
}

/** `x`: two policies refuse it, and either may say so. */
const TABLE = `
V A P B M N W O S U G R  what
r D + + + r + D r D D +  accept
r D D D D r D D r D D D  accept without a name
r D D D D r D D r D D D  accept as somebody else
r D D D D r D + r + D D  cancel without a name
r D D D D r D + r D D D  take the name from an accept
r D D D D r D D r r D D  accept a story without a name
r + r + + r + r + r r +  create a task
r A r A A r A r + r r A  create a task without an author
r A r A A r A r + r r A  create a task as somebody else
r + E + + r + E r E + +  edit a task
r A x A A r A x r x A +  edit a task and forget who made it
r A x A A r A x r x A A  edit a task and add somebody else
r + E + + r + E r E + +  drag a task
r + E + + r + E r E + +  drag a task and become its author
r A x A A r A x r x A +  drag a task and forget its author
r A x A A r A x r x A +  edit a task and leave the author
r A x A A r A x r x A A  edit a task as somebody else
r x x A A r A x r x x A  edit a task and accept it as its author
r A r A A r A r + r A A  replace a task as somebody else
r + E + + r + E r E + +  become the author
r A x A A r A x r x A +  become the only author
r A x A A r A x r x A A  make somebody else the author
r A x A A r A x r x A A  remove the author
r + E + + r + E r E + +  label a task
r A r A A r A r + r r A  create a story without an author
r + E + + r + E r r + +  edit a story
r A x A A r A x r r A +  edit a story and leave the author
`

describe('who may do what where four eyes are asked for', function () {
  let rig: RolesRig
  before(async () => {
    rig = await setUpRoles({ requireBy: true, fourEyes: true })
    const author = { [AUTHOR]: userOf('cluster-admin', rig) }
    const metadata = { name: 'a', namespace: rig.namespace, annotations: author }
    const asked = { ...author, 'slipway.dev/action': 'accept', 'slipway.dev/by': userOf('cluster-admin', rig) }
    for (const [kind, name, annotations] of [
      ['Task', 'a', author],
      ['Story', 'a', author],
      ['Task', 'asked', asked],
    ] as const) {
      const path = kind === 'Task' ? 'tasks' : 'stories'
      const body = { ...SLIPWAY, kind, metadata: { ...metadata, name, annotations }, spec: { title: 'A' } }
      assert.equal((await rig.as('cluster-admin', { method: 'POST', path, body }, true)).status, 201)
    }
  })
  after(() => rig.end())

  tryAttempts(TABLE, ATTEMPTS, () => rig)

  it('says which annotation is missing', async () => {
    const author = userOf('author', rig)
    assert.equal(
      messageOf(
        await rig.as('author', ATTEMPTS['edit a task and leave the author']?.(author, '', '') ?? assert.fail()),
      ),
      `slipway.dev/author names who makes tasks or changes their spec, and nobody else writes it: set the annotation slipway.dev/author=${author}`,
    )
  })
})
