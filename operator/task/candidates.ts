import type { Candidate } from '../../core/agent/fitness.ts'
import type { Project } from '../../core/crd/types.ts'
import { notReadyReason } from '../../core/agent/readiness.ts'
import { closedReason } from '../../core/agent/schedule.ts'
import { unusableReason } from '../agent/unavailable.ts'
import type { OperatorContext } from '../context.ts'

/**
 * All agents of a namespace with their queues, and how they did on a project, as classification wants them; of a task
 * that names its agent that one alone.
 */
export function candidatesOf(
  { views, scheduling, installation, trackRecords, clock }: OperatorContext,
  namespace: string | undefined,
  { project, named }: { readonly project?: Project | undefined; readonly named?: string | undefined },
): Candidate[] {
  const now = clock.now()
  const found = named === undefined ? views.agents.list(namespace) : [views.agents.get({ namespace, name: named })]
  const agents = found.filter((agent) => agent !== undefined)
  const candidates = agents.map((agent) => {
    const { name } = agent.metadata
    return {
      agent,
      now,
      holders: scheduling.holdersOf(name, now),
      queueLength: scheduling.queueLength(name),
      // What its controller found counts too: an agent without a login would fail every task that it is given.
      unavailable: unusableReason(agent, installation) ?? notReadyReason(agent),
      record: trackRecords?.of(name, project?.metadata.name),
      projectImage: project?.spec.containerImage,
    }
  })
  const isOpen = ({ agent, unavailable }: Candidate): boolean =>
    unavailable === undefined && closedReason(agent, now) === undefined
  // Where another agent can take the task, it need not wait for a person to look at what this one did.
  const below = candidates.filter(({ agent }) => !scheduling.isAtReviewLimit(agent.metadata.name))
  return below.some(isOpen) ? below : candidates
}
