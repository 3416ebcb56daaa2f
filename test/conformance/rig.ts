import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../embedded/schema/json.ts'
import type { Answer, KubeHttp } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'

/** What each part of the suite works with: a server, a namespace of its own, and a kind that has every feature. */
export interface Rig {
  readonly http: KubeHttp
  readonly namespace: string
}

export const GROUP = 'conformance.example.com'
export const CORE = (namespace: string, plural: string): string => `/api/v1/namespaces/${namespace}/${plural}`
export const WIDGETS = (namespace: string): string => `/apis/${GROUP}/v1/namespaces/${namespace}/widgets`
export const LEASES = (namespace: string): string => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`
export const JOBS = (namespace: string): string => `/apis/batch/v1/namespaces/${namespace}/jobs`
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const TEXT = { type: 'string', maxLength: 100 }

/** A kind with defaults, enum, pattern, lists, preserved fields, rules, status, columns and a selectable field. */
export const WIDGET_DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        selectableFields: [{ jsonPath: '.spec.size' }],
        additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'Widget is what the conformance suite works with.',
            properties: {
              spec: {
                type: 'object',
                'x-kubernetes-validations': [
                  {
                    rule: '!has(self.min) || !has(self.max) || self.min <= self.max',
                    message: 'min must not be over max',
                  },
                ],
                properties: {
                  size: { type: 'string', enum: ['small', 'medium', 'large'], default: 'medium' },
                  note: { ...TEXT, pattern: '^[a-z ]*$' },
                  code: { ...TEXT, minLength: 3, pattern: '^[a-z]*$' },
                  min: { type: 'integer', minimum: 0 },
                  max: { type: 'integer', maximum: 10 },
                  tags: { type: 'array', maxItems: 5, items: TEXT, 'x-kubernetes-list-type': 'set' },
                  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  nested: { type: 'object', properties: { depth: { type: 'integer', default: 1 } } },
                  fixed: {
                    ...TEXT,
                    'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed is immutable' }],
                  },
                },
              },
              status: { type: 'object', properties: { phase: TEXT, count: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
}

/** A namespace and the widgets, usable when it resolves. */
export async function makeRig(http: KubeHttp): Promise<Rig> {
  const namespace = `conformance-${randomBytes(4).toString('hex')}`
  const made = await http.send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  if (!(await isDefined(http))) {
    const defined = await http.send('POST', DEFINITIONS, WIDGET_DEFINITION)
    assert.ok(defined.status === 201 || defined.status === 409, JSON.stringify(defined.body))
  }
  await until('widgets are served', async () => (await http.send('GET', WIDGETS(namespace))).status === 200)
  return { http, namespace }
}

/** The embedded control plane is started with the definition and takes no other. */
async function isDefined(http: KubeHttp): Promise<boolean> {
  return (await http.send('GET', `${DEFINITIONS}/widgets.${GROUP}`)).status === 200
}

/** The definition stays, for others that use it at the same time. */
export async function dismantleRig({ http, namespace }: Rig): Promise<void> {
  await http.send('DELETE', `/api/v1/namespaces/${namespace}`)
  http.close()
}

export function aWidget(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: `${GROUP}/v1`, kind: 'Widget', metadata: { name, ...metadata }, spec }
}

export function aConfigMap(name: string, metadata: JsonObject = {}, content: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data: content }
}

/** Creates and answers the stored object. */
export async function given(rig: Rig, path: string, object: JsonObject): Promise<JsonObject> {
  const answer = await rig.http.send('POST', path, object)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

/** Asserts a Status answer: code and reason, and its message when one is given. */
export function assertStatus(answer: Answer, code: number, reason: string, message?: string): void {
  assert.deepEqual(
    [answer.status, answer.body['kind'], answer.body['reason']],
    [code, 'Status', reason],
    JSON.stringify(answer.body),
  )
  if (message !== undefined) assert.equal(answer.body['message'], message)
}

export const MERGE = { 'content-type': 'application/merge-patch+json' }
export const JSON_PATCH = { 'content-type': 'application/json-patch+json' }
