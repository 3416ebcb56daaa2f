import type { Kind } from '../../crd-field.ts'
import { crdString } from '../../schema/crd-limits.ts'
import { closed } from '../../schema/fields.ts'

/** The identity that git of a kind's executions has. */
export function gitIdentity(kind: Extract<Kind, 'Project' | 'Agent'>) {
  return closed({
    name: crdString(kind, 'spec.git.identity.name'),
    email: crdString(kind, 'spec.git.identity.email'),
  })
}
