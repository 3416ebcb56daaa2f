/** What the setups of its project have prepared that an execution may begin with. */
import type { Agent, Execution, PreparedEnvironment, Project, Task } from '../../core/crd/types.ts'
import {
  type EnvironmentWish,
  branchOwner,
  environmentImage,
  imageFor,
  isPreparedFor,
  sourceOf,
} from '../../core/environment/choose.ts'
import { environmentPath } from '../../core/execution/layout.ts'
import { isWork } from '../../core/execution/state.ts'
import { digestRecipe } from '../../lib/environment-digest.ts'
import type { OperatorContext } from '../context.ts'
import { isSealed } from '../volume.ts'

/** What an execution may begin with; absent where nothing is prepared for it. */
export interface ObservedEnvironments {
  readonly project: Project
  readonly wish: EnvironmentWish
  /** All of the project, newest first. */
  readonly all: readonly PreparedEnvironment[]
}

/** Those who work, who judge the work, and who prepare; of a task that clones its project's repository. */
export function observeEnvironments(
  { installation, settings }: Pick<OperatorContext, 'installation' | 'settings'>,
  {
    execution,
    task,
    project,
    agent,
  }: { readonly execution: Execution; readonly task: Task; readonly project?: Project; readonly agent?: Agent },
): ObservedEnvironments | undefined {
  const { purpose } = execution.spec
  const usual = environmentImage(installation, settings.image)
  const hasOne = isWork(execution) || purpose === 'Evaluate' || purpose === 'Prepare'
  if (usual === undefined || !hasOne || project === undefined || !isPreparedFor(task, project)) return undefined
  const image = imageFor(usual, purpose === 'Prepare' ? undefined : task, project, agent)
  const given = purpose === 'Prepare' ? (execution.spec.image ?? '') : image
  const wish = { ...sourceOf(project, given, digestRecipe), owner: branchOwner(task) }
  return { project, wish, all: project.status?.environments ?? [] }
}

/** The environments of a project that are ready by its record, and whose folders are gone, as with another volume. */
export async function findLost(
  { onVolume, settings }: Pick<OperatorContext, 'onVolume' | 'settings'>,
  { metadata: { uid = '' }, status }: Project,
): Promise<ReadonlySet<string>> {
  const ready = status?.environments?.filter(({ state }) => state === 'Ready') ?? []
  if (ready.length === 0) return new Set()
  return onVolume({ kind: 'read', path: environmentPath(uid, ready[0]?.execution ?? '') }, async () => {
    const isThere = await Promise.all(
      ready.map(({ execution }) => isSealed(settings.volumeRoot, environmentPath(uid, execution))),
    )
    return new Set(ready.flatMap(({ execution }, n) => (isThere[n] === true ? [] : [execution])))
  })
}
