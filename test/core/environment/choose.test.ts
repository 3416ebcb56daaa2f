import assert from 'node:assert/strict'
import { createSchedulingSnapshot } from '../../../core/agent/snapshot.ts'
import type { PreparedEnvironment, ProjectEnvironment, Task } from '../../../core/crd/types.ts'
import {
  type EnvironmentWish,
  chooseEnvironment,
  decideWait,
  failedDigests,
  makeFindEnvironmentWait,
  sourceOf,
  toRecipe,
} from '../../../core/environment/choose.ts'
import { digestRecipe } from '../../../lib/environment-digest.ts'
import { aProject, anAgent, aTask, unclipped } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')
const [OLD, NEW, OTHER] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]
const environment: ProjectEnvironment = {
  setup: 'npm ci',
  cache: [{ path: 'node_modules' }],
  keys: ['package-lock.json'],
}
const recipe = sourceOf(aProject({ spec: { environment } }), '', digestRecipe).recipe
const wish: EnvironmentWish = { recipe, image: '', owner: { task: 'task-a' } }

function anEntry(parts: Partial<Omit<PreparedEnvironment, 'message'>> = {}): PreparedEnvironment {
  const usual = { execution: 'project-a-e1', state: 'Ready', recipe, digest: OLD, startedAt: '2026-03-01T09:00:00Z' }
  return unclipped({ ...usual, builtAt: '2026-03-01T09:01:00Z', seconds: 60, ...parts } as PreparedEnvironment)
}

describe('the recipe of a project', () => {
  it('names the key of a Secret in the place of its value, and has the usual limits', () => {
    const env = [
      { name: 'NPM_TOKEN', secretKey: { name: 'npm', key: 'token' } },
      { name: 'CI', value: '1' },
    ]
    assert.deepEqual(toRecipe({ ...environment, env }), {
      setup: 'npm ci',
      env: [
        { name: 'NPM_TOKEN', secretKey: 'npm/token' },
        { name: 'CI', value: '1' },
      ],
      cache: [{ path: 'node_modules', mode: 'Copy' }],
      keys: ['package-lock.json'],
      timeoutSeconds: 1800,
      required: false,
    })
  })
})

describe('the environment that a fresh start begins with', () => {
  const chosen = (...entries: PreparedEnvironment[]) => chooseEnvironment(entries, wish)?.execution

  it('is the newest ready one of its recipe and image', () => {
    const building = anEntry({ execution: 'e4', state: 'Building' })
    assert.equal(chosen(building, anEntry({ execution: 'e3' }), anEntry({ execution: 'e2' })), 'e3')
    assert.equal(chosen(anEntry({ recipe: OTHER })), undefined)
    assert.equal(chosen(anEntry({ image: 'node:24' })), undefined)
  })

  it('is that of its own branch before a shared one, and never that of another branch', () => {
    const own = anEntry({ execution: 'own', onlyFor: { task: 'task-a' } })
    const others = [
      anEntry({ execution: 'x', onlyFor: { task: 'task-b' } }),
      anEntry({ execution: 'y', onlyFor: { story: 'task-a' } }),
    ]
    assert.equal(chosen(...others, anEntry({ execution: 'shared' }), own), 'own')
    assert.equal(chosen(...others), undefined)
  })
})

describe('a setup that has failed', () => {
  it('is not waited for again for an hour', () => {
    const failed = (builtAt: string) => failedDigests([anEntry({ state: 'Failed', builtAt })], wish, now)
    assert.deepEqual(failed('2026-03-01T09:00:01Z'), [OLD])
    assert.deepEqual(failed('2026-03-01T09:00:00Z'), [])
  })
})

describe('an execution that waits for an environment', () => {
  const awaited = { digest: NEW, isShared: true, since: '2026-03-01T09:30:00Z' }
  const how = (...entries: PreparedEnvironment[]) => decideWait(entries, wish, awaited, now).kind

  it('goes on when that is ready, and also when a setup that began after it came to something else', () => {
    assert.equal(how(), 'waits')
    assert.equal(how(anEntry({ digest: NEW })), 'ready')
    assert.equal(how(anEntry({ startedAt: '2026-03-01T09:29:59Z' })), 'waits')
    assert.equal(how(anEntry({ startedAt: '2026-03-01T09:30:00Z' })), 'inVain')
    assert.equal(how(anEntry({ state: 'Failed', startedAt: '2026-03-01T09:31:00Z' })), 'inVain')
  })

  it('waits on while one is being prepared, though another has ended meanwhile', () => {
    const ended = anEntry({ execution: 'e2', startedAt: '2026-03-01T09:31:00Z' })
    assert.equal(how(anEntry({ state: 'Building' }), ended), 'waits')
  })

  it('is not served by what was prepared for another branch', () => {
    assert.equal(how(anEntry({ digest: NEW, onlyFor: { story: 's' }, startedAt: '2026-03-01T09:45:00Z' })), 'waits')
  })
})

describe('a queued task of a project that prepares an environment', () => {
  const queued = (name: string, status: Task['status'] = {}): Task =>
    aTask({
      name,
      spec: { project: 'project-a', repositoryUrl: 'https://git.example/repo.git' },
      status: unclipped({ state: 'QUEUED', queuedAt: '2026-03-01T09:00:00Z', ...status }),
    })

  function explain(entries: readonly PreparedEnvironment[], task = queued('task-a'), spec = { environment }) {
    const snapshot = createSchedulingSnapshot(() => undefined, makeFindEnvironmentWait(digestRecipe, ''))
    snapshot.apply({ kind: 'agent', name: 'script', object: anAgent() })
    snapshot.apply({ kind: 'task', name: 'task-a', object: task })
    snapshot.apply({ kind: 'project', name: 'project-a', object: aProject({ spec }) })
    const project = aProject({ spec, status: unclipped({ environments: entries }) })
    snapshot.apply({ kind: 'project', name: 'project-a', object: project })
    const { wait, isStartable } = snapshot.scheduleOf(task, now)
    return {
      reason: wait?.reason,
      isStartable,
      position: snapshot.positionOf('task-a'),
      text: snapshot.formatWaitMessage(task, now),
    }
  }

  it('stands in no queue until the first one is there, and says for how long it takes', () => {
    assert.deepEqual(explain([]), {
      reason: 'WaitingForEnvironment',
      isStartable: false,
      position: undefined,
      text: 'the environment of project project-a is to be prepared',
    })
    const building = anEntry({ execution: 'e2', state: 'Building', startedAt: '2026-03-01T09:59:00Z' })
    assert.equal(
      explain([building, anEntry({ seconds: 200 })]).text,
      'the environment of project project-a is being prepared; last time that took 3m20s',
    )
  })

  for (const state of ['Ready', 'Failed'] as const)
    it(`starts once the newest one is ${state}`, () => {
      assert.deepEqual(explain([anEntry({ execution: 'e2', state })]).isStartable, true)
    })

  it('does not wait for what is prepared for another branch, in another image, or by another recipe', () => {
    const building = (parts: Partial<PreparedEnvironment>) => anEntry({ state: 'Building', ...parts })
    for (const parts of [{ onlyFor: { task: 'b' } }, { image: 'node:24' }, { recipe: OTHER }])
      assert.equal(explain([building(parts as Partial<PreparedEnvironment>), anEntry()]).isStartable, true)
  })

  it('does not wait when it is resumed, or when it clones another repository', () => {
    assert.equal(explain([], queued('task-a', { resume: true })).isStartable, true)
    const elsewhere = queued('task-a')
    const spec = { ...elsewhere.spec, repositoryUrl: 'https://git.example/other.git' }
    assert.equal(explain([], { ...elsewhere, spec }).isStartable, true)
  })
})
