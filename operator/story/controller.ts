import type { Controller } from '../../kube/controller.ts'
import { createController } from '../../kube/controller.ts'
import type { ObjectKey } from '../../kube/types.ts'
import { applyStep } from '../apply.ts'
import type { OperatorContext } from '../context.ts'
import { indexKey } from '../context.ts'
import type { Informers, Timing } from '../informers.ts'
import { reportRefusal } from '../refusal.ts'
import { reconcileStory } from './reconcile.ts'

/** Stories: their annotations, and what their tasks make of them. */
export function createStoryController(context: OperatorContext, informers: Informers, timing: Timing): Controller {
  const controller = createController({
    ...timing,
    name: 'story',
    primary: informers.stories,
    reconcile: (key, lost) => settleStory(context, key, lost),
    onFailure: (key, error) => reportRefusal(context, context.views.stories.get(key), error),
  })
  controller.watch(informers.tasks, ({ metadata, spec }) =>
    spec.storyId === undefined ? [] : [{ namespace: metadata.namespace, name: spec.storyId }],
  )
  return controller
}

/** @throws KubeError Conflict when something was outdated: decide anew */
export async function settleStory(context: OperatorContext, key: ObjectKey, lost?: AbortSignal): Promise<void> {
  const { views, clock } = context
  const story = views.stories.get(key)
  if (story === undefined || story.metadata.deletionTimestamp !== undefined) return
  const tasks = views.tasks.byIndex('ofStory', indexKey(key.namespace, key.name))
  await applyStep(context, reconcileStory({ now: clock.now(), story, tasks }).actions, lost)
}
