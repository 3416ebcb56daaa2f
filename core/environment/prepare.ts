/** The executions that run the setup of a project (docs/adr/0013-environments.md). */
import type { Agent, Execution, PreparedEnvironment, Project } from '../crd/types.ts'
import { isSame } from '../json.ts'
import { API_VERSION, LABELS, MANAGED_BY } from '../names.ts'
import { withoutAbsent } from '../omit.ts'
import { SCRIPT_AGENT } from '../task/agent-spec.ts'
import { formatDuration } from '../time.ts'
import { toRecipe } from './choose.ts'
import { DEFAULT_SETUP_SECONDS } from './recipe.ts'

/** Name of the `<n>`-th setup of a project. No execution of a task is named like it. */
export function prepareName(project: string, n: number): string {
  return `${project}-e${n}`
}

/**
 * The Execution of an entry of the project's status. It names no commit: it prepares the tip of the default branch, or of
 * `branch`.
 *
 * @param branch of whose it is for alone, if it is
 */
export function makePrepare(project: Project, entry: PreparedEnvironment, branch: string | undefined): Execution {
  const { name, namespace, uid = '' } = project.metadata
  const { execution, image, onlyFor } = entry
  return {
    apiVersion: API_VERSION,
    kind: 'Execution',
    metadata: {
      name: execution,
      ...withoutAbsent({ namespace }),
      labels: { [LABELS.managedBy]: MANAGED_BY, [LABELS.execution]: execution, [LABELS.project]: name },
      ownerReferences: [{ apiVersion: API_VERSION, kind: 'Project', name, uid, controller: true }],
    },
    spec: {
      purpose: 'Prepare',
      projectRef: { name },
      timeout: timeoutOf(project),
      ...withoutAbsent({
        image,
        branch,
        taskRef: onlyFor?.task === undefined ? undefined : { name: onlyFor.task },
        storyRef: onlyFor?.story === undefined ? undefined : { name: onlyFor.story },
      }),
    },
  }
}

function timeoutOf({ spec: { environment } }: Project): string {
  return formatDuration(
    (environment === undefined ? DEFAULT_SETUP_SECONDS : toRecipe(environment).timeoutSeconds) * 1000,
  )
}

/**
 * Why an execution of purpose Prepare is not carried out, in words. Whoever may create Executions can ask for any: only
 * those are that the project's status has made room for, on the branch of whom it says, and in the image that it says.
 */
export function notPreparedReason({ metadata, spec }: Execution, project: Project | undefined): string | undefined {
  if (project === undefined) return `project ${spec.projectRef?.name ?? ''} does not exist`
  const { name, uid } = project.metadata
  const entry = project.status?.environments?.find(
    ({ execution, state }) => execution === metadata.name && state === 'Building',
  )
  if (entry === undefined) return `project ${name} did not ask for it`
  const isOwned = metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) === true
  return isOwned && isMadeFrom(spec, project, entry) ? undefined : `project ${name} asked for another one of this name`
}

/** Whether an execution says what its project would have it say; its branch may have got another name meanwhile. */
function isMadeFrom(spec: Execution['spec'], project: Project, entry: PreparedEnvironment): boolean {
  const { timeout: _, branch, ...rest } = spec
  const { timeout: __, branch: ___, ...wanted } = makePrepare(project, entry, undefined).spec
  return (branch !== undefined) === (entry.onlyFor !== undefined) && isSame(rest, wanted)
}

/** Stands for the agent of a Prepare: its setup is run like a script. */
export function setupAgent({ metadata: { namespace }, spec: { image } }: Execution): Agent {
  return {
    apiVersion: API_VERSION,
    kind: 'Agent',
    metadata: { name: 'setup', ...withoutAbsent({ namespace }) },
    spec: { adapter: SCRIPT_AGENT, dropsAccess: 'none', ...withoutAbsent({ image }) },
  }
}
