import type { Project } from '../crd/types.ts'
import { trimEndOf } from '../trim.ts'

/** The project that an event is about, or why none is. */
export type ProjectMatch =
  { readonly kind: 'found'; readonly project: Project } | { readonly kind: 'none'; readonly message: string }

/**
 * The project whose folder has the repository's name, case aside; else the one whose remote has it; else the only one
 * there is (specification §8.31). Of several with that name the one that `isSame`
 * says is the repository of the event; if that does not decide, none: a guess would hand work to the wrong repository.
 */
export function matchProject(
  name: string,
  projects: readonly Project[],
  isSame: (project: Project) => boolean,
): ProjectMatch {
  const wanted = name.toLowerCase()
  const byFolder = projects.filter(({ spec }) => spec.localPath !== undefined && baseName(spec.localPath) === wanted)
  const byRemote = projects.filter(({ spec }) => baseName(spec.remoteUrl) === wanted)
  const named = byFolder.length > 0 ? byFolder : byRemote
  const candidates = named.length > 0 ? named : projects
  const exact = candidates.filter(isSame)
  const [project, ...others] = candidates.length === 1 ? candidates : exact
  if (project !== undefined && others.length === 0) return { kind: 'found', project }
  const several = named.map(({ metadata }) => metadata.name).join(', ')
  return {
    kind: 'none',
    message:
      several === ''
        ? `no project matches repository ${name}`
        : `several projects match repository ${name}: ${several}`,
  }
}

/** Last segment of a path, URL or `host:path`, without `.git`, in lower case. */
export function baseName(path: string): string {
  const last =
    trimEndOf(path, '/\\')
      .split(/[/\\:]/)
      .pop() ?? ''
  return last.replace(/\.git$/i, '').toLowerCase()
}
