import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { findImageProblem, isImageOf } from '../../../core/agent/allowed-images.ts'
import { anAgent } from '../../helpers/build.ts'

describe('the images that an agent may run', () => {
  const rows: readonly (readonly [image: string, pattern: string, fits: boolean])[] = [
    ['node', 'node', true],
    ['node', 'docker.io/library/node', true],
    ['docker.io/library/node:24', 'node:24', true],
    ['node:24', 'node:20', false],
    ['node', 'node:latest', true],
    ['node:24-slim', 'node:24*', true],
    ['team/tool', 'docker.io/team/*', true],
    ['team/tool', '*/tool', true],
    ['evil.example/tool', '*/tool', false],
    ['acme-x.evil.example/agent', 'acme-*/agent', false],
    ['acme-tools/agent', 'acme-*/agent', true],
    ['EVIL/node', 'docker.io/**', false],
    ['a.example.com/tool', '*.example.com/tool', true],
    ['registry.example.com/team/tool:1', 'registry.example.com/team/*', true],
    ['registry.example.com/team/deep/tool', 'registry.example.com/team/*', false],
    ['registry.example.com/team/deep/tool', 'registry.example.com/team/**', true],
    ['registry.example.com/team/deep/tool', 'registry.example.com/**/tool', true],
    ['registry.example.com/tool', 'registry.example.com/**/tool', true],
    ['registry.example.com:5000/tool', 'registry.example.com/tool', false],
    ['registry.example.com:5000/tool:2', 'registry.example.com:5000/tool', true],
    ['evil.example/registry.example.com/team/tool', 'registry.example.com/team/*', false],
    ['registry.example.com.evil.example/team/tool', 'registry.example.com/team/*', false],
    ['localhost/tool', 'localhost/*', true],
    ['node', '**', true],
    [`node@sha256:${'0'.repeat(64)}`, 'node', true],
    [`node@sha256:${'0'.repeat(64)}`, 'node:24', false],
    [`node:24@sha256:${'0'.repeat(64)}`, 'node:24', false],
    [`node:24@sha256:${'0'.repeat(64)}`, 'node:*', false],
    [`node:24@sha256:${'0'.repeat(64)}`, 'node', true],
    [`node@sha256:${'0'.repeat(64)}`, `node@sha256:${'0'.repeat(64)}`, true],
    [`node@sha256:${'0'.repeat(64)}`, `node@sha256:${'1'.repeat(64)}`, false],
  ]
  for (const [image, pattern, fits] of rows)
    it(`${fits ? 'are' : 'are not'} ${image} where ${pattern} is allowed`, () =>
      assert.equal(isImageOf(image, pattern), fits))

  const part = fc.stringMatching(/^[a-z0-9]{1,5}$/)
  const image = fc.tuple(fc.constantFrom('a.example', 'b.example:5000'), fc.array(part, { minLength: 1, maxLength: 4 }))

  it('are those that a pattern names in full, however long a way ** stands for', () => {
    fc.assert(
      fc.property(image, fc.nat(4), fc.nat(4), ([registry, parts], from, count) => {
        const name = [registry, ...parts].join('/')
        const pattern = [registry, ...parts]
        pattern.splice(1 + (from % parts.length), count, '**')
        assert.ok(isImageOf(name, name) && isImageOf(name, pattern.join('/')), pattern.join('/'))
      }),
    )
  })

  it('are never of another registry than the pattern names', () => {
    fc.assert(
      fc.property(
        image,
        fc.array(fc.oneof(part, fc.constantFrom('*', '**', 'a*b')), { minLength: 1 }),
        ([, parts], pattern) =>
          assert.ok(!isImageOf(['a.example', ...parts].join('/'), ['b.example', ...pattern].join('/'))),
      ),
    )
  })

  it('are told for names of many parts and patterns of many stars, which would take for ever by trying all ways', () => {
    assert.ok(!isImageOf(`a.example/${'a/'.repeat(240)}b`, `a.example/${'**/'.repeat(150)}c`))
    assert.ok(!isImageOf(`a.example/${'a'.repeat(480)}b`, `a.example/${'*a'.repeat(200)}c`))
  })

  it('are all where nothing is said, the agent’s own always, and no other where the list is empty', () => {
    const agent = (allowedImages?: string[]) =>
      anAgent({ spec: { image: 'own:1', ...(allowedImages && { allowedImages }) } })
    assert.equal(findImageProblem(agent(), 'any'), undefined)
    assert.equal(findImageProblem(agent([]), 'own:1'), undefined)
    assert.equal(findImageProblem(agent([]), undefined), undefined)
    assert.match(findImageProblem(agent([]), 'any') ?? '', /may not run image any: .*none but its own/)
    assert.match(
      findImageProblem(agent(['a.example/*']), 'any') ?? '',
      /allowedImages of the agent has a\.example\/\*; name/,
    )
  })
})
