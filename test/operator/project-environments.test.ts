import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Execution, PreparedEnvironment, Project } from '../../core/crd/types.ts'
import { type EnvironmentWish, decideWait, sourceOf } from '../../core/environment/choose.ts'
import { addMs, toTimestamp } from '../../core/time.ts'
import { digestRecipe } from '../../lib/environment-digest.ts'
import {
  type ObservedEnvironments,
  type WaitingExecution,
  reconcileEnvironments,
} from '../../operator/project/environments.ts'
import { anExecution, aProject, unclipped } from '../helpers/build.ts'
import { runs } from '../helpers/runs.ts'

const DIGESTS = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]
const COMMIT = 'd'.repeat(40)
const OWNERS = [{ task: 'task-a' }, { story: 'story-a' }]
const IMAGES = ['', 'node:24']

/** Whatever can happen between two looks at a project, in any order. */
const anEvent = fc.oneof(
  fc.record({ kind: fc.constant('reconcile' as const), diesAfterStatus: fc.boolean() }),
  fc.record({ kind: fc.constant('advance' as const), ms: fc.constantFrom(500, 5000, 2 * 3_600_000, 48 * 3_600_000) }),
  fc.record({
    kind: fc.constant('wait' as const),
    digest: fc.constantFrom(...DIGESTS),
    isShared: fc.boolean(),
    owner: fc.constantFrom(...OWNERS),
    image: fc.constantFrom(...IMAGES),
  }),
  fc.record({ kind: fc.constant('queue' as const), image: fc.constantFrom(...IMAGES) }),
  fc.record({ kind: fc.constant('request' as const), skewMs: fc.constantFrom(0, 600_000, -600_000) }),
  fc.record({
    kind: fc.constant('end' as const),
    digest: fc.option(fc.constantFrom(...DIGESTS), { nil: undefined }),
    isShared: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('forge' as const) }),
  fc.record({ kind: fc.constant('delete' as const) }),
  fc.record({ kind: fc.constant('leave' as const), owner: fc.constantFrom(...OWNERS) }),
)

type Event = typeof anEvent extends fc.Arbitrary<infer T> ? T : never

interface History {
  project: Project
  now: Date
  waiting: WaitingExecution[]
  queued: Set<string>
  gone: Set<string>
  readonly executions: Map<string, Execution>
}

function begin(): History {
  const environment = { setup: 'npm ci', cache: [{ path: 'node_modules' }] }
  const project = aProject({ spec: { environment } })
  const now = new Date('2026-03-01T10:00:00Z')
  return { project, now, waiting: [], queued: new Set(), gone: new Set(), executions: new Map() }
}

function observe({ project, executions, waiting, queued, gone }: History): ObservedEnvironments {
  const named = new Set(project.status?.environments?.map(({ execution }) => execution))
  return {
    usualImage: '',
    digest: digestRecipe,
    prepares: new Map([...executions].filter(([name]) => named.has(name))),
    waiting,
    queuedImages: [...queued],
    ownImages: new Set(['', ...queued]),
    isInUse: () => false,
    isThere: (owner) => !gone.has(JSON.stringify(owner)),
    branchOf: (owner) => JSON.stringify(owner),
    lost: new Set(),
  }
}

function reconcile(history: History, diesAfterStatus = false): void {
  for (let n = 0; n < 10; n++) {
    const { status, actions } = reconcileEnvironments(history.project, observe(history), history.now)
    const before = JSON.stringify([history.project.status, [...history.executions]])
    history.project = { ...history.project, status: { ...history.project.status, ...status } }
    if (diesAfterStatus) return
    for (const action of actions) {
      if (action.kind === 'createExecution') {
        const { name } = action.execution.metadata
        // The API server makes none in the place of another.
        if (!history.executions.has(name)) history.executions.set(name, action.execution)
      }
      if (action.kind === 'writeExecution') {
        const ended = { ...action.status, state: 'CANCELLED', finishedAt: toTimestamp(history.now) } as const
        history.executions.set(action.execution.metadata.name, { ...action.execution, status: ended })
      }
    }
    if (before === JSON.stringify([history.project.status, [...history.executions]])) return
  }
  assert.fail('the steps lead to themselves')
}

const environments = ({ project }: History): readonly PreparedEnvironment[] => project.status?.environments ?? []

/** Ends the first setup that runs; without a digest it fails before it has a clone. */
function endOne(history: History, digest: string | undefined, isShared: boolean): void {
  const entry = environments(history).find(
    ({ execution, state }) => state === 'Building' && history.executions.get(execution)?.status?.state === undefined,
  )
  const execution = entry && history.executions.get(entry.execution)
  if (execution === undefined) return
  const finishedAt = toTimestamp(history.now)
  const sealed = { digest: digest ?? '', commit: COMMIT, isShared, cache: [], bytes: 1 }
  const status = digest === undefined ? { state: 'FAILED', finishedAt } : { state: 'COMPLETED', finishedAt, sealed }
  history.executions.set(execution.metadata.name, {
    ...execution,
    status: unclipped(status as Execution['status'] & object),
  })
}

/** Those who need not wait any more go on. */
function goOn(history: History): void {
  history.waiting = history.waiting.filter(
    ({ wish, awaited }) => decideWait(environments(history), wish, awaited, history.now).kind === 'waits',
  )
  for (const { recipe, image = '', onlyFor, state } of environments(history)) {
    const source = sourceOf(history.project, image, digestRecipe)
    if (onlyFor === undefined && recipe === source.recipe && state !== 'Building') history.queued.delete(image)
  }
}

function apply(history: History, event: Event): void {
  switch (event.kind) {
    case 'reconcile':
      return reconcile(history, event.diesAfterStatus)
    case 'advance':
      history.now = addMs(history.now, event.ms)
      return
    case 'wait': {
      const { digest, isShared, owner, image } = event
      history.gone.delete(JSON.stringify(owner))
      const wish: EnvironmentWish = { ...sourceOf(history.project, image, digestRecipe), owner }
      history.waiting.push({ wish, awaited: { digest, isShared, since: toTimestamp(history.now) } })
      return
    }
    case 'queue':
      history.queued.add(event.image)
      return
    case 'request': {
      const environmentRequestedAt = toTimestamp(addMs(history.now, event.skewMs))
      history.project = { ...history.project, status: { ...history.project.status, environmentRequestedAt } }
      return
    }
    case 'end':
      endOne(history, event.digest, event.isShared)
      return
    case 'forge': {
      const name = `project-a-e${(history.project.status?.environmentBuilds ?? 0) + 1}`
      const forged = anExecution({ name, spec: { purpose: 'Prepare', image: 'evil:1' } })
      if (!history.executions.has(name)) history.executions.set(name, forged)
      return
    }
    case 'delete': {
      const [name] = [...history.executions.keys()]
      if (name !== undefined) history.executions.delete(name)
      return
    }
    case 'leave':
      history.gone.add(JSON.stringify(event.owner))
      history.waiting = history.waiting.filter(({ wish }) => JSON.stringify(wish.owner) !== JSON.stringify(event.owner))
      return
    default:
      event satisfies never
  }
}

const keyOf = ({ recipe, image, onlyFor }: PreparedEnvironment): string => JSON.stringify([recipe, image, onlyFor])

describe('the environments of a project, whatever happens in which order', () => {
  it('are prepared at most once at a time for each recipe, image and branch, and nobody waits for ever', () => {
    fc.assert(
      fc.property(fc.array(anEvent, { maxLength: 30 }), fc.constantFrom(...DIGESTS), (events, last) => {
        const history = begin()
        for (const event of events) {
          apply(history, event)
          goOn(history)
          const building = environments(history).flatMap((entry) => (entry.state === 'Building' ? [keyOf(entry)] : []))
          assert.equal(new Set(building).size, building.length)
          assert.ok(environments(history).length <= 50)
        }
        for (let round = 0; round < 60; round++) {
          reconcile(history)
          history.now = addMs(history.now, 1000)
          endOne(history, last, true)
          reconcile(history)
          goOn(history)
        }
        assert.deepEqual([history.waiting, [...history.queued]], [[], []])
        assert.deepEqual(
          environments(history).filter(({ state }) => state === 'Building'),
          [],
        )
      }),
      { numRuns: runs(300) },
    )
  })

  it('come to the same whether the operator dies between status and Execution or not', () => {
    fc.assert(
      fc.property(fc.array(anEvent, { maxLength: 12 }), (events) => {
        const [through, cut] = [begin(), begin()]
        for (const event of events) {
          for (const one of [through, cut]) apply(one, event)
          reconcile(through)
          reconcile(cut, true)
          reconcile(cut)
        }
        assert.deepEqual(environments(cut), environments(through))
        assert.deepEqual([...cut.executions.keys()], [...through.executions.keys()])
      }),
      { numRuns: runs(200) },
    )
  })
})
