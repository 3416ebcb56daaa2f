/** What Kubernetes says of events and containers, as people read it: pure. */
import type { Kubernetes } from '../../core/rest/client/client.ts'
import { showUnseen } from './hostile-text.ts'

export type KubernetesEvent = Kubernetes['events'][number]
export type Pod = NonNullable<Kubernetes['pod']>
type Container = Pod['containers'][number]

/** The message of an event, with how often it happened. */
export function eventWords({ message, count }: KubernetesEvent): string {
  return showUnseen(count > 1 ? `${message} (${count} times)` : message)
}

/**
 * What a container does or how it ended, and why. The message of one that ended is what its program wrote for other
 * programs (`terminationMessagePath`); it stands in the YAML.
 */
export function containerWords({ state, reason, message, exit_code, restarts }: Container): string {
  const what = state === undefined ? 'not started' : exit_code === undefined ? state : `${state} with ${exit_code}`
  const said = state === 'terminated' ? undefined : message
  const why = [reason, said].filter((part) => part !== undefined && part !== '').join(', ')
  const again = restarts === 0 ? '' : `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`
  return showUnseen(`${what}${why === '' ? '' : `: ${why}`}${again}`)
}
