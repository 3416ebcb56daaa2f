import {
  type Decided,
  type DecisionContext,
  type DecisionRequest,
  checkState,
  decide,
} from '../commands/decide-task.ts'
import { checkMessage, sendMessage } from '../commands/message-task.ts'
import type { Handlers } from './handler.ts'

/** What people decide about tasks. */
export function decisionHandlers(context: DecisionContext) {
  const now = async (request: DecisionRequest) => ({ ...(await decide(context, request)), status: 200 as const })
  const later = async (decided: Promise<Decided>) => ({ ...(await decided), status: 202 as const })
  return {
    acceptTask: ({ params, caller, ifMatch }) => now({ id: params.id, action: 'accept', caller, ifMatch }),
    async rejectTask({ params, caller, ifMatch, body }) {
      const request = { id: params.id, action: 'reject', caller, ifMatch } as const
      await checkState(context, request)
      const { comment } = await body()
      return now({ ...request, details: { comment } })
    },
    async reviseTask({ params, caller, ifMatch, body }) {
      const request = { id: params.id, action: 'revise', caller, ifMatch } as const
      await checkState(context, request)
      const { comment } = await body()
      return later(decide(context, { ...request, details: { comment } }))
    },
    async messageTask({ params, caller, ifMatch, body }) {
      const request = { id: params.id, caller, ifMatch }
      await checkMessage(context, request)
      return sendMessage(context, { ...request, ...(await body()) })
    },
    async waiveTask({ params, caller, ifMatch, body }) {
      const request = { id: params.id, action: 'waive', caller, ifMatch } as const
      await checkState(context, request)
      const { reason } = await body()
      return later(decide(context, { ...request, details: { comment: reason } }))
    },
    cancelTask: ({ params, caller, ifMatch }) => decide(context, { id: params.id, action: 'cancel', caller, ifMatch }),
    resumeTask: ({ params, caller, ifMatch }) =>
      later(decide(context, { id: params.id, action: 'resume', caller, ifMatch })),
    async answerTask({ params, caller, ifMatch, body }) {
      const request = { id: params.id, action: 'answer', caller, ifMatch } as const
      await checkState(context, request)
      const { answer } = await body()
      return later(decide(context, { ...request, details: { answer } }))
    },
    runTask: ({ params, query, caller, ifMatch }) =>
      later(decide(context, { id: params.id, action: 'run', caller, ifMatch, details: { agent: query.agent } })),
  } satisfies Partial<Handlers>
}
