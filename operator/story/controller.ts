import { type Controller, createController } from '../../kube/controller.ts'
import { keyOf } from '../../kube/keys.ts'
import type { KubeObject, ObjectKey } from '../../kube/types.ts'
import { applyStep } from '../apply.ts'
import { type OperatorContext, indexKey } from '../context.ts'
import type { Informers, Timing } from '../informers.ts'
import { showRefusal } from '../refused.ts'
import { stepAsideOnVolume } from '../step-aside.ts'
import { observeStory } from './observe.ts'
import { reconcileStory } from './reconcile.ts'

/** Stories: their annotations, what their tasks make of them, and their evaluation. */
export function createStoryController(context: OperatorContext, informers: Informers, timing: Timing): Controller {
  const controller = createController({
    ...timing,
    name: 'story',
    primary: informers.stories,
    reconcile: async (key, lost, stepAside) => {
      const withStory = stepAsideOnVolume(context, stepAside, lost, () => context.views.stories.get(key))
      return { requeueAt: await syncStory(withStory, key, lost) }
    },
  })
  controller.watch(informers.tasks, ({ metadata, spec }) =>
    spec.storyId === undefined ? [] : [{ namespace: metadata.namespace, name: spec.storyId }],
  )
  controller.watch(informers.storyEvents, ({ metadata, spec }) => [
    { namespace: metadata.namespace, name: spec.storyId },
  ])
  controller.watch(informers.executions, ({ metadata, spec }) =>
    spec.storyRef === undefined ? [] : [{ namespace: metadata.namespace, name: spec.storyRef.name }],
  )
  controller.watch(informers.agents, (agent) => evaluatedIn(context, agent))
  controller.watch(informers.projects, (project) =>
    evaluatedIn(context, project).filter(
      (key) => context.views.stories.get(key)?.spec.projectId === project.metadata.name,
    ),
  )
  return controller
}

/** The stories whose evaluation may go on when an agent or a project has changed. */
function evaluatedIn({ views }: OperatorContext, { metadata }: KubeObject): ObjectKey[] {
  return views.stories.byIndex('evaluated', indexKey(metadata.namespace, '')).map(keyOf)
}

/**
 * @returns when to look again if nothing changes meanwhile
 * @throws KubeError Conflict when something was outdated: decide anew
 */
export async function syncStory(
  context: OperatorContext,
  key: ObjectKey,
  lost?: AbortSignal,
): Promise<Date | undefined> {
  const find = () => {
    const object = context.views.stories.get(key)
    return object && ({ kind: 'Story', object } as const)
  }
  const reconcile = async () => {
    const seen = await observeStory(context, key)
    if (seen === undefined) return undefined
    const { actions, requeueAt } = reconcileStory(seen)
    await applyStep(context, actions, lost)
    return requeueAt
  }
  return showRefusal(context, find, reconcile, lost)
}
