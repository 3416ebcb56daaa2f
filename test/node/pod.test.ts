import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Pod, PodSpec } from '../../kube/builtin.ts'
import {
  type ContainerRecord,
  type ContainerRun,
  type ObservedPod,
  decidePod,
  deletionAskedAt,
  findPodEnd,
  restartDelayMs,
} from '../../node/pod.ts'
import { toPodStatus } from '../../node/status.ts'

const now = new Date('2026-03-01T10:00:00Z')

function aPod(spec: Partial<PodSpec> = {}, metadata: Partial<Pod['metadata']> = {}, status?: Pod['status']): Pod {
  const main = { name: 'main', command: ['true'] }
  const pod = {
    metadata: { name: 'pod', ...metadata },
    spec: { restartPolicy: 'Never' as const, containers: [main], ...spec },
  }
  return status === undefined ? pod : { ...pod, status }
}

const running: ContainerRun = { kind: 'running', startedAt: now }
const ended = (exitCode: number, finishedAt = now): ContainerRun => ({
  kind: 'ended',
  exit: { exitCode, finishedAt: finishedAt.toISOString() },
})

function seen(pod: Pod, runs: Record<string, ContainerRun> = {}, startedAt = now): ObservedPod {
  const containers = new Map(Object.entries(runs).map(([name, run]) => [name, { run, restarts: 0 }]))
  return { now, pod, startedAt, activeMs: now.getTime() - startedAt.getTime(), containers }
}

const inits = [{ name: 'a' }, { name: 'b' }]

describe('the next step of a pod', () => {
  for (const [title, observed, step] of [
    ['starts the first init container first', seen(aPod({ initContainers: inits })), 'start a'],
    ['waits while an init container runs', seen(aPod({ initContainers: inits }), { a: running }), 'wait'],
    ['starts the second after the first succeeded', seen(aPod({ initContainers: inits }), { a: ended(0) }), 'start b'],
    [
      'starts the main one after all',
      seen(aPod({ initContainers: inits }), { a: ended(0), b: ended(0) }),
      'start main',
    ],
    ['fails with an init container', seen(aPod({ initContainers: inits }), { a: ended(1) }), 'finish Failed'],
    ['succeeds with its main container', seen(aPod(), { main: ended(0) }), 'finish Succeeded'],
    ['fails with its main container', seen(aPod(), { main: ended(1) }), 'finish Failed'],
    [
      'starts a failed one again under OnFailure',
      seen(aPod({ restartPolicy: 'OnFailure' }), { main: ended(1) }),
      'start main',
    ],
    [
      'starts an ended one again under Always',
      seen(aPod({ restartPolicy: 'Always' }), { main: ended(0) }),
      'start main',
    ],
    [
      'is to remove a deleted pod that never ran',
      seen(aPod({}, { deletionTimestamp: now.toISOString() })),
      'remove Failed',
    ],
    [
      'stops what runs in a deleted pod first',
      seen(aPod({}, { deletionTimestamp: now.toISOString() }), { main: running }),
      'stop main',
    ],
    ['keeps a phase that was reported', seen(aPod({}, {}, { phase: 'Succeeded' })), 'finish Succeeded'],
  ] as const) {
    it(title, () => {
      assert.equal(describeStep(observed), step)
    })
  }

  it('stops a pod at its deadline and says why it failed, also after its containers obeyed', () => {
    const startedAt = new Date(now.getTime() - 5_000)
    const pod = aPod({ activeDeadlineSeconds: 5 })
    assert.equal(describeStep(seen(pod, { main: running }, startedAt)), 'stop main')
    assert.equal(findPodEnd(seen(pod, { main: ended(143) }, startedAt))?.reason, 'DeadlineExceeded')
  })

  it('does not blame the deadline for a failure before it', () => {
    const startedAt = new Date(now.getTime() - 60_000)
    const early = new Date(startedAt.getTime() + 1_000)
    assert.equal(
      findPodEnd(seen(aPod({ activeDeadlineSeconds: 5 }), { main: ended(1, early) }, startedAt))?.reason,
      undefined,
    )
  })

  it('looks again at the deadline', () => {
    const step = decidePod(seen(aPod({ activeDeadlineSeconds: 5 }), { main: running }))
    assert.deepEqual(step, { kind: 'wait', until: new Date(now.getTime() + 5_000) })
  })

  it('gives a deletion what is left of its grace, not a new one', () => {
    const deletionTimestamp = new Date(now.getTime() + 4_000).toISOString()
    const pod = aPod({}, { deletionTimestamp, deletionGracePeriodSeconds: 30 })
    assert.equal(deletionAskedAt(pod)?.getTime(), now.getTime() - 26_000)
    const step = decidePod({ ...seen(pod, { main: running }), deletedForMs: 26_000 })
    assert.equal(step.kind === 'stop' && step.graceMs, 4_000)
  })

  it('waits longer before each restart, five minutes at most', () => {
    assert.deepEqual([0, 1, 2, 3, 9].map(restartDelayMs), [0, 10_000, 20_000, 40_000, 300_000])
  })
})

function describeStep(observed: ObservedPod): string {
  const step = decidePod(observed)
  switch (step.kind) {
    case 'start':
      return `start ${step.container.name}`
    case 'stop':
      return `stop ${step.containers.join(' ')}`
    case 'finish':
    case 'remove':
      return `${step.kind} ${step.end.phase}`
    case 'wait':
      return 'wait'
    default:
      return step satisfies never
  }
}

describe('for any pod', () => {
  const run = fc.oneof(
    fc.constant(running),
    fc.integer({ min: 0, max: 255 }).map((code) => ended(code)),
    fc.constant<ContainerRun>({ kind: 'waiting', reason: 'CreateContainerConfigError', retryAt: now }),
  )
  const record = fc.record({ run, restarts: fc.nat(5) })
  const observed = fc
    .record({
      restartPolicy: fc.constantFrom('Never' as const, 'OnFailure' as const, 'Always' as const),
      isDeleted: fc.boolean(),
      activeDeadlineSeconds: fc.option(fc.nat(20), { nil: undefined }),
      runs: fc.dictionary(fc.constantFrom('a', 'b', 'main', 'side'), record),
      ageMs: fc.nat(30_000),
    })
    .map(({ restartPolicy, isDeleted, activeDeadlineSeconds, runs, ageMs }): ObservedPod => {
      const spec = { restartPolicy, initContainers: inits, containers: [{ name: 'main' }, { name: 'side' }] }
      const deadline = activeDeadlineSeconds === undefined ? {} : { activeDeadlineSeconds }
      const metadata = isDeleted ? { deletionTimestamp: now.toISOString() } : {}
      const containers = new Map<string, ContainerRecord>(Object.entries(runs))
      return {
        now,
        pod: aPod({ ...spec, ...deadline }, metadata),
        startedAt: new Date(now.getTime() - ageMs),
        activeMs: ageMs,
        containers,
      }
    })

  it('nothing is started that runs, and nothing in a pod that is deleted or has ended', () => {
    fc.assert(
      fc.property(observed, (pod) => {
        const step = decidePod(pod)
        if (step.kind !== 'start') return
        assert.notEqual(pod.containers.get(step.container.name)?.run.kind, 'running')
        assert.equal(pod.pod.metadata.deletionTimestamp, undefined)
        assert.equal(findPodEnd(pod), undefined)
      }),
    )
  })

  it('no main container is started before every init container succeeded', () => {
    fc.assert(
      fc.property(observed, (pod) => {
        const step = decidePod(pod)
        if (step.kind !== 'start' || inits.some(({ name }) => name === step.container.name)) return
        for (const { name } of inits) {
          const before = pod.containers.get(name)?.run
          assert.equal(before?.kind === 'ended' && before.exit.exitCode, 0)
        }
      }),
    )
  })

  it('a pod is neither finished nor removed while one of its containers runs', () => {
    fc.assert(
      fc.property(observed, (pod) => {
        const { kind } = decidePod(pod)
        const runs = [...pod.containers.values()].some(({ run: { kind } }) => kind === 'running')
        if (runs) assert.ok(kind !== 'finish' && kind !== 'remove', kind)
      }),
    )
  })

  it('a status that was written is written again unchanged', () => {
    fc.assert(
      fc.property(observed, (pod) => {
        const status = toPodStatus(pod, findPodEnd(pod))
        const later = new Date(now.getTime() + 7_000)
        const again = { ...pod, now: later, pod: { ...pod.pod, status } }
        assert.deepEqual(toPodStatus(again, findPodEnd(pod)), status)
      }),
    )
  })
})
