/** What the setup of a Prepare is given beside its clone: its variables, and where what it leaves is kept. */
import type { Agent, Execution, Project, SetupVariable } from '../../core/crd/types.ts'
import { environmentPath } from '../../core/execution/layout.ts'
import type { EnvVar } from '../../kube/builtin.ts'

export interface Setup {
  /** For the step that runs it, and for the one that looks for their values in what is sealed. All others are in its recipe. */
  readonly secrets: readonly EnvVar[]
  /** On the data volume. */
  readonly folder: string
}

/**
 * @param wanted as {@link setupSecretsOf} gives it
 * @returns undefined for any other execution
 */
export function setupOf(
  { metadata, spec }: Execution,
  project: Project | undefined,
  wanted: readonly SecretSetupVariable[],
): Setup | undefined {
  if (spec.purpose !== 'Prepare' || project === undefined) return undefined
  const secrets = wanted.map(({ name, secretKey }) => ({ name, valueFrom: { secretKeyRef: secretKey } }))
  const folder = environmentPath(project.metadata.uid ?? '', metadata.name)
  return { secrets, folder }
}

export type SecretSetupVariable = SetupVariable & Required<Pick<SetupVariable, 'secretKey'>>

/**
 * The secrets that a setup gets. A branch may hold what an agent wrote, and whoever writes a task can name any image, whose
 * programs the setup calls: neither gets one.
 */
export function setupSecretsOf(
  { purpose, branch, image }: Execution['spec'],
  project: Project | undefined,
  { usualImage, agents }: { readonly usualImage: string; readonly agents: readonly Agent[] },
): SecretSetupVariable[] {
  if (purpose !== 'Prepare' || branch !== undefined || project === undefined) return []
  const { environment, containerImage } = project.spec
  const chosen = [usualImage, containerImage, ...agents.map(({ spec }) => spec.image)]
  if (image !== undefined && !chosen.includes(image)) return []
  return (environment?.env ?? []).flatMap((one) =>
    one.secretKey === undefined ? [] : [{ ...one, secretKey: one.secretKey }],
  )
}
