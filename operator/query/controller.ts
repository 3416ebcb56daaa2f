import type { Execution } from '../../core/crd/types.ts'
import { isWork, taskOfExecution } from '../../core/execution/state.ts'
import { LABELS } from '../../core/names.ts'
import { type Controller, createController } from '../../kube/controller.ts'
import { keyOf } from '../../kube/keys.ts'
import { holderOf } from '../../kube/lease.ts'
import type { KubeObject, ObjectKey } from '../../kube/types.ts'
import type { Action, Step } from '../action.ts'
import type { OperatorContext } from '../context.ts'
import type { Informers, Timing } from '../informers.ts'
import { stepAsideOnVolume } from '../step-aside.ts'
import { showRefusal } from '../refused.ts'
import { reconcileUntilStable } from '../reconcile-until-stable.ts'
import { releaseUnneeded } from '../slots.ts'
import { heldLeases, observeQuery, openQueries } from './observe.ts'
import { reconcileQuery } from './reconcile.ts'

/** The executions that do no task's work: queries, and deliveries. */
export function createQueryController(context: OperatorContext, informers: Informers, timing: Timing): Controller {
  const { views } = context
  const controller = createController({
    ...timing,
    name: 'query',
    primary: informers.executions,
    reconcile: async (key, lost, stepAside) => {
      const withExecution = stepAsideOnVolume(context, stepAside, lost, () => views.executions.get(key))
      return { requeueAt: await syncQuery(withExecution, key, lost) }
    },
  })
  controller.watch(informers.jobs, (job) => queryByLabel(context, job))
  controller.watch(informers.pods, (pod) => queryByLabel(context, pod))
  controller.watch(informers.leases, (lease) => {
    const holder = holderOf(lease)
    const { namespace, labels } = lease.metadata
    const held = holder === undefined ? [] : [{ namespace, name: holder }]
    return [...held, ...openQueries(views, namespace, labels?.[LABELS.agent]).map(keyOf)]
  })
  controller.watch(informers.agents, ({ metadata }) => openQueries(views, metadata.namespace, metadata.name).map(keyOf))
  return controller
}

function queryByLabel({ views }: OperatorContext, { metadata }: KubeObject): ObjectKey[] {
  const { namespace, labels } = metadata
  const key = { namespace, name: labels?.[LABELS.execution] ?? '' }
  const execution: Execution | undefined = views.executions.get(key)
  return execution !== undefined && isWork(execution) ? [] : [key]
}

/**
 * Brings one query or delivery, and the Lease that it holds, to where they should be.
 *
 * @returns when to look again if nothing changes meanwhile
 * @throws KubeError Conflict when something was outdated: decide anew
 * @throws NotStable
 */
export async function syncQuery(
  context: OperatorContext,
  key: ObjectKey,
  lost?: AbortSignal,
): Promise<Date | undefined> {
  const find = () => {
    const object = context.views.executions.get(key)
    return object && ({ kind: 'Execution', object } as const)
  }
  const reconcile = () => reconcileUntilStable(context, `execution ${key.name}`, () => nextStep(context, key), lost)
  return showRefusal(context, find, reconcile, lost)
}

async function nextStep(context: OperatorContext, key: ObjectKey): Promise<Step> {
  const execution = context.views.executions.get(key)
  if (execution !== undefined && isWork(execution)) return { actions: [] }
  if (execution === undefined) return { actions: await releaseHeld(context, key) }
  const seen = await observeQuery(context, key)
  const step = seen === undefined ? { actions: [] } : reconcileQuery(seen)
  if (step.actions.length > 0) return step
  const releases = await releaseHeld(context, key)
  return releases.length > 0 ? { actions: releases } : step
}

/** By the rule of all slots: when the execution has ended, or is gone, and no pod of its Jobs can still run. */
function releaseHeld(context: OperatorContext, { namespace, name }: ObjectKey): Promise<readonly Action[]> {
  const held = heldLeases(context.views, { namespace, name }).map(({ metadata }) => ({
    lease: { namespace, name: metadata.name },
    agent: metadata.labels?.[LABELS.agent] ?? '',
    execution: name,
  }))
  return releaseUnneeded(context, held, { namespace, name: taskOfExecution(name) })
}
