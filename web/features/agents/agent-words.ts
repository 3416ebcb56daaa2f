/** What an agent does, in words: pure. */
import type { Agent } from '../../../core/rest/client/client.ts'

const CREDENTIALS: Readonly<Record<Agent['status']['credentials'], string>> = {
  none: 'needs no login',
  present: 'login found',
  missing: 'login missing',
  unknown: 'login not checked yet',
}

/** What is known of the login of an agent. */
export function credentialsWords({ status, adapter }: Pick<Agent, 'status' | 'adapter'>): string {
  return status.credentials === 'none' && adapter !== 'script' ? 'names no login' : CREDENTIALS[status.credentials]
}
