/** Records as REST gives them, with what matters to a test. */
import type { Agent, Epic, Story, Task } from '../../core/rest/client/client.ts'

const AT = '2026-01-01T00:00:00Z'

export function aTaskRecord(parts: Partial<Task> = {}): Task {
  return {
    id: 'task-a',
    name: 'A task',
    state: 'PENDING',
    depends_on: [],
    run_policy: 'manual',
    attempts: 0,
    decisions: [],
    created_at: AT,
    updated_at: AT,
    actions: [],
    ...parts,
  }
}

export function aStoryRecord(parts: Partial<Story> = {}): Story {
  return {
    id: 'story-a',
    name: 'A story',
    branch_name: 'story/a',
    status: 'BACKLOG',
    priority: 0,
    acceptance_criteria: [],
    tasks: { total: 0, done: 0 },
    evaluation: { total: 0, passed: 0, failed: 0, pending: 0, verdicts: [] },
    decisions: [],
    created_at: AT,
    updated_at: AT,
    actions: [],
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
