import assert from 'node:assert/strict'
import { evaluate } from '@marcbachmann/cel-js'
import { STORY_STATUS_VALUES, TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import { STORY_MOVES, STORY_SYSTEM_MOVES } from '../../core/story/transitions.ts'
import { TASK_TRANSITIONS } from '../../core/task/transitions.ts'
import type { Rule, SchemaNode } from './documents.ts'
import { findField, readDocuments, schemaOf } from './documents.ts'

const documents = readDocuments()
const absent = Symbol('absent')

/** One machine and its moves, as the pure tables have them. */
const MACHINES = [
  { kind: 'Task', field: 'state', states: TASK_STATE_VALUES, allows: taskAllows },
  { kind: 'Story', field: 'status', states: STORY_STATUS_VALUES, allows: storyAllows },
] as const

for (const { kind, field, states, allows } of MACHINES) {
  describe(`the CEL rule for the ${field} of a ${kind}`, () => {
    const rule = rulesOf(kind).find(({ fieldPath }) => fieldPath === `.status.${field}`)
    assert.ok(rule !== undefined)
    const passes = (from: string | symbol, to: string | symbol) =>
      evaluate(rule.rule, { oldSelf: at(field, from), self: at(field, to) })

    for (const from of states)
      for (const to of states) {
        const allowed = from === to || allows(from, to)
        it(`${allowed ? 'allows' : 'refuses'} ${from} → ${to}`, () => {
          assert.equal(passes(from, to), allowed)
        })
      }

    for (const state of states) {
      it(`lets an object without a ${field} get ${state}`, () => {
        assert.equal(passes(absent, state), true)
      })
      it(`does not let ${state} be taken away`, () => {
        assert.equal(passes(state, absent), false)
      })
      it(`names both ends when it refuses to take ${state} away`, () => {
        const message = evaluate(rule.messageExpression ?? '', { oldSelf: at(field, state), self: {} })
        assert.equal(message, `${kind.toLowerCase()} cannot move from ${state} to none`)
      })
    }
  })
}

describe('the CEL rule for repository URLs', () => {
  const places = [field('Task', '.spec.repositoryUrl'), field('Project', '.spec.remoteUrl')]
  const accepts = (url: string) => places.map((node) => rulesAt(node).every((rule) => evaluate(rule, { self: url })))
  const rulesAt = (node: SchemaNode) => (node['x-kubernetes-validations'] ?? []).map(({ rule }) => rule)

  for (const url of [
    'https://example.org/team/app.git',
    'http://example.org/app',
    'https://me@example.org:8443/a:b@c',
    'ssh://git@example.org:2222/app.git',
    'git@example.org:team/app.git',
    'example.org:team/app.git',
    'git@example.org:/srv/app.git',
    '/srv/git/app.git',
    '/srv/with space/app',
    'file:///srv/git/app.git',
  ])
    it(`accepts ${url}`, () => {
      assert.deepEqual(accepts(url), [true, true])
    })

  for (const url of [
    '-x',
    '--upload-pack=touch /tmp/x',
    'ext::sh -c id',
    'ext::sh',
    'fd::17',
    'ssh://-oProxyCommand=id',
    'https://-x',
    'git@-oProxyCommand=id:x',
    'example.org:-x',
    'ftp://example.org/x',
    'git://example.org/x',
    './relative',
    'relative/path',
    'https://example.org/a b',
    'https://me:s3cret@example.org/x',
    'https://:token@example.org:8443/x',
    'ssh://git:s3cret@example.org/x',
    'file://example.org/x',
    '/srv/a\nb',
    '',
  ])
    it(`refuses ${JSON.stringify(url)}`, () => {
      assert.deepEqual(accepts(url), [false, false])
    })
})

describe('the other CEL rules', () => {
  it('refuse a task that depends on itself, and only that', () => {
    const rule = ruleAbout('Task', '.spec.dependsOn')
    const task = (dependsOn?: string[]) => ({ self: { metadata: { name: 'a' }, spec: dependsOn ? { dependsOn } : {} } })
    assert.deepEqual(
      [evaluate(rule, task(['b', 'a'])), evaluate(rule, task(['b'])), evaluate(rule, task())],
      [false, true, true],
    )
  })

  it('refuse a task that is its own parent, and only that', () => {
    const rule = ruleAbout('Task', '.spec.parentTaskId')
    const task = (parentTaskId: string) => ({ self: { metadata: { name: 'a' }, spec: { parentTaskId } } })
    assert.deepEqual([evaluate(rule, task('a')), evaluate(rule, task('b'))], [false, true])
  })

  it('refuse agent together with claude, and neither alone', () => {
    const [rule] = field('Task', '.spec')['x-kubernetes-validations'] ?? []
    const passes = (spec: object) => evaluate(rule?.rule ?? '', { self: spec })
    assert.deepEqual(
      [passes({ agent: {}, claude: {} }), passes({ agent: {} }), passes({ claude: {} }), passes({})],
      [false, true, true, true],
    )
  })

  for (const crd of documents) {
    const { kind } = crd.spec.names
    const longest = kind === 'Execution' ? 56 : 50
    it(`refuse a ${kind} with a name of more than ${longest} characters`, () => {
      const rules = rulesOf(kind).filter(({ message }) => message?.startsWith('metadata.name') === true)
      const passes = (name: string) =>
        rules.every(({ rule }) => evaluate(rule, { self: { metadata: { name }, spec: { purpose: 'Run' } } }) === true)
      assert.deepEqual([passes('a'.repeat(longest)), passes('a'.repeat(longest + 1))], [true, false])
      assert.deepEqual([passes('a-1'), passes('a.b'), passes('-a'), passes('A')], [true, false, false, false])
    })
  }

  for (const kind of ['Agent', 'Project']) {
    it(`let a server of tools of a ${kind} be a program or an address, with what belongs to it`, () => {
      const server = field(kind, '.spec.mcpServers').items
      const passes = (self: object) =>
        (server?.['x-kubernetes-validations'] ?? []).every(({ rule }) => evaluate(rule, { self }) === true)
      const whole = [{ command: 'a', args: [], env: [] }, { url: 'http://a', headers: [] }, { command: 'a' }]
      const broken = [{}, { command: 'a', url: 'b' }, { command: 'a', headers: [] }, { url: 'a', args: [] }]
      assert.deepEqual([...whole, ...broken].map(passes), [true, true, true, false, false, false, false])
      for (const list of ['env', 'headers']) {
        const [either] = server?.properties?.[list]?.items?.['x-kubernetes-validations'] ?? []
        const sources = [{ value: '' }, { key: 'k' }, { value: '', key: 'k' }, {}]
        assert.deepEqual(
          sources.map((self) => evaluate(either?.rule ?? '', { self })),
          [true, true, false, false],
        )
      }
    })
  }

  it('keep the file of a credential below the home of its agent', () => {
    const [exclusive, below] = field('Agent', '.spec.credentials.files').items?.['x-kubernetes-validations'] ?? []
    const stays = (path: string) => evaluate(below?.rule ?? '', { self: { path } })
    assert.deepEqual(['.claude/x.json', 'a..b'].map(stays), [true, true])
    assert.deepEqual(['/etc/passwd', '../x', 'a/../../x', '..'].map(stays), [false, false, false, false])
    const sources = [{ key: 'k' }, { hostPath: '/x' }, { key: 'k', hostPath: '/x' }, {}]
    assert.deepEqual(
      sources.map((file) => evaluate(exclusive?.rule ?? '', { self: file })),
      [true, true, false, false],
    )
  })
})

function at(name: string, state: string | symbol): object {
  return typeof state === 'symbol' ? {} : { status: { [name]: state } }
}

function taskAllows(from: string, to: string): boolean {
  const table: Readonly<Record<string, Readonly<Record<string, string>>>> = TASK_TRANSITIONS
  return Object.values(table[from] ?? {}).includes(to)
}

function storyAllows(from: string, to: string): boolean {
  const tables: Readonly<Record<string, readonly string[]>>[] = [STORY_MOVES, STORY_SYSTEM_MOVES]
  return tables.some((table) => table[from]?.includes(to) === true)
}

function rulesOf(kind: string): readonly Rule[] {
  const crd = documents.find(({ spec }) => spec.names.kind === kind)
  return crd === undefined ? [] : (schemaOf(crd)['x-kubernetes-validations'] ?? [])
}

function ruleAbout(kind: string, fieldPath: string): string {
  return rulesOf(kind).find((rule) => rule.fieldPath === fieldPath)?.rule ?? ''
}

function field(kind: string, jsonPath: string): SchemaNode {
  const crd = documents.find(({ spec }) => spec.names.kind === kind)
  const found = crd && findField(crd, jsonPath)
  assert.ok(found !== undefined, `${kind} has no ${jsonPath}`)
  return found
}
