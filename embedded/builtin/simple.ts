import { type JsonObject, type JsonValue, isObject, jsonEquals } from '../schema/json.ts'
import type { FieldError } from '../schema/errors.ts'
import type { ApiObject } from '../objects.ts'
import { AGE, column, defineBuiltIn } from './define.ts'
import { describes, field, mapOf } from './schema.ts'

const MAX_DATA_BYTES = 1024 * 1024

export const CONFIG_MAPS = defineBuiltIn({
  group: '',
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
  columns: [column('Data', (object) => size(object['data']) + size(object['binaryData']), { type: 'integer' }), AGE],
  rules: {
    validate: (object, old) => [
      ...validateData(object, ['data', 'binaryData']),
      ...validateKept(object, old, ['data', 'binaryData']),
    ],
  },
  schema: describes('ConfigMap holds configuration data for pods to consume.', {
    data: mapOf('string', 'UTF-8 values by key.'),
    binaryData: mapOf('string', 'Base64 values by key.'),
    immutable: field('boolean', 'When true, the data cannot be changed.'),
  }),
})

export const SECRETS = defineBuiltIn({
  group: '',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  selectableFields: ['type'],
  columns: [
    column('Type', ({ type }) => (typeof type === 'string' ? type : null)),
    column('Data', ({ data }) => size(data), { type: 'integer' }),
    AGE,
  ],
  rules: {
    applyDefaults: encodeStringData,
    validate: (object, old) => [
      ...validateType(object, old),
      ...validateKept(object, old, ['data']),
      ...validateData(object, ['data']),
    ],
  },
  schema: describes('Secret holds secret data of a certain type; the values are Base64.', {
    data: mapOf('string', 'Base64 values by key.'),
    stringData: mapOf('string', 'Plain values by key; written into data and never read back.'),
    type: field('string', 'Says what the data are for; Opaque by default.'),
    immutable: field('boolean', 'When true, the data cannot be changed.'),
  }),
})

export const SERVICE_ACCOUNTS = defineBuiltIn({
  group: '',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  columns: [
    column('Secrets', ({ secrets }) => (Array.isArray(secrets) ? secrets.length : 0), { type: 'integer' }),
    AGE,
  ],
  schema: describes('ServiceAccount is an identity for processes that run in pods. It grants nothing here.'),
})

/** `kubectl cluster-info` lists them before it says where the control plane is. */
export const SERVICES = defineBuiltIn({
  group: '',
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  namespaced: true,
  hasDeleteCollection: false,
  absence:
    'the embedded control plane has no Services: its pods are processes of this machine, without a network of their own',
  columns: [AGE],
  schema: describes('Service gives pods an address. There are none here.'),
})

export const PERSISTENT_VOLUME_CLAIMS = defineBuiltIn({
  group: '',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  namespaced: true,
  hasStatus: true,
  columns: [
    column('Status', ({ status }) => textAt(status, 'phase')),
    column('Volume', ({ spec }) => textAt(spec, 'volumeName')),
    AGE,
  ],
  rules: { prepareCreate: (object) => void (object['status'] = { phase: 'Pending' }) },
  schema: describes('PersistentVolumeClaim asks for a volume; the node decides what it resolves to.'),
})

export const LEASES = defineBuiltIn({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  columns: [column('Holder', ({ spec }) => textAt(spec, 'holderIdentity')), AGE],
  schema: describes('Lease is a lock with a holder that renews it.', {
    spec: describes('Who holds the lease and since when.', {
      holderIdentity: field('string', 'The holder; empty or absent when nobody holds it.'),
      leaseDurationSeconds: field('integer', 'How long after renewTime others wait before they take it.'),
      acquireTime: field('string', 'When the holder took it, with microseconds.'),
      renewTime: field('string', 'When the holder renewed it last, with microseconds.'),
      leaseTransitions: field('integer', 'How often the holder has changed.'),
    }),
  }),
})

/** A string below an object, or null. */
export function textAt(value: JsonValue | undefined, name: string): string | null {
  const found = isObject(value) ? value[name] : undefined
  return typeof found === 'string' ? found : null
}

function size(value: JsonValue | undefined): number {
  return isObject(value) ? Object.keys(value).length : 0
}

function encodeStringData(secret: ApiObject): void {
  const { stringData } = secret
  secret['type'] ??= 'Opaque'
  if (!isObject(stringData)) return
  const data: JsonObject = isObject(secret['data']) ? { ...secret['data'] } : {}
  for (const [key, value] of Object.entries(stringData)) {
    data[key] = typeof value === 'string' ? Buffer.from(value).toString('base64') : value
  }
  secret['data'] = data
  delete secret['stringData']
}

/** A ConfigMap or Secret that says that it is immutable keeps its data, and keeps saying so. */
function validateKept(object: ApiObject, old: ApiObject | undefined, fields: readonly string[]): FieldError[] {
  if (old?.['immutable'] !== true) return []
  return ['immutable', ...fields]
    .filter((name) => !jsonEquals(object[name] ?? {}, old[name] ?? {}))
    .map((name) => ({
      reason: 'FieldValueForbidden',
      field: name,
      message: 'Forbidden: field is immutable when `immutable` is set',
    }))
}

function validateType({ type }: ApiObject, old: ApiObject | undefined): FieldError[] {
  if (old === undefined || type === old['type']) return []
  const message = `Invalid value: ${JSON.stringify(type)}: field is immutable`
  return [{ reason: 'FieldValueInvalid', field: 'type', message }]
}

function validateData(object: ApiObject, fields: readonly string[]): FieldError[] {
  const errors: FieldError[] = []
  let bytes = 0
  for (const name of fields) {
    const map = object[name] ?? {}
    for (const [key, value] of Object.entries(isObject(map) ? map : {})) {
      if (!/^[-._a-zA-Z0-9]{1,253}$/.test(key)) {
        const detail = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
        errors.push({
          reason: 'FieldValueInvalid',
          field: `${name}[${key}]`,
          message: `Invalid value: "${key}": ${detail}`,
        })
      }
      if (typeof value !== 'string') {
        errors.push({
          reason: 'FieldValueTypeInvalid',
          field: `${name}[${key}]`,
          message: 'Invalid value: must be a string',
        })
      } else bytes += Buffer.byteLength(value)
    }
  }
  if (bytes > MAX_DATA_BYTES) {
    errors.push({
      reason: 'FieldValueTooLong',
      field: '',
      message: `Too long: may not be more than ${MAX_DATA_BYTES} bytes`,
    })
  }
  return errors
}
