import { isObject } from '../schema/json.ts'
import { AGE, column, defineBuiltIn } from './define.ts'
import { describes, field } from './schema.ts'
import { textAt } from './simple.ts'

/** Holds a namespace until the collector has emptied it. */
export const NAMESPACE_FINALIZER = 'kubernetes'

/** As kube-apiserver's NamespaceLifecycle admission: a slip of the hand must not empty what everybody starts with. */
const IMMORTAL = new Set(['default', 'kube-system', 'kube-public'])

export const NAMESPACES = defineBuiltIn({
  group: '',
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  hasStatus: true,
  // As with a kube-apiserver: one mistyped request shall not empty everything.
  hasDeleteCollection: false,
  selectableFields: ['status.phase'],
  columns: [column('Status', ({ status }) => textAt(status, 'phase')), AGE],
  rules: {
    prepareCreate(namespace) {
      namespace.metadata.labels = {
        ...namespace.metadata.labels,
        'kubernetes.io/metadata.name': namespace.metadata.name,
      }
      namespace['spec'] = { finalizers: [NAMESPACE_FINALIZER] }
      namespace['status'] = { phase: 'Active' }
    },
    refuseDelete: ({ metadata }) => (IMMORTAL.has(metadata.name) ? 'this namespace may not be deleted' : undefined),
    isHeld({ spec }) {
      return isObject(spec) && Array.isArray(spec['finalizers']) && spec['finalizers'].length > 0
    },
    onHeld(namespace) {
      namespace['status'] = { phase: 'Terminating' }
    },
  },
  schema: describes('Namespace is a room of names; deleting it deletes all that is in it.', {
    status: describes('Where the namespace stands.', { phase: field('string', 'Active or Terminating.') }),
  }),
})
