/** What an agent does, in words: pure. */
import type { Agent } from '../../../core/rest/client/client.ts'

const CREDENTIALS: Readonly<Record<Agent['status']['credentials'], string>> = {
  none: 'needs no login',
  present: 'login found',
  missing: 'login missing',
  unknown: 'login not checked yet',
}

/** Whether an agent has a login, in words. */
export function credentialsWords({ status, adapter }: Pick<Agent, 'status' | 'adapter'>): string {
  return status.credentials === 'none' && adapter !== 'script' ? 'names no login' : CREDENTIALS[status.credentials]
}
