import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExecutionPods } from '../../core/execution/pod-settings.ts'
import { CONFIG_SETTINGS } from '../../lib/config-schema.ts'
import { readChartValues } from '../../tools/chart-page.ts'

const CHART = join(import.meta.dirname, '..', '..', '..', 'charts', 'slipway')

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly $defs?: Readonly<Record<string, Schema>>
}

describe('values.yaml of the chart', () => {
  const values = readChartValues(readFileSync(join(CHART, 'values.yaml'), 'utf8'))
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as Schema
  const resolve = (one: Schema): Schema =>
    one.$ref === undefined ? one : (schema.$defs?.[one.$ref.replace('#/$defs/', '')] ?? {})

  it('says of every value what it means', () => {
    assert.deepEqual(
      values.filter(({ meaning }) => meaning === '').map(({ path }) => path),
      [],
    )
  })

  it('has the values that the schema knows, and no others', () => {
    const groups = new Set(['', ...values.filter((one) => one.default === undefined).map(({ path }) => path)])
    const list = (one: Schema, path: string): string[] =>
      Object.entries(resolve(one).properties ?? {}).flatMap(([key, inner]) => {
        const own = path === '' ? key : `${path}.${key}`
        return groups.has(own) ? [own, ...list(inner, own)] : [own]
      })
    // Helm gives it to every chart.
    const known = list(schema, '').filter((path) => path !== 'global')
    assert.deepEqual(values.map(({ path }) => path).sort(), known.sort())
  })

  it('gives every container of an execution requests and limits, which a ResourceQuota wants', () => {
    const place = 'executions.resources.'
    const given = values.flatMap(({ path }) => (path.startsWith(place) ? [path.slice(place.length)] : []))
    assert.deepEqual(given.sort(), Object.keys(ExecutionPods.properties.resources.properties).sort())
  })

  it('takes in config what has no value of its own, is no secret, and counts in a cluster', () => {
    const fixed = ['listen', 'metricsListen', 'healthListen', 'namespace', 'volumeRoot', 'volumeClaim']
    const byValue = [
      'image',
      'executionPods',
      'gitCredentials',
      'retention',
      'identity',
      'tokens',
      'admissionPolicies',
      'fourEyes',
      'insecure',
      'publicUrl',
      'allowedHosts',
      'trustedProxies',
      'logLevel',
    ]
    const onOneMachine = ['dataDir', 'runtime', 'toolFolders', 'kubeconfig', 'logFormat']
    const left = [...fixed, ...byValue, ...onOneMachine]
    const rest = CONFIG_SETTINGS.filter(({ key, secret }) => !secret && !left.includes(key))
    assert.deepEqual(
      Object.keys(schema.properties?.['config']?.properties ?? {}).sort(),
      rest.map(({ key }) => key).sort(),
    )
  })
})
