import { type Controller, createController } from '../../kube/controller.ts'
import type { ObjectKey } from '../../kube/types.ts'
import { applyStep } from '../apply.ts'
import { type OperatorContext, indexKey } from '../context.ts'
import type { Informers, Timing } from '../informers.ts'
import { showRefusal } from '../refused.ts'
import { reconcileEpic } from './reconcile.ts'

/** Epics: how far their stories are. */
export function createEpicController(context: OperatorContext, informers: Informers, timing: Timing): Controller {
  const controller = createController({
    ...timing,
    name: 'epic',
    primary: informers.epics,
    workers: 1,
    reconcile: (key, lost) => syncEpic(context, key, lost),
  })
  controller.watch(informers.stories, ({ metadata, spec }) =>
    spec.epicId === undefined ? [] : [{ namespace: metadata.namespace, name: spec.epicId }],
  )
  return controller
}

/** @throws KubeError Conflict when something was outdated: decide anew */
export async function syncEpic(context: OperatorContext, key: ObjectKey, lost?: AbortSignal): Promise<void> {
  const find = () => {
    const object = context.views.epics.get(key)
    return object && ({ kind: 'Epic', object } as const)
  }
  const reconcile = async () => {
    const { views, clock } = context
    const epic = views.epics.get(key)
    if (epic === undefined || epic.metadata.deletionTimestamp !== undefined) return
    const stories = views.stories.byIndex('ofEpic', indexKey(key.namespace, key.name))
    await applyStep(context, reconcileEpic({ now: clock.now(), epic, stories }).actions, lost)
  }
  return showRefusal(context, find, reconcile, lost)
}
