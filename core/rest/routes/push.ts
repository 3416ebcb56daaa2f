import { Type } from 'typebox'
import { closed, Instant } from '../../schema/fields.ts'
import { PushSubscribe, PushTest, PushUnsubscribe } from '../requests/push.ts'
import { body, json, nothing, route, text } from '../route.ts'

/** For `PushManager.subscribe({applicationServerKey})`: 65 bytes, an uncompressed P-256 point, in base64url. */
const VapidKeyRecord = closed({ public_key: Type.String() })

/** What is told of a stored subscription; its keys are the browser's secret and never shown again. */
const PushSubscriptionRecord = closed({ endpoint: Type.String(), created_at: Instant })

/** How a push service answered a test; the message says what to do where it did not take it. */
const PushTestRecord = closed({ delivered: Type.Boolean(), message: Type.String() })

/** Rows of the route table about push notifications. */
export const PUSH_ROUTES = [
  route({
    id: 'getVapidKey',
    method: 'GET',
    isUncached: true,
    path: '/api/push/vapid-key',
    summary: 'The public key that a browser subscribes with (RFC 8292)',
    responses: { 200: json(VapidKeyRecord) },
    errors: [],
  }),
  route({
    id: 'subscribePush',
    method: 'POST',
    path: '/api/push/subscribe',
    summary: 'Subscribe a browser to notifications; a second subscription with the same endpoint replaces the first',
    body: body(PushSubscribe),
    responses: { 201: json(PushSubscriptionRecord) },
    errors: [409, 413, 415],
  }),
  route({
    id: 'unsubscribePush',
    method: 'DELETE',
    path: '/api/push/subscribe',
    summary: 'Unsubscribe a browser from notifications; also when it was not subscribed',
    // Whoever could subscribe can take it back.
    scope: 'decide',
    body: body(PushUnsubscribe),
    responses: { 204: nothing },
    errors: [413, 415],
  }),
  route({
    id: 'testPush',
    method: 'POST',
    path: '/api/push/test',
    summary: 'Send a notification to a subscribed browser at once, and say how its push service answered',
    body: body(PushTest),
    responses: { 200: json(PushTestRecord) },
    errors: [404, 413, 415],
  }),
  route({
    id: 'getServiceWorker',
    method: 'GET',
    isUncached: true,
    path: '/api/push/sw.js',
    summary: 'The service worker that shows notifications; it may control the whole origin',
    isOpen: true,
    responses: { 200: text('text/javascript; charset=utf-8') },
    errors: [],
  }),
] as const
