/**
 * THE route table: every operation of the REST API. Source: specification §8.
 * The guard, 405 with `Allow`, docs/rest.md and the types of the handlers are made from its rows.
 */
import { AGENT_ROUTES } from './routes/agents.ts'
import { DOCUMENT_ROUTES } from './routes/documents.ts'
import { DROP_ROUTES } from './routes/drops.ts'
import { EPIC_ROUTES } from './routes/epics.ts'
import { EXECUTION_ROUTES } from './routes/executions.ts'
import { PROJECT_ROUTES } from './routes/projects.ts'
import { SCRIPT_ROUTES } from './routes/scripts.ts'
import { PUSH_ROUTES } from './routes/push.ts'
import { SERVER_ROUTES } from './routes/server.ts'
import { STATS_ROUTES } from './routes/stats.ts'
import { STORY_ROUTES } from './routes/stories.ts'
import { TASK_ROUTES } from './routes/tasks.ts'
import { WEBHOOK_ROUTES } from './routes/webhook.ts'

export const ROUTES = [
  ...TASK_ROUTES,
  ...EXECUTION_ROUTES,
  ...STORY_ROUTES,
  ...EPIC_ROUTES,
  ...PROJECT_ROUTES,
  ...AGENT_ROUTES,
  ...STATS_ROUTES,
  ...PUSH_ROUTES,
  ...DROP_ROUTES,
  ...WEBHOOK_ROUTES,
  ...SCRIPT_ROUTES,
  ...SERVER_ROUTES,
  ...DOCUMENT_ROUTES,
] as const

export type AnyRoute = (typeof ROUTES)[number]
export type OperationId = AnyRoute['id']
/** The row of one operation. */
export type RouteOf<Id extends OperationId> = Extract<AnyRoute, { readonly id: Id }>
