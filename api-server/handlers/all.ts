import type { ApiContext } from '../context.ts'
import { agentHandlers } from './agents.ts'
import { approveHandlers } from './approve.ts'
import { decisionHandlers } from './decisions.ts'
import { documentHandlers } from './documents.ts'
import { dropHandlers } from './drops.ts'
import { elaborateHandlers } from './elaborate.ts'
import { epicHandlers } from './epics.ts'
import { executionHandlers } from './executions.ts'
import type { Handlers } from './handler.ts'
import { poolHandlers } from './pool.ts'
import { projectHandlers } from './projects.ts'
import { scriptHandlers } from './scripts.ts'
import { pushHandlers } from './push.ts'
import { serverHandlers } from './server.ts'
import { statsHandlers } from './stats.ts'
import { sessionHandlers } from './session.ts'
import { storyHandlers } from './stories.ts'
import { storyDecisionHandlers } from './story-decisions.ts'
import { storyEventHandlers } from './story-events.ts'
import { storyTaskHandlers } from './story-tasks.ts'
import { taskHandlers } from './tasks.ts'
import { webhookHandlers } from './webhook.ts'
import { validationHandlers } from './validation.ts'

/** Every operation's handler; a missing one does not compile. */
export function createHandlers(context: ApiContext): Handlers {
  return {
    ...taskHandlers(context),
    ...validationHandlers(context),
    ...elaborateHandlers(context),
    ...approveHandlers(context),
    ...decisionHandlers(context),
    ...executionHandlers(context),
    ...projectHandlers(context),
    ...storyHandlers(context),
    ...storyDecisionHandlers(context),
    ...storyTaskHandlers(context),
    ...storyEventHandlers(context),
    ...epicHandlers(context),
    ...agentHandlers(context),
    ...pushHandlers(context),
    ...dropHandlers(context),
    ...poolHandlers(context),
    ...webhookHandlers(context),
    ...scriptHandlers(context),
    ...statsHandlers(context),
    ...serverHandlers(context),
    ...sessionHandlers(context),
    ...documentHandlers(context),
  }
}
