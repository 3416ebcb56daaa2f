/** Says on each project how much of the data volume the mirrors of its repository take. */
import { omit } from '../core/omit.ts'
import { PROJECTS } from '../kube/resources.ts'
import { isConflict } from '../kube/types.ts'
import { findGitUrl } from '../lib/git-url.ts'
import type { StoredRepository } from './repositories.ts'
import type { SweptNamespace } from './sweep.ts'

/** Whatever credential each was fetched with. A project that somebody writes meanwhile is told the next time. */
export async function tellMirrorSizes(
  served: readonly SweptNamespace[],
  stored: readonly StoredRepository[],
  ended: AbortSignal,
): Promise<void> {
  for (const { namespace, context } of served)
    for (const project of context.views.projects.list()) {
      if (project.metadata.namespace !== namespace) continue
      // As the mark of a repository has it (operator/volume.ts).
      const url = findGitUrl(project.spec.remoteUrl)?.clean
      const own = stored.filter(({ owner }) => owner?.namespace === namespace && owner?.name === url)
      const mirrorBytes = own.reduce((sum, { bytes }) => sum + bytes, 0)
      if (mirrorBytes === (project.status?.mirrorBytes ?? 0)) continue
      ended.throwIfAborted()
      const status = { ...omit(project.status ?? {}, ['mirrorBytes']), ...(mirrorBytes > 0 && { mirrorBytes }) }
      try {
        context.views.projects.observe(await context.client.replaceStatus(PROJECTS, { ...project, status }))
      } catch (error) {
        if (!isConflict(error)) throw error
      }
    }
}
