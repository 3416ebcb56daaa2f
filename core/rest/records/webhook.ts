import { RecordId, closed } from '../fields.ts'

/** The fix-up task that an event led to. */
export const WebhookResult = closed({ task_id: RecordId })
