import assert from 'node:assert/strict'
import { at, each } from '../helpers/kube-http.ts'
import { type Rig, assertStatus, aWidget, given, GROUP, MERGE, WIDGETS } from './rig.ts'

/** Decoding, pruning, defaulting, schema and rules on the way of a write: wire.md B2. */
export function describeValidation(rig: () => Rig): void {
  const widgets = (): string => WIDGETS(rig().namespace)
  const send = (...args: Parameters<Rig['http']['send']>) => rig().http.send(...args)

  it('fills defaults, but not below an absent parent', async () => {
    assert.deepEqual((await given(rig(), widgets(), aWidget('defaults')))['spec'], { size: 'medium' })
    const nested = await given(rig(), widgets(), aWidget('nested', { nested: {} }))
    assert.deepEqual(nested['spec'], { size: 'medium', nested: { depth: 1 } })
  })

  it('replaces null by the default, and drops it where there is none', async () => {
    const made = await given(rig(), widgets(), aWidget('nulls', { size: null, note: null }))
    assert.deepEqual(made['spec'], { size: 'medium' })
  })

  it('drops unknown fields with a warning, and keeps what is declared open', async () => {
    const answer = await send('POST', widgets(), aWidget('pruned', { bogus: 1, open: { any: { thing: true } } }))
    assert.deepEqual(answer.body['spec'], { size: 'medium', open: { any: { thing: true } } })
    assert.equal(answer.headers['warning'], '299 - "unknown field \\"spec.bogus\\""')
  })

  it('refuses unknown fields with 400 under fieldValidation=Strict', async () => {
    const answer = await send('POST', `${widgets()}?fieldValidation=Strict`, aWidget('strict', { bogus: 1 }))
    const why = 'strict decoding error: unknown field "spec.bogus"'
    assertStatus(answer, 400, 'BadRequest', `Widget in version "v1" cannot be handled as a Widget: ${why}`)
  })

  it('drops unknown fields without a word under fieldValidation=Ignore', async () => {
    const answer = await send('POST', `${widgets()}?fieldValidation=Ignore`, aWidget('ignoring', { bogus: 1 }))
    assert.deepEqual([answer.status, answer.headers['warning']], [201, undefined])
  })

  it('names every wrong field with 422', async () => {
    const answer = await send('POST', widgets(), aWidget('wrong', { size: 'tiny', min: 'x', note: 'UP' }))
    assertStatus(answer, 422, 'Invalid')
    const fields = new Set(each(at(answer.body, 'details.causes'), 'field'))
    assert.deepEqual(fields, new Set(['<nil>', 'spec.min', 'spec.note', 'spec.size']))
    assert.deepEqual(at(answer.body, 'details.kind'), 'Widget')
  })

  it('words a single wrong field as the message', async () => {
    const answer = await send('POST', widgets(), aWidget('double', { tags: ['a', 'a'] }))
    assertStatus(answer, 422, 'Invalid', `Widget.${GROUP} "double" is invalid: spec.tags[1]: Duplicate value: "a"`)
  })

  it('tells of a text that is too short only that', async () => {
    const answer = await send('POST', widgets(), aWidget('short', { code: 'A' }))
    const why = 'spec.code: Invalid value: "A": spec.code in body should be at least 3 chars long'
    assertStatus(answer, 422, 'Invalid', `Widget.${GROUP} "short" is invalid: ${why}`)
  })

  it('checks a rule over two fields', async () => {
    const answer = await send('POST', widgets(), aWidget('rule', { min: 5, max: 3 }))
    assertStatus(
      answer,
      422,
      'Invalid',
      `Widget.${GROUP} "rule" is invalid: spec: Invalid value: "object": min must not be over max`,
    )
  })

  it('checks a transition rule on update and patch, and not on create', async () => {
    const made = await given(rig(), widgets(), aWidget('fixed', { fixed: 'one' }))
    const put = await send('PUT', `${widgets()}/fixed`, { ...made, spec: { fixed: 'two' } })
    assertStatus(
      put,
      422,
      'Invalid',
      `Widget.${GROUP} "fixed" is invalid: spec.fixed: Invalid value: "string": fixed is immutable`,
    )
    assertStatus(await send('PATCH', `${widgets()}/fixed`, { spec: { fixed: 'two' } }, MERGE), 422, 'Invalid')
  })

  it('refuses another kind than the path serves', async () => {
    assertStatus(await send('POST', widgets(), { ...aWidget('kind'), kind: 'Gadget' }), 422, 'Invalid')
  })
}
