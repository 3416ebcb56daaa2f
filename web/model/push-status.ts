/** What notifications are in this browser, and what a person can do about it: pure. */

/** What the browser says of itself. */
export interface PushFacts {
  /** https, or this machine. */
  readonly isSecure: boolean
  readonly hasPush: boolean
  readonly permission: 'default' | 'denied' | 'granted'
  /** `stale`: made with another key than the one that the server has now. */
  readonly subscription: 'none' | 'current' | 'stale'
}

export type PushStatus = 'insecure' | 'unsupported' | 'blocked' | 'off' | 'stale' | 'on'

/** The first thing that stands in the way, or that nothing does. */
export function pushStatus({ isSecure, hasPush, permission, subscription }: PushFacts): PushStatus {
  if (!isSecure) return 'insecure'
  if (!hasPush) return 'unsupported'
  if (permission === 'denied') return 'blocked'
  if (subscription === 'none' || permission !== 'granted') return 'off'
  return subscription === 'stale' ? 'stale' : 'on'
}

/** What it means, and the way on. */
export const PUSH_WORDS: Readonly<Record<PushStatus, string>> = {
  insecure:
    'Browsers offer notifications only to pages that came over https or from this machine. Open Slipway over https, or as http://localhost.',
  unsupported:
    'This browser has no push notifications. Current versions of Chrome, Edge, Firefox and Safari have them; private windows do not. On an iPhone or iPad, put Slipway on the Home Screen by the Share menu, and open it from there.',
  blocked:
    'Notifications of this page are blocked in this browser. Allow them in the browser’s settings for this page, and load it again.',
  off: 'When a task asks, fails or is ready for review, this browser can tell you, even if no page of Slipway is open.',
  stale:
    'This browser was subscribed with an earlier key of the server, and gets nothing any more. Subscribe it again.',
  on: 'This browser tells you when a task asks, fails or is ready for review.',
}

/** Why a browser did not subscribe, in words. @param error of `pushManager.subscribe` or of the registration */
export function subscribeProblem({ name, message }: { readonly name: string; readonly message: string }): string {
  if (name === 'NotAllowedError') return 'The browser does not allow notifications of this page.'
  if (name === 'AbortError') return `The browser could not reach its push service: ${message}`
  if (name === 'SecurityError') return `The browser does not trust this page enough for notifications: ${message}`
  return message
}

/** Bytes of a key as `GET /api/push/vapid-key` writes them: base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
