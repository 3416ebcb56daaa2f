/** Records as REST gives them, with what matters to a test. */
import { isToAccept } from '../../core/attention.ts'
import type { Agent, Epic, Story, Task } from '../../core/rest/client/client.ts'
import { HUMAN_TRIGGERS, triggersFrom } from '../../core/task/transitions.ts'

const AT = '2026-01-01T00:00:00Z'

/** With the decisions that somebody who may take all of them has in its state. */
export function aTaskRecord(parts: Partial<Task> = {}): Task {
  const { state = 'PENDING' } = parts
  return {
    id: 'task-a',
    name: 'A task',
    state,
    depends_on: [],
    run_policy: 'manual',
    attempts: 0,
    decisions: [],
    created_at: AT,
    updated_at: AT,
    actions: HUMAN_TRIGGERS.filter((trigger) => triggersFrom(state).includes(trigger)),
    ...parts,
  }
}

/** With accept where its status has it. */
export function aStoryRecord(parts: Partial<Story> = {}): Story {
  const { status = 'BACKLOG' } = parts
  return {
    id: 'story-a',
    name: 'A story',
    branch_name: 'story/a',
    status,
    priority: 0,
    acceptance_criteria: [],
    tasks: { total: 0, done: 0 },
    evaluation: { total: 0, passed: 0, failed: 0, pending: 0, verdicts: [] },
    decisions: [],
    created_at: AT,
    updated_at: AT,
    actions: isToAccept(status) ? ['accept'] : [],
    moves: [],
    ...parts,
  }
}

export function anEpicRecord(parts: Partial<Epic> = {}): Epic {
  return { id: 'epic-a', name: 'An epic', priority: 0, stories: { total: 0, done: 0 }, created_at: AT, ...parts }
}

export function anAgentRecord(parts: Partial<Agent> = {}): Agent {
  return {
    id: 'claude',
    name: 'claude',
    adapter: 'claude',
    max_concurrent: 1,
    drops_access: 'none',
    status: { agent: 'claude', state: 'idle', queued: 0, consecutive_failures: 0, credentials: 'present' },
    decisions: [],
    created_at: AT,
    ...parts,
  }
}
