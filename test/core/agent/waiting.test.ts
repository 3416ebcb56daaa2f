import assert from 'node:assert/strict'
import { type SchedulingSnapshot, createSchedulingSnapshot } from '../../../core/agent/snapshot.ts'
import { formatNoAgentMessage } from '../../../core/agent/cures.ts'
import { NO_AGENT } from '../../../core/agent/waiting.ts'
import type { Agent, Task, TaskSpec, TaskState } from '../../../core/crd/types.ts'
import { aProject, aTask, anAgent, text } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')

interface World {
  readonly tasks?: readonly Task[]
  readonly agent?: Agent
  /** The executions that hold its slots, and a pod of the first that was told to stop a long time ago. */
  readonly holders?: readonly string[]
  readonly stuckPod?: string
}

function snapshotOf({ tasks = [], agent = anAgent(), holders = [], stuckPod }: World): SchedulingSnapshot {
  const snapshot = createSchedulingSnapshot(() => undefined)
  snapshot.apply({ kind: 'agent', name: agent.metadata.name, object: agent })
  snapshot.apply({ kind: 'project', name: 'known', object: aProject({ name: 'known' }) })
  for (const task of tasks) snapshot.apply({ kind: 'task', name: task.metadata.name, object: task })
  holders.forEach((holder, i) =>
    snapshot.apply({ kind: 'lease', name: `slipway-slot-${agent.metadata.name}-${i + 1}`, object: { holder } }),
  )
  if (stuckPod !== undefined) {
    const deletedAt = '2026-03-01T09:55:00Z'
    const pod = { task: undefined, execution: holders[0], job: undefined, hasEnded: false, deletedAt }
    snapshot.apply({ kind: 'pod', name: stuckPod, object: pod })
  }
  return snapshot
}

function queued(name: string, spec: Partial<TaskSpec> = {}): Task {
  return aTask({ name, spec, status: { state: 'QUEUED', queuedAt: '2026-03-01T09:00:00Z' } })
}

function explain(task: Task, world: World = {}): string | undefined {
  return snapshotOf({ ...world, tasks: [...(world.tasks ?? []), task] }).formatWaitMessage(task, now)
}

describe('why a task waits', () => {
  it('names the task that keeps its agent busy, and the place in the line', () => {
    const holders = ['busy-1']
    const tasks = [queued('a'), queued('b')]
    assert.equal(explain(queued('c'), { tasks, holders }), 'agent script is busy with busy; 3rd in line')
    assert.equal(explain(queued('0'), { tasks, holders }), 'agent script is busy with busy; next in line')
  })

  it('does not say that no agent is available before the operator has looked for one', () => {
    const unnamed = queued('a', { agent: {} })
    assert.equal(explain(unnamed), 'its agent is being chosen')
    const [type, reason, message] = ['Reconciling', 'WaitingForAgent', text(NO_AGENT.summary)] as const
    const conditions = [{ type, status: 'True', reason, message, lastTransitionTime: '2026-03-01T09:00:00Z' }] as const
    const looked = { ...unnamed, status: { ...unnamed.status, conditions } }
    assert.equal(
      explain(looked),
      'no agent is available: name one in agent.type, or make one available; slipway agents says what each one lacks',
    )
  })

  it('says what each agent lacks that the rules could choose, and what to type', () => {
    const message =
      'agent claude: claude is not installed on this machine; install it (npm install -g x) and start again'
    const lacks = { type: 'Ready', status: 'False', reason: 'Unavailable', message, lastTransitionTime: '' } as const
    const claude = anAgent({ name: 'claude', spec: { adapter: 'claude' }, status: { conditions: [lacks] } })
    const drained = { since: '2026-03-01T09:00:00Z', reason: text('three crashes') }
    const gemini = anAgent({ name: 'gemini', spec: { adapter: 'gemini' }, status: { drained } })
    assert.equal(
      formatNoAgentMessage([gemini, anAgent({ name: 'script' }), claude], now),
      'no agent is available: name one in agent.type, or make one available. ' +
        'Agent claude: claude is not installed on this machine; install it (npm install -g x) and start again. ' +
        'Agent gemini is drained: three crashes; slipway undrain gemini lets it work again',
    )
    const said = { type: 'Reconciling', status: 'True', reason: 'WaitingForAgent', lastTransitionTime: '' } as const
    const unnamed = queued('a', { agent: {} })
    const looked = {
      ...unnamed,
      status: { ...unnamed.status, conditions: [{ ...said, message: text(NO_AGENT.summary) }] },
    }
    assert.match(explain(looked, { agent: gemini }) ?? '', /slipway undrain gemini/)
  })

  it('does not call an agent busy with the very task that is being started', () => {
    const holders = ['a-1']
    assert.equal(explain(queued('a'), { holders }), 'starts now with agent script')
  })

  it('names the pod that must be deleted by force', () => {
    const holders = ['busy-1']
    assert.match(
      explain(queued('a'), { holders, stuckPod: 'busy-1-run-x' }) ?? '',
      /pod busy-1-run-x does not end and must be deleted by force/,
    )
  })

  it('names each open dependency with its state, and says when one waits for run', () => {
    const tasks = [aTask({ name: 'x' }), aTask({ name: 'y', status: { state: 'RUNNING' } })]
    const text = explain(queued('a', { dependsOn: ['x', 'y'] }), { tasks })
    assert.equal(text, 'waits for task x (PENDING, waits for run), y (RUNNING); start it: slipway restart x')
  })

  it('says that the agent is drained, limited, or that the task is suspended', () => {
    const drained = anAgent({ status: { drained: { since: '2026-03-01T09:00:00Z', reason: text('three failures') } } })
    const limited = anAgent({ status: { rateLimitedUntil: '2026-03-01T11:00:00Z' } })
    assert.equal(
      explain(queued('a'), { agent: drained }),
      'agent script is drained: three failures; slipway undrain script lets it work again',
    )
    assert.equal(
      explain(queued('a'), { agent: limited }),
      'agent script is rate limited until 2026-03-01T11:00:00Z; slipway undrain script tries it at once',
    )
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
      'waits for subtask child (FAILED); start it: slipway restart child',
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
        const tasks = [task, aTask({ name: 'b', spec: { dependsOn: ['task-a'] } })]
        const { wait } = snapshotOf({ tasks }).scheduleOf(task, now)
        assert.deepEqual([wait?.reason, wait?.stalled, wait?.summary], [reason, true, message])
      })
    }
  }

  for (const state of ['RUNNING', 'READY', 'COMPLETED', 'TIMED_OUT', 'CANCELLED', 'PENDING'] as TaskState[]) {
    it(`has no reason for a ${state} task`, () => assert.equal(explain(aTask({ status: { state } })), undefined))
  }
})
