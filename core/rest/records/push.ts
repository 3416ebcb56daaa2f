import { closed, Instant } from '../fields.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'

/** For `PushManager.subscribe({applicationServerKey})`: 65 bytes, an uncompressed P-256 point, in base64url. */
export const VapidKeyRecord = closed({ public_key: Type.String() })

/** What is told of a stored subscription; its keys are the browser's secret and never shown again. */
export const PushSubscriptionRecord = closed({ endpoint: Type.String(), created_at: Instant })

export type PushSubscriptionRecord = Static<typeof PushSubscriptionRecord>
