import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { FieldError } from '../../embedded/schema/errors.ts'
import type { JsonObject, JsonValue } from '../../embedded/schema/json.ts'
import { type KubeHttp, at, connectKube } from '../helpers/kube-http.ts'
import { ruleCases, sorted, valueCases } from '../helpers/schema-cases.ts'
import { until } from '../helpers/until.ts'

const GROUP = 'recorded.example.com'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

function aDefinition(plural: string, kind: string, schema: JsonObject): JsonObject {
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    subresources: { status: {} },
    schema: { openAPIV3Schema: schema },
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind },
      versions: [version],
    },
  }
}

function causesOf(body: JsonObject): FieldError[] {
  return sorted((at(body, 'details.causes') ?? []) as unknown as FieldError[])
}

/** Whether what test/fixtures/schema holds is still what a real server says. */
describe('a real kube-apiserver judges schemas as recorded', () => {
  let http: KubeHttp

  before(() => {
    const path = process.env['KUBECONFIG']
    assert.ok(path !== undefined && path !== '', 'KUBECONFIG must name the cluster to test on')
    http = connectKube(readFileSync(path, 'utf8'))
  })
  after(() => http.close())

  for (const [plural, kind, { schema, cases }] of [
    ['things', 'Thing', valueCases()],
    ['rules', 'Rule', ruleCases()],
  ] as const) {
    describe(plural, () => {
      const objects = `/apis/${GROUP}/v1/namespaces/default/${plural}`
      const aThing = (name: string, spec: JsonValue): JsonObject => ({
        apiVersion: `${GROUP}/v1`,
        kind,
        metadata: { name },
        spec,
      })

      before(async () => {
        await http.send('POST', DEFINITIONS, aDefinition(plural, kind, schema))
        await until(`${plural} are served`, async () => (await http.send('GET', objects)).status === 200)
      })
      after(() => http.send('DELETE', `${DEFINITIONS}/${plural}.${GROUP}`))

      cases.forEach(({ name = 'thing', old, spec, stored, causes }, i) => {
        it(JSON.stringify(spec), async () => {
          const unique = `${name}-${i}`
          const made = await http.send('POST', objects, aThing(unique, old ?? spec))
          const answer =
            old === undefined ? made : await http.send('PUT', `${objects}/${unique}`, { ...made.body, spec })
          if (causes === undefined) assert.deepEqual(answer.body['spec'] ?? null, stored)
          else assert.deepEqual(causesOf(answer.body), sorted(causes))
        })
      })
    })
  }
})
