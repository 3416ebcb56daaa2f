import { Type } from 'typebox'
import type { Kind } from '../../crd-field.ts'
import { crdMapOf } from '../../schema/crd-limits.ts'
import { closed, maybe } from '../../schema/fields.ts'

/** Kubernetes quantities: `500m`, `2Gi`, `2`. */
const quantity = Type.Union([Type.String({ maxLength: 64 }), Type.Integer()])

/** Requests and limits of a container, as a pod has them. */
export function resourceAmounts(kind: Kind, path: string) {
  return closed({
    requests: maybe(crdMapOf(kind, `${path}.requests`, quantity)),
    limits: maybe(crdMapOf(kind, `${path}.limits`, quantity)),
  })
}
