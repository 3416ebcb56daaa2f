import { apiError } from '../../core/errors.ts'
import { MAX_WEBHOOK_BYTES } from '../../core/rest/requests/webhook.ts'
import { readCiEvent } from '../../core/webhook/event.ts'
import { represent } from '../records/representation.ts'
import { createKeyedMutex } from '../../lib/async.ts'
import { fileFailure } from '../webhook/fix-tasks.ts'
import type { CreateTaskContext } from '../commands/create-task.ts'
import type { WebhookSignature } from '../webhook/signature.ts'
import type { Handlers, RawBody } from './handler.ts'
import { messageOf } from '../../lib/error-message.ts'

/** What a code-hosting service reports. */
export function webhookHandlers(context: CreateTaskContext & { readonly webhookSignature: WebhookSignature }) {
  // CI reports the failures of a commit together, and those of a branch count: taken one after another they are no race.
  const runExclusive = createKeyedMutex()
  return {
    async receiveWebhook({ body, caller }) {
      const bytes = await body.readBytes(MAX_WEBHOOK_BYTES)
      const author = await context.webhookSignature.check({ headers: body.headers, bytes, caller })
      const name = body.headers['x-github-event']
      const event = readCiEvent(typeof name === 'string' ? name : undefined, parseEvent(body, bytes))
      if (event.kind === 'ignored') return { status: 204, body: undefined }
      if (event.kind === 'unreadable') throw apiError('invalid_request', event.message)
      const { failure } = event
      const { taskId, isNew } = await runExclusive(failure.repository.name, () => fileFailure(context, failure, author))
      const record = represent({ task_id: taskId })
      return isNew
        ? { status: 201, body: record, headers: { Location: `/api/tasks/${taskId}` } }
        : { status: 200, body: record }
    },
  } satisfies Partial<Handlers>
}

/** JSON, or a form whose field `payload` is JSON. @throws ApiError `invalid_json` */
function parseEvent({ contentType }: RawBody, bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const isForm = contentType.toLowerCase().startsWith('application/x-www-form-urlencoded')
    return JSON.parse(withTextIds(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text))
  } catch (error) {
    throw apiError('invalid_json', messageOf(error)).causedBy(error)
  }
}

/** Ids too large for a number of JavaScript as texts, digit by digit. No text of the document matches: its quotes are escaped. */
function withTextIds(json: string): string {
  return json.replace(/"id"\s*:\s*(\d{16,})(?=\s*[,}])/g, '"id":"$1"')
}
