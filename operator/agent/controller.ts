import { ANNOTATIONS } from '../../core/names.ts'
import { type Controller, createController } from '../../kube/controller.ts'
import type { ObjectKey } from '../../kube/types.ts'
import { applyStep } from '../apply.ts'
import { type OperatorContext, indexKey } from '../context.ts'
import { findMissingCredentials } from '../execution/credentials.ts'
import { secretsOf } from '../execution/agent-config.ts'
import type { Informers, Timing } from '../informers.ts'
import { showRefusal } from '../refused.ts'
import { reconcileAgent } from './reconcile.ts'
import { badPromptsReasonOf } from './unavailable.ts'

/** Agents: their annotations, the end of their limits, their conditions. */
export function createAgentController(context: OperatorContext, informers: Informers, timing: Timing): Controller {
  return createController({
    ...timing,
    name: 'agent',
    primary: informers.agents,
    reconcile: async (key, lost) => ({ requeueAt: await syncAgent(context, key, lost) }),
  })
}

/** @throws KubeError Conflict when something was outdated: decide anew */
export async function syncAgent(
  context: OperatorContext,
  key: ObjectKey,
  lost?: AbortSignal,
): Promise<Date | undefined> {
  const find = () => {
    const object = context.views.agents.get(key)
    return object && ({ kind: 'Agent', object } as const)
  }
  const reconcile = async () => {
    const { views, clock, installation, admissionPolicies, needsPolicies = false } = context
    const agent = views.agents.get(key)
    if (agent === undefined || agent.metadata.deletionTimestamp !== undefined) return undefined
    // All that ever named it, finished ones too: looked up only where somebody has decided about the agent.
    const isAsked = agent.metadata.annotations?.[ANNOTATIONS.action] !== undefined
    const tasks = isAsked ? views.tasks.byIndex('ofAgent', indexKey(key.namespace, key.name)) : []
    const missingCredentials = await findMissingCredentials(context, agent, secretsOf(agent))
    const findings = { installation, missingCredentials, badPrompts: badPromptsReasonOf(agent) }
    const policies = { admissionPolicies, needsPolicies }
    const { actions, requeueAt } = reconcileAgent({ now: clock.now(), agent, tasks, ...policies, ...findings })
    await applyStep(context, actions, lost)
    return requeueAt
  }
  return showRefusal(context, find, reconcile, lost)
}
