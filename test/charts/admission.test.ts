import assert from 'node:assert/strict'
import { NOT_AUTHORED } from '../../core/four-eyes.ts'
import { UNPROVEN_NAMES } from '../../core/decision.ts'
import { at, configOf, needHelm, render, TOKEN } from './render.ts'

describe('the chart with admission policies', function () {
  before(function () {
    needHelm(this)
  })

  it('makes them for its namespace alone', async () => {
    const objects = await render({ ...TOKEN, admissionPolicies: { images: ['a.example'] } })
    const names = (kind: string): string[] =>
      objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name)
    assert.deepEqual(names('ValidatingAdmissionPolicy').sort(), [
      'slipway-work-annotations',
      'slipway-work-decisions',
      'slipway-work-edits',
      'slipway-work-images',
      'slipway-work-leases',
      'slipway-work-records',
      'slipway-work-secrets',
    ])
    assert.deepEqual(names('ValidatingAdmissionPolicyBinding').sort(), names('ValidatingAdmissionPolicy').sort())
    for (const binding of objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding'))
      assert.deepEqual(at(binding, 'spec', 'matchResources', 'namespaceSelector', 'matchLabels'), {
        'kubernetes.io/metadata.name': 'work',
      })
    for (const { kind, metadata } of objects.filter(({ metadata }) => metadata.namespace === undefined))
      assert.equal(metadata.labels?.['slipway.dev/release-namespace'], 'work', `${kind} ${metadata.name}`)
    assert.equal(at(configOf(objects), 'admissionPolicies'), true)
  })

  it('asks for an author by the same fields and names as the decision does', async () => {
    const policies = { requireBy: true, fourEyes: true }
    const rules = JSON.stringify(await render({ ...TOKEN, admissionPolicies: policies }))
    const listOf = (names: readonly string[]) => `in [${names.map((name) => `'${name}'`).join(', ')}]`
    assert.equal(rules.split(`field ${listOf(NOT_AUTHORED)}`).length, 3)
    assert.ok(rules.includes(`name ${listOf(UNPROVEN_NAMES.filter((name) => name !== ''))}`))
  })

  it('makes none of it if a value says so', async () => {
    const objects = await render({ ...TOKEN, admissionPolicies: { enabled: false, images: ['a.example'] } })
    assert.ok(objects.every(({ kind }) => !kind.startsWith('ValidatingAdmissionPolicy')))
    assert.equal(at(configOf(objects), 'admissionPolicies'), undefined)
  })
})
