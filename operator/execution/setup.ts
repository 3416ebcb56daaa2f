/** What the setup of a Prepare is given beside its clone: its variables, and where what it leaves is kept. */
import type { Execution, Project, SetupVariable } from '../../core/crd/types.ts'
import { environmentPath } from '../../core/execution/layout.ts'
import type { EnvVar } from '../../kube/builtin.ts'

export interface Setup {
  /** For the step that runs it, and for the one that looks for their values in what is sealed. All others are in its recipe. */
  readonly secrets: readonly EnvVar[]
  /** On the data volume. */
  readonly folder: string
}

/** @returns undefined for any other execution */
export function setupOf({ metadata, spec }: Execution, project: Project | undefined): Setup | undefined {
  if (spec.purpose !== 'Prepare' || project === undefined) return undefined
  const secrets = setupSecretsOf(spec, project).map(({ name, secretKey }) => ({
    name,
    valueFrom: { secretKeyRef: secretKey },
  }))
  const folder = environmentPath(project.metadata.uid ?? '', metadata.name)
  return { secrets, folder }
}

type SecretSetupVariable = SetupVariable & Required<Pick<SetupVariable, 'secretKey'>>

/** A branch may hold what an agent wrote: there the setup gets no secrets. */
export function setupSecretsOf({ branch }: Execution['spec'], { spec }: Project): SecretSetupVariable[] {
  if (branch !== undefined) return []
  return (spec.environment?.env ?? []).flatMap((one) =>
    one.secretKey === undefined ? [] : [{ ...one, secretKey: one.secretKey }],
  )
}
