import { PushSubscriptionRecord, VapidKeyRecord } from '../records/push.ts'
import { PushSubscribe, PushUnsubscribe } from '../requests/push.ts'
import { body, json, nothing, route, text } from '../route.ts'

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
