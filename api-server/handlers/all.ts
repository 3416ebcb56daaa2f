import { agentHandlers } from './agents.ts'
import { checkoutHandlers } from './checkout.ts'
import { decisionHandlers } from './decisions.ts'
import { documentHandlers } from './documents.ts'
import { dropHandlers } from './drops.ts'
import { elaborateHandlers } from './elaborate.ts'
import { epicHandlers } from './epics.ts'
import { executionHandlers } from './executions.ts'
import type { Handlers } from './handler.ts'
import { agentStatusHandlers } from './agents-status.ts'
import { projectHandlers } from './projects.ts'
import { scriptHandlers } from './scripts.ts'
import { pushHandlers } from './push.ts'
import { serverHandlers } from './server.ts'
import { statsHandlers } from './stats.ts'
import { sessionHandlers } from './session.ts'
import { signInHandlers } from './sign-in.ts'
import { storyHandlers } from './stories.ts'
import { storyDecisionHandlers } from './story-decisions.ts'
import { storyEventHandlers } from './story-events.ts'
import { storyTaskHandlers } from './story-tasks.ts'
import { archivedTaskHandlers, taskHandlers } from './tasks.ts'
import { webhookHandlers } from './webhook.ts'
import { validationHandlers } from './validation.ts'

/** What they take together: each names in its own file what it uses; what the others use is among it. */
type Parts =
  | typeof taskHandlers
  | typeof validationHandlers
  | typeof checkoutHandlers
  | typeof executionHandlers
  | typeof storyDecisionHandlers
  | typeof pushHandlers
  | typeof dropHandlers
  | typeof webhookHandlers
  | typeof scriptHandlers
  | typeof serverHandlers
  | typeof sessionHandlers
  | typeof signInHandlers
  | typeof projectHandlers
  | typeof agentStatusHandlers
  | typeof documentHandlers
  | typeof statsHandlers extends (parts: infer P) => unknown
  ? P
  : never

/** Every operation's handler; a missing one does not compile. */
export function createHandlers(parts: Parts): Handlers {
  return {
    ...taskHandlers(parts),
    ...checkoutHandlers(parts),
    ...archivedTaskHandlers(parts),
    ...validationHandlers(parts),
    ...elaborateHandlers(parts),
    ...decisionHandlers(parts),
    ...executionHandlers(parts),
    ...projectHandlers(parts),
    ...storyHandlers(parts),
    ...storyDecisionHandlers(parts),
    ...storyTaskHandlers(parts),
    ...storyEventHandlers(parts),
    ...epicHandlers(parts),
    ...agentHandlers(parts),
    ...pushHandlers(parts),
    ...dropHandlers(parts),
    ...agentStatusHandlers(parts),
    ...webhookHandlers(parts),
    ...scriptHandlers(parts),
    ...statsHandlers(parts),
    ...serverHandlers(parts),
    ...sessionHandlers(parts),
    ...signInHandlers(parts),
    ...documentHandlers(parts),
  }
}
