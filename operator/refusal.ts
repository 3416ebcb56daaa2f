import type { KubeObject } from '../kube/types.ts'
import { isForbidden, isInvalid } from '../kube/types.ts'
import type { OperatorContext } from './context.ts'

/**
 * Says in an Event of the object what the API server refuses the operator about it. Trying again does not mend a right
 * that is missing, or a schema older than the program; whoever asks why nothing moves finds it at `kubectl describe`.
 */
export function reportRefusal(
  { events }: Pick<OperatorContext, 'events'>,
  object: KubeObject | undefined,
  error: unknown,
): void {
  if (object === undefined || !(isForbidden(error) || isInvalid(error))) return
  events.record(object, { type: 'Warning', reason: 'Refused', message: error.message })
}
