/** The fields of the records that commands print. Their schemas are loaded only when somebody chooses fields. */
import type { TObject } from 'typebox'

const SCHEMAS = {
  task: async () => (await import('../../core/kinds/task.ts')).TaskRecord,
  execution: async () => (await import('../../core/rest/records/execution.ts')).ExecutionRecord,
  story: async () => (await import('../../core/kinds/story.ts')).StoryRecord,
  epic: async () => (await import('../../core/kinds/epic.ts')).EpicRecord,
  project: async () => (await import('../../core/kinds/project.ts')).ProjectRecord,
  environment: async () => (await import('../../core/rest/records/environment.ts')).EnvironmentRecord,
  agent_status: async () => (await import('../../core/rest/records/agent.ts')).AgentStatusRecord,
  drop: async () => (await import('../../core/rest/records/drop.ts')).DropRecord,
  stats: async () => (await import('../../core/stats/record.ts')).StatsRecord,
} as const satisfies Record<string, () => Promise<TObject>>

/** What a command prints one of, or a list of. */
export type RecordKind = keyof typeof SCHEMAS

export async function fieldsOf(kind: RecordKind): Promise<readonly string[]> {
  return Object.keys((await SCHEMAS[kind]()).properties)
}
