/** What an agent does, in words: pure. */
import type { Agent } from '../../../core/rest/client/client.ts'
import type { StateWords } from '../../model/task-state.ts'
import { formatClock } from '../../model/time.ts'

/** The state of an agent as people read it. */
export function agentStateWords({ status }: Pick<Agent, 'status'>, nowMs: number): StateWords {
  switch (status.state) {
    case 'idle':
      return { tone: 'done', icon: 'done', text: 'Free' }
    case 'running':
      return { tone: 'run', icon: 'play', text: 'At work' }
    case 'drained':
      return { tone: 'fail', icon: 'stopped', text: 'Drained' }
    case 'rate_limited': {
      const end = status.rate_limited_until
      return {
        tone: 'wait',
        icon: 'pause',
        text: end === undefined ? 'Limited' : `Limit, ends ${formatClock(Date.parse(end), nowMs)}`,
      }
    }
    case 'unavailable':
      return { tone: 'ask', icon: 'question', text: 'Cannot work' }
    default:
      return status.state satisfies never
  }
}

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
