import { type Controller, createController } from '../../kube/controller.ts'
import type { ObjectKey } from '../../kube/types.ts'
import { applyStep } from '../apply.ts'
import type { OperatorContext } from '../context.ts'
import { findGitSource } from '../execution/git-source.ts'
import type { Informers, Timing } from '../informers.ts'
import { showRefusal } from '../refused.ts'
import { reconcileProject } from './reconcile.ts'

/** Projects: whether their tasks could be started. */
export function createProjectController(context: OperatorContext, informers: Informers, timing: Timing): Controller {
  return createController({
    ...timing,
    name: 'project',
    primary: informers.projects,
    workers: 1,
    reconcile: async (key, lost) => ({ requeueAt: await syncProject(context, key, lost) }),
  })
}

/** @throws KubeError Conflict when something was outdated: decide anew */
export async function syncProject(
  context: OperatorContext,
  key: ObjectKey,
  lost?: AbortSignal,
): Promise<Date | undefined> {
  const find = () => {
    const object = context.views.projects.get(key)
    return object && ({ kind: 'Project', object } as const)
  }
  const reconcile = async () => {
    const project = context.views.projects.get(key)
    if (project === undefined || project.metadata.deletionTimestamp !== undefined) return undefined
    const git = await findGitSource(context, { namespace: key.namespace, url: undefined, project })
    const { actions, requeueAt } = reconcileProject({
      now: context.clock.now(),
      project,
      git,
      isEmbedded: context.settings.embedded,
    })
    await applyStep(context, actions, lost)
    return requeueAt
  }
  return showRefusal(context, find, reconcile, lost)
}
