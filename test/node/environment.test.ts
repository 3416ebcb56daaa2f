import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Pod } from '../../kube/builtin.ts'
import { expand, resolveCommand, resolveEnvironment } from '../../node/environment.ts'
import { ContainerConfigError, ContainerRefused } from '../../node/errors.ts'

const pod: Pod = {
  metadata: { name: 'pod', namespace: 'team', uid: 'u-1', labels: { app: 'x' } },
  spec: { nodeName: 'here', containers: [] },
}
const contents = {
  secrets: new Map([
    [
      'keys',
      new Map([
        ['a', Buffer.from('A')],
        ['b', Buffer.from('B')],
      ]),
    ],
  ]),
  configMaps: new Map([['words', new Map([['w', Buffer.from('hi')]])]]),
}
const resolve = (container: object, base = {}) =>
  resolveEnvironment(pod, { name: 'main', ...container }, contents, base)
const fromSecret = (name: string, key: string, optional = false) => ({
  env: [{ name: 'V', valueFrom: { secretKeyRef: { name, key, optional } } }],
})

describe("a container's environment", () => {
  it('takes all keys of an object with their prefix, and env after them', () => {
    const envFrom = [{ prefix: 'S_', secretRef: { name: 'keys' } }, { configMapRef: { name: 'words' } }]
    const env = [{ name: 'S_a', value: 'mine' }]
    assert.deepEqual(resolve({ envFrom, env }), { S_a: 'mine', S_b: 'B', w: 'hi' })
  })

  it('lets a value refer to what stands before it, and to nothing that stands after it', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'B', value: '$(A)$(C)$$(A)' },
      { name: 'C', value: '3' },
    ]
    assert.deepEqual(resolve({ env }), { A: '1', B: '1$(C)$(A)', C: '3' })
  })

  for (const [fieldPath, value] of [
    ['metadata.name', 'pod'],
    ['metadata.namespace', 'team'],
    ['metadata.uid', 'u-1'],
    ["metadata.labels['app']", 'x'],
    ["metadata.annotations['none']", ''],
    ['spec.nodeName', 'here'],
    ['status.podIP', '127.0.0.1'],
  ] as const) {
    it(`gives ${fieldPath} as ${JSON.stringify(value)}`, () => {
      assert.deepEqual(resolve({ env: [{ name: 'V', valueFrom: { fieldRef: { fieldPath } } }] }), { V: value })
    })
  }

  for (const [title, container, message] of [
    ['a missing Secret', fromSecret('none', 'a'), 'secret "none" not found'],
    ['a missing key', fromSecret('keys', 'c'), "couldn't find key c in Secret team/keys"],
    ['a missing object of envFrom', { envFrom: [{ configMapRef: { name: 'none' } }] }, 'configmap "none" not found'],
  ] as const) {
    it(`waits for ${title}, naming it`, () => {
      assert.throws(() => resolve(container), new ContainerConfigError(message))
    })
  }

  it('leaves out what is missing and optional', () => {
    assert.deepEqual(resolve(fromSecret('none', 'a', true)), {})
  })

  it('refuses a field that it does not know', () => {
    const env = [{ name: 'V', valueFrom: { fieldRef: { fieldPath: 'spec.hostname' } } }]
    assert.throws(() => resolve({ env }), ContainerRefused)
  })
})

describe('a command line', () => {
  it('leaves names alone that every object of JavaScript has', () => {
    assert.equal(expand('$(constructor) $(toString)', { A: '1' }), '$(constructor) $(toString)')
  })

  it('has the variables in command and arguments expanded', () => {
    const container = { name: 'main', command: ['run', '$(A)'], args: ['$(B)', 'x$(A)y'] }
    assert.deepEqual(resolveCommand(container, { A: '1' }), ['run', '1', '$(B)', 'x1y'])
  })

  it('must be there, since there is no image that could name one', () => {
    assert.throws(() => resolveCommand({ name: 'main', args: ['x'] }, {}), ContainerRefused)
  })

  it('without a dollar sign stays as it is', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('$')),
        (text) => expand(text, { A: '1' }) === text,
      ),
    )
  })

  it('keeps what has no end, doubled dollar signs apart', () => {
    assert.equal(expand('$(A) $(A $$ $(B $$(C', { A: '1' }), '1 $(A $ $(B $(C')
  })

  it('can hold any text literally, dollar signs doubled', () => {
    fc.assert(fc.property(fc.string(), (text) => expand(text.replaceAll('$', '$$$$'), { A: '1' }) === text))
  })
})
