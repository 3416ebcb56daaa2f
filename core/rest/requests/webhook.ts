import { Type } from 'typebox'

/** Largest event (specification §8.29). */
export const MAX_WEBHOOK_BYTES = 5 * 1024 * 1024

/** An event of a code-hosting service; open, because services send much more than is read (core/webhook/event.ts). */
export const WebhookEvent = Type.Object({
  action: Type.Optional(Type.String()),
  check_run: Type.Optional(Type.Object({})),
  workflow_run: Type.Optional(Type.Object({})),
  repository: Type.Optional(Type.Object({})),
})
