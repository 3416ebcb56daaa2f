/** What has changed in a record since a person saw it: pure. */
import type { Story, Task } from '../../core/rest/client/client.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import { DONE_WORDS } from '../model/task-words.ts'
import type { Kind } from './fold.ts'

const MOVING = ['updated_at', 'waiting_for', 'goes_on', 'deployment_status', 'actions', 'moves']

/** They move while a person looks, and nobody decides by them. */
const PASSING: { readonly [K in Kind]: readonly string[] } = {
  // What was said to an agent stands in the record that is read alone, not in lists and live messages.
  tasks: [...MOVING, 'messages', 'message_modes'],
  stories: MOVING,
  projects: [
    'mirror_bytes',
    'environments',
    'lock_files',
    'proposed_environment',
    'proposed_protected_paths',
    'environment_problem',
  ],
  epics: ['stories'],
  agents: ['status', 'decisions'],
}

/** The names of the fields in which two versions of a record differ, as far as a decision may hang on them. */
export function changedFields(kind: Kind, seen: object, now: object): readonly string[] {
  const before = new Map<string, unknown>(Object.entries(seen))
  const after = new Map<string, unknown>(Object.entries(now))
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !PASSING[kind].includes(name))
  return names.filter((name) => textOf(name, before.get(name)) !== textOf(name, after.get(name)))
}

/** CI that goes on or passes is no reason to look again, one that fails is: as the server judges it. */
function textOf(name: string, value: unknown): string | undefined {
  if (name !== 'ci') return JSON.stringify(value)
  return Object.entries(Object(value)).some(([key, state]) => key === 'state' && state === 'failed') ? 'failed' : ''
}

/** The record is as the person saw it, but the server does not allow the decision any more. */
export class NoLongerAllowed extends Error {
  override readonly name = 'NoLongerAllowed'
  constructor(name: string, action: HumanTrigger) {
    super(`“${name}” can no longer be ${DONE_WORDS[action]}. Nothing was done.`)
  }
}

/** @throws NoLongerAllowed */
export function assertAllowed(now: Pick<Task | Story, 'name' | 'actions'>, action: HumanTrigger): void {
  if (!now.actions.some((allowed) => allowed === action)) throw new NoLongerAllowed(now.name, action)
}

/** The fields that a decision about a task hangs on; undefined: all that count. Who stops a run means that run, whatever it has come to. */
export function decisiveFields(action: HumanTrigger): readonly string[] | undefined {
  return action === 'cancel' ? ['state', 'execution_id'] : undefined
}

const MOST_SHOWN = 200

/** What a field has now, as the form beside which it stands shows it. */
export function valueWords(record: object, field: string): string {
  const value = new Map<string, unknown>(Object.entries(record)).get(field)
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  if (text === '') return 'empty'
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
