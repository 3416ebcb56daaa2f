import assert from 'node:assert/strict'
import { lineUp } from '../../../core/agent/line.ts'
import type { SlotHolder } from '../../../core/agent/schedule.ts'
import type { WaitingContext } from '../../../core/agent/waiting.ts'
import { explainWaiting, findWait, NO_AGENT } from '../../../core/agent/waiting.ts'
import type { Agent, Task, TaskSpec, TaskState } from '../../../core/crd/types.ts'
import { indexTasks } from '../../../core/task/dependencies.ts'
import { aTask, anAgent } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')

interface World {
  readonly tasks?: readonly Task[]
  readonly agent?: Agent
  readonly holders?: readonly SlotHolder[]
}

function context({ tasks = [], agent = anAgent(), holders = [] }: World): WaitingContext {
  const queued = tasks.filter(({ status }) => status?.state === 'QUEUED')
  return {
    now,
    tasks: indexTasks(tasks),
    findAgent: (name) => (name === agent.metadata.name ? agent : undefined),
    hasProject: (name) => name === 'known',
    loadOf: () => ({ agent, now, line: lineUp(queued), holders }),
  }
}

function queued(name: string, spec: Partial<TaskSpec> = {}): Task {
  return aTask({ name, spec, status: { state: 'QUEUED', queuedAt: '2026-03-01T09:00:00Z' } })
}

function explain(task: Task, world: World = {}): string | undefined {
  return explainWaiting(task, context({ ...world, tasks: [...(world.tasks ?? []), task] }))
}

describe('why a task waits', () => {
  it('names the task that keeps its agent busy, and the place in the line', () => {
    const holders = [{ slot: 1, execution: 'busy-1', task: 'busy' }]
    const tasks = [queued('a'), queued('b')]
    assert.equal(explain(queued('c'), { tasks, holders }), 'agent script is busy with busy; 3rd in line')
    assert.equal(explain(queued('0'), { tasks, holders }), 'agent script is busy with busy; next in line')
  })

  it('does not say that no agent is available before the operator has looked for one', () => {
    const unnamed = queued('a', { agent: {} })
    assert.equal(explain(unnamed), 'its agent is being chosen')
    const [type, reason, message] = ['Reconciling', 'WaitingForAgent', NO_AGENT.summary] as const
    const conditions = [{ type, status: 'True', reason, message, lastTransitionTime: '2026-03-01T09:00:00Z' }] as const
    const looked = { ...unnamed, status: { ...unnamed.status, conditions } }
    assert.equal(explain(looked), 'no agent is available: name one in agent.type, or make one available')
  })

  it('does not call an agent busy with the very task that is being started', () => {
    const holders = [{ slot: 1, execution: 'a-1', task: 'a' }]
    assert.equal(explain(queued('a'), { holders }), 'starts now with agent script')
  })

  it('names the pod that must be deleted by force', () => {
    const holders = [{ slot: 1, execution: 'busy-1', task: 'busy', stuckPod: 'busy-1-run-x' }]
    assert.match(explain(queued('a'), { holders }) ?? '', /pod busy-1-run-x does not end and must be deleted by force/)
  })

  it('names each open dependency with its state, and says when one waits for run', () => {
    const tasks = [aTask({ name: 'x' }), aTask({ name: 'y', status: { state: 'RUNNING' } })]
    const text = explain(queued('a', { dependsOn: ['x', 'y'] }), { tasks })
    assert.equal(text, 'waits for task x (PENDING, waits for run), y (RUNNING)')
  })

  it('says that the agent is drained, limited, or that the task is suspended', () => {
    const drained = anAgent({ status: { drained: { since: '2026-03-01T09:00:00Z', reason: 'three failures' } } })
    const limited = anAgent({ status: { rateLimitedUntil: '2026-03-01T11:00:00Z' } })
    assert.equal(explain(queued('a'), { agent: drained }), 'agent script is drained: three failures')
    assert.equal(explain(queued('a'), { agent: limited }), 'agent script is rate limited until 2026-03-01T11:00:00Z')
    assert.equal(explain(queued('a', { suspend: true })), 'the task is suspended')
  })

  it('says when an automatic attempt is due', () => {
    const task = aTask({ status: { state: 'FAILED', resumeAfter: '2026-03-01T10:05:00Z' } })
    assert.equal(explain(task), 'tried again at 2026-03-01T10:05:00Z')
  })

  it('says that its agent does not resume by itself, as long as that is so', () => {
    const task = aTask({ status: { state: 'FAILED', resumeAfter: '2026-03-01T10:05:00Z', agent: { type: 'script' } } })
    const agent = anAgent({ spec: { autoResume: false } })
    assert.equal(explain(task, { agent }), 'agent script does not resume by itself')
    assert.equal(
      explain(task, { agent: anAgent({ spec: { autoResume: true } }) }),
      'tried again at 2026-03-01T10:05:00Z',
    )
  })

  it('names the subtask that keeps a parent blocked', () => {
    const child = aTask({ name: 'child', spec: { parentTaskId: 'task-a' }, status: { state: 'FAILED' } })
    assert.equal(
      explain(aTask({ status: { state: 'BLOCKED' } }), { tasks: [child] }),
      'waits for subtask child (FAILED)',
    )
  })

  for (const state of ['PENDING', 'QUEUED'] as TaskState[]) {
    const broken: [string, Partial<TaskSpec>, string][] = [
      ['UnknownDependency', { dependsOn: ['nowhere'] }, 'task nowhere does not exist'],
      ['UnknownProject', { project: 'nowhere' }, 'project nowhere does not exist'],
      ['UnknownAgent', { agent: { type: 'nobody' } }, 'agent nobody does not exist'],
      ['DependencyCycle', { dependsOn: ['b'] }, 'tasks wait for one another: task-a → b → task-a'],
    ]
    for (const [reason, spec, message] of broken) {
      it(`is a person's to mend for a ${state} task with ${reason}`, () => {
        const task = aTask({ spec, status: { state } })
        const wait = findWait(task, context({ tasks: [task, aTask({ name: 'b', spec: { dependsOn: ['task-a'] } })] }))
        assert.deepEqual([wait?.reason, wait?.stalled, wait?.summary], [reason, true, message])
      })
    }
  }

  for (const state of ['RUNNING', 'READY', 'COMPLETED', 'TIMED_OUT', 'CANCELLED', 'PENDING'] as TaskState[]) {
    it(`has no reason for a ${state} task`, () => assert.equal(explain(aTask({ status: { state } })), undefined))
  }
})
