import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { contentOf, hasStatus, replaceUids, statusFor, toBackupObject } from '../../../core/backup/objects.ts'
import { findWorkedOn, settleExecution } from '../../../core/backup/settle.ts'
import { anExecution } from '../../helpers/build.ts'

const OLD = '0f8f0000-0000-4000-8000-00000000000a'
const NEW = '11110000-0000-4000-8000-00000000000b'
const short = (uid: string): string => uid.replaceAll('-', '')

describe('an object of a backup', () => {
  it('has no metadata that is the server’s own, and of the finalizers ours alone', () => {
    const served = {
      kind: 'Task',
      metadata: {
        name: 'a',
        namespace: 'default',
        uid: OLD,
        resourceVersion: '7',
        generation: 2,
        creationTimestamp: '2026-11-25T00:00:00Z',
        labels: { a: 'b' },
        managedFields: [{}],
        finalizers: ['slipway.dev/cleanup', 'example.com/other'],
      },
      spec: { title: 'A' },
    }
    const { metadata, ...rest } = toBackupObject(served)
    assert.deepEqual(rest, { kind: 'Task', spec: { title: 'A' } })
    assert.deepEqual(metadata, {
      name: 'a',
      uid: OLD,
      generation: 2,
      creationTimestamp: '2026-11-25T00:00:00Z',
      labels: { a: 'b' },
      finalizers: ['slipway.dev/cleanup'],
    })
    const { uid: _, generation: __, creationTimestamp: ___, ...content } = metadata
    assert.deepEqual(contentOf(served), { ...rest, metadata: content })
  })

  it('has each known uid replaced wherever it stands, with and without dashes, and nothing else', () => {
    const uids = new Map([[OLD, NEW]])
    const text = (uid: string): string => JSON.stringify({ uid, name: `ev-${short(uid)}-1a2`, text: `accepted-${uid}` })
    assert.equal(replaceUids(text(OLD), uids), text(NEW))
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uuid(), (other, uid) => {
        fc.pre(uid !== OLD && !other.includes(OLD))
        const rest = `${other}"${uid}","${short(uid)}","${short(OLD)}0"`
        assert.equal(replaceUids(rest, uids), rest)
      }),
    )
  })

  it('says of a new object’s first generation what was said of the latest one, and nothing of earlier ones', () => {
    const status = (observed: object, before: object = observed): object => ({
      state: 'READY',
      ...observed,
      conditions: [
        { type: 'Ready', ...observed },
        { type: 'Stalled', ...before },
      ],
    })
    const given = status({ observedGeneration: 3 }, { observedGeneration: 2 })
    const object = { kind: 'Task', metadata: { name: 'a', generation: 3 }, status: given }
    assert.deepEqual(statusFor(object, 1), status({ observedGeneration: 1 }, {}))
  })

  it('names no environment of a project, whose folders are in no backup, and goes on counting them', () => {
    const status = { environments: [{ execution: 'shop-e1', state: 'Ready', recipe: '' }], environmentBuilds: 1 }
    assert.deepEqual(statusFor({ kind: 'Project', metadata: { name: 'shop', generation: 3 }, status }, 1), {
      environmentBuilds: 1,
    })
  })

  it('has no status where nothing but the default of its definition was written', () => {
    const object = (status: unknown) => ({ kind: 'Task', metadata: { name: 'a' }, status })
    const found = [undefined, {}, { observedGeneration: -1 }, { state: 'PENDING' }]
    assert.deepEqual(
      found.map((status) => hasStatus(object(status))),
      [false, false, false, true],
    )
  })
})

describe('work under way in a backup', () => {
  const now = new Date('2026-11-25T12:00:00Z')

  it('is lost, and what has ended stays as it is', () => {
    const running = settleExecution(anExecution({ status: { state: 'RUNNING', jobs: 1 } }), now)
    assert.deepEqual(
      [running.status?.state, running.status?.error?.category, running.status?.finishedAt, running.status?.jobs],
      ['FAILED', 'lost', '2026-11-25T12:00:00Z', 1],
    )
    assert.equal(settleExecution(anExecution({ name: 'new' }), now).status?.state, 'FAILED')
    const ended = anExecution({ status: { state: 'COMPLETED' } })
    assert.equal(settleExecution(ended, now), ended)
  })

  it('makes the clones of tasks suspect that began meanwhile, or had not ended', () => {
    const of = (name: string, task: string) => anExecution({ name, spec: { taskRef: { name: task } } })
    const ended = new Set(['a-1', 'b-1'])
    const seen = [of('a-1', 'a'), of('a-2', 'a'), of('b-1', 'b'), of('c-1', 'c')]
    assert.deepEqual(
      seen.map((execution) => findWorkedOn(ended, execution)),
      [undefined, 'a', undefined, 'c'],
    )
  })
})
