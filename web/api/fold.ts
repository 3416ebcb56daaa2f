/** What live messages mean for the tables: pure, so that any order of them can be tried. Source: docs/live.md. */
import type { Agent, Epic, Project, Story, Task } from '../../core/rest/client/client.ts'
import type { LiveMessage } from '../../core/rest/messages.ts'
import { type Place, type Position, comparePositions, placeAfter } from './position.ts'
import { type Row, type Table, partOf } from './table.ts'

/** The kinds whose whole lists this page keeps, each with its record. */
export interface Kinds {
  readonly tasks: Task
  readonly stories: Story
  readonly epics: Epic
  readonly projects: Project
  readonly agents: Agent
}

export type Kind = keyof Kinds

/** What a batch of messages tells of each kind. */
export type Parts = { readonly [K in Kind]: Table<Kinds[K]> }

export interface Folded {
  readonly place: Place | undefined
  readonly parts: Parts
  /** True: messages were missed, so every list is to be read again. */
  readonly isResync: boolean
  /** Stories with a new event; their timelines are lists of their own. */
  readonly storiesWithEvents: readonly string[]
  /** Tasks with news of an execution; the attempts of a task are a list of its own. */
  readonly tasksWithExecutions: readonly string[]
}

const EXECUTION_NEWS: readonly LiveMessage['type'][] = ['execution_updated', 'execution_deleted']

type Entries = { readonly [K in Kind]: (readonly [string, Row<Kinds[K]>])[] }

/** What these messages tell, the first of them coming after `place`. */
export function foldMessages(place: Place | undefined, messages: readonly LiveMessage[]): Folded {
  const entries: Entries = { tasks: [], stories: [], epics: [], projects: [], agents: [] }
  const storiesWithEvents: string[] = []
  const tasksWithExecutions = new Set<string>()
  let isResync = false
  let last = place
  for (const message of messages) {
    const here = placeAfter(last, message.id)
    // A message that comes twice must not take the page back to where it was then.
    if (last === undefined || comparePositions(here.position, last.position) > 0 || here.run !== last.run) last = here
    isResync ||= message.type === 'resync'
    if (message.type === 'story_event' && message.story_id !== undefined) storiesWithEvents.push(message.story_id)
    if (message.task_id !== undefined && EXECUTION_NEWS.includes(message.type)) tasksWithExecutions.add(message.task_id)
    enter(entries, message, here.position)
  }
  const parts = {
    tasks: partOf(entries.tasks),
    stories: partOf(entries.stories),
    epics: partOf(entries.epics),
    projects: partOf(entries.projects),
    agents: partOf(entries.agents),
  }
  return { place: last, parts, isResync, storiesWithEvents, tasksWithExecutions: [...tasksWithExecutions] }
}

function enter(entries: Entries, message: LiveMessage, position: Position): void {
  const { type, task_id, story_id, epic_id, project_id, agent } = message
  if (message.task !== undefined) entries.tasks.push([message.task.id, { position, record: message.task }])
  if (message.story !== undefined) entries.stories.push([message.story.id, { position, record: message.story }])
  if (message.epic !== undefined) entries.epics.push([message.epic.id, { position, record: message.epic }])
  if (message.project !== undefined) entries.projects.push([message.project.id, { position, record: message.project }])
  if (message.agent_record !== undefined)
    entries.agents.push([message.agent_record.id, { position, record: message.agent_record }])
  if (type === 'task_deleted' && task_id !== undefined) entries.tasks.push([task_id, { position }])
  if (type === 'story_deleted' && story_id !== undefined) entries.stories.push([story_id, { position }])
  if (type === 'epic_deleted' && epic_id !== undefined) entries.epics.push([epic_id, { position }])
  if (type === 'project_deleted' && project_id !== undefined) entries.projects.push([project_id, { position }])
  if (type === 'agent_deleted' && agent !== undefined) entries.agents.push([agent, { position }])
}
