import type { Attempts } from './attempts.ts'
import { annotate, decide, tryAttempts } from './attempts.ts'
import type { RolesRig } from './setup.ts'
import { setUpRoles, SLIPWAY } from './setup.ts'

const ATTEMPTS: Attempts = {
  accept: (user) => decide('tasks/a', user, 'accept'),
  'accept without a name': () => annotate('tasks/a', { 'slipway.dev/action': 'accept' }),
  'accept as somebody else': () => decide('tasks/a', 'alice', 'accept'),
  'cancel without a name': () => annotate('tasks/a', { 'slipway.dev/action': 'cancel' }),
  'take the name from an accept': () => annotate('tasks/asked', { 'slipway.dev/by': null }),
  'accept a story without a name': () => annotate('stories/a', { 'slipway.dev/action': 'accept' }),
}

const TABLE = `
V A P B M N W O S U G R  what
r D + + + r + D r D D +  accept
r D D D D r D D r D D D  accept without a name
r D D D D r D D r D D D  accept as somebody else
r D D D D r D + r + D D  cancel without a name
r D D D D r D + r D D D  take the name from an accept
r D D D D r D D r r D D  accept a story without a name
`

describe('who may decide where every decision needs a name', function () {
  this.timeout(120_000)
  let rig: RolesRig
  before(async () => {
    rig = await setUpRoles({ requireBy: true })
    const metadata = { name: 'a', namespace: rig.namespace }
    const annotations = { 'slipway.dev/action': 'accept', 'slipway.dev/by': 'kubernetes-admin' }
    await rig.apply(
      { ...SLIPWAY, kind: 'Task', metadata, spec: { title: 'A' } },
      { ...SLIPWAY, kind: 'Task', metadata: { ...metadata, name: 'asked', annotations }, spec: { title: 'A' } },
      { ...SLIPWAY, kind: 'Story', metadata, spec: { title: 'A' } },
    )
  })
  after(() => rig.end())

  tryAttempts(TABLE, ATTEMPTS, () => rig)
})
