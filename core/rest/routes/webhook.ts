import { closed, RecordId } from '../../schema/fields.ts'
import { MAX_WEBHOOK_BYTES, WebhookEvent } from '../requests/webhook.ts'
import { json, nothing, rawBody, route } from '../route.ts'

/** The fix-up task that an event led to. */
const WebhookResult = closed({ task_id: RecordId })

const result = json(WebhookResult)

/** Row of the route table about events of code-hosting services. */
export const WEBHOOK_ROUTES = [
  route({
    id: 'receiveWebhook',
    method: 'POST',
    path: '/api/webhooks/vcshost',
    summary: 'Make a task from a failed check_run or workflow_run; other outcomes are 204',
    // The handler asks: for the signature where a webhook secret is set, else for the token.
    isOpen: true,
    body: rawBody({
      contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
      maxBytes: MAX_WEBHOOK_BYTES,
      schema: WebhookEvent,
    }),
    responses: { 200: result, 201: result, 204: nothing },
    errors: [400, 401, 413, 415, 422],
  }),
] as const
