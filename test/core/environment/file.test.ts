import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { parse, stringify } from 'yaml'
import { readEnvironmentFile } from '../../../core/environment/file.ts'
import { findCacheProblem } from '../../../core/environment/paths.ts'

function problemOf(text: string): string {
  const read = readEnvironmentFile(parse(text))
  return 'problem' in read ? read.problem : ''
}

describe('.slipway/environment.yaml', () => {
  it('says what a project may say, but for secrets', () => {
    const text = `
setup: npm ci
env:
  - { name: CI, value: "1" }
cache:
  - path: node_modules
  - { path: ~/.npm, mode: ReadOnly }
keys: [package-lock.json]
timeout: 10m
required: true
`
    assert.deepEqual(readEnvironmentFile(parse(text)), {
      recipe: {
        setup: 'npm ci',
        env: [{ name: 'CI', value: '1' }],
        cache: [
          { path: 'node_modules', mode: 'Copy' },
          { path: '~/.npm', mode: 'ReadOnly' },
        ],
        keys: ['package-lock.json'],
        timeoutSeconds: 600,
        required: true,
      },
    })
  })

  it('needs a setup alone', () => {
    const recipe = { setup: 'make', env: [], cache: [], keys: [], timeoutSeconds: 1800, required: false }
    assert.deepEqual(readEnvironmentFile({ setup: 'make' }), { recipe })
  })

  for (const [text, words] of [
    ['', 'the file must be a mapping with setup, env, cache, keys, timeout, required'],
    ['- a', 'the file must be a mapping with setup, env, cache, keys, timeout, required'],
    ['cache: []', 'setup must be given: the program that prepares a fresh clone, such as npm ci'],
    ['setup: 3', 'setup must be a text: put it in quotes'],
    ['setup: a\nsetups: b', 'the file must not have setups: it may have setup, env, cache, keys, timeout, required'],
    [
      'setup: a\nenv: [{ name: A, secretKey: { name: a, key: b } }]',
      'env[0] must not have secretKey: everybody who may push could read the secret; name it in the project (environment.env)',
    ],
    ['setup: a\nenv: [{ name: A, value: 1.10 }]', 'env[0].value must be a text: put it in quotes'],
    ['setup: a\nenv: [{ name: A }]', 'env[0].value must be a text: put it in quotes'],
    [
      'setup: a\nenv: [{ name: 1A, value: a }]',
      'env[0].name must be letters, digits and _, and not begin with a digit',
    ],
    ['setup: a\nenv: [{ name: A, value: a }, { name: A, value: b }]', 'env names A twice: leave one out'],
    ['setup: a\nenv: { A: a }', 'env must be a list'],
    ['setup: a\ncache: [a]', 'cache[0] must be a mapping with path, mode'],
    ['setup: a\ncache: [{ path: a }, { path: ../a }]', 'cache[1].path must not have an empty part, ., .. or .git'],
    [
      'setup: a\ncache: [{ path: /a }]',
      'cache[0].path must not begin or end with /: give it from the top of the clone, or from the home with ~/ before it',
    ],
    ['setup: a\ncache: [{ path: a, mode: Link }]', 'cache[0].mode must be one of Copy, ReadOnly'],
    ['setup: a\ncache: [{ path: a }, { path: a/b }]', 'cache has a/b inside a, which is kept whole: leave it out'],
    ['setup: a\ncache: [{ path: a }, { path: a }]', 'cache names a twice: leave it out'],
    [`setup: a\nkeys: [${'a,'.repeat(51)}]`, 'keys must have at most 50 entries'],
    [
      'setup: a\nkeys: [../a]',
      'keys[0] must be a path from the top of the repository: without / before it, and without an empty part, . or ..',
    ],
    ['setup: a\nkeys: [a, a]', 'keys names a twice: leave one out'],
    ['setup: a\ntimeout: 5', 'timeout must be a duration such as 90s or 30m'],
    ['setup: a\ntimeout: 0s', 'timeout must be a duration such as 90s or 30m'],
    ['setup: a\nrequired: yes', 'required must be true or false'],
  ] as const)
    it(`is refused with the field and the way out: ${JSON.stringify(text.slice(0, 60))}`, () => {
      assert.equal(problemOf(text), `.slipway/environment.yaml: ${words}`)
    })

  it('says that a task must not start without, also where it is wrong otherwise', () => {
    assert.deepEqual(
      [{ required: true }, { required: 'true' }, 'required: true'].map((value) => {
        const read = readEnvironmentFile(value)
        return 'problem' in read && read.isRequired
      }),
      [true, false, false],
    )
  })

  it('is read or refused, whatever it holds, and never throws', () => {
    const leaf = fc.oneof(fc.string(), fc.boolean(), fc.double(), fc.constantFrom('a', 'Copy', '1m', null))
    const entry = fc.dictionary(fc.constantFrom('name', 'value', 'path', 'mode', 'x', '__proto__'), leaf)
    const field = fc.constantFrom('setup', 'env', 'cache', 'keys', 'timeout', 'required', '__proto__')
    const value = fc.dictionary(field, fc.oneof(leaf, fc.array(fc.oneof(leaf, entry), { maxLength: 3 })))
    fc.assert(
      fc.property(value, (file) => {
        const read = readEnvironmentFile(parse(stringify(file)))
        if ('problem' in read) return assert.match(read.problem, /^\.slipway\/environment\.yaml: .+/s)
        for (const { path } of read.recipe.cache) assert.equal(findCacheProblem(path), undefined)
      }),
      { numRuns: 1000 },
    )
  })
})
