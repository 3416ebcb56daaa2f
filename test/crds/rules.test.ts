import { parseUrl } from '../../lib/url.ts'
import assert from 'node:assert/strict'
import { evaluate } from '@marcbachmann/cel-js'
import * as fc from 'fast-check'
import { STORY_STATUS_VALUES, TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import { STORY_MOVES, STORY_SYSTEM_MOVES } from '../../core/story/transitions.ts'
import { TASK_TRANSITIONS } from '../../core/task/transitions.ts'
import { findDirectionProblem, findNameProblem } from '../../core/bidi-controls.ts'
import { safeJoin, UnsafePath } from '../../lib/files.ts'
import { parseGitUrl, UnusableGitUrl, URL_FORMS } from '../../lib/git-url.ts'
import { type Rule, type SchemaNode, findField, readDocuments, schemaOf } from './documents.ts'
import { runs } from '../helpers/runs.ts'

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
    'https://git@example.org:8443/a:b@c',
    'https://x-access-token@example.org/a',
    'https://example.org/tree/main',
    'https://example.org/a/b/trees/main',
    'ssh://git@example.org:2222/app.git',
    'git@example.org:team/app.git',
    'example.org:team/app.git',
    'git@example.org:/srv/app.git',
    '/srv/git/app.git',
    '/srv/with space/app',
    'file:///srv/git/app.git',
    'ssh://example.org/app',
    'https://example.org?x',
    'https://[::1]:3000/app.git',
    'git@myhost:app.git',
  ])
    it(`accepts ${url}`, () => {
      assert.deepEqual(accepts(url), [true, true])
      assert.doesNotThrow(() => parseGitUrl(url))
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
    'https://ghp_0123456789@example.org/x',
    'http://glpat-0123@127.0.0.1:3000/x',
    'https://gitty@example.org/x',
    'https://example.org/a/b#main',
    'ssh://git@example.org/a#main',
    'https://example.org/a/b/tree/main',
    'https://example.org/a/b/-/tree/main',
    'https://example.org/a/b/blob/main/README.md',
    'https://:token@example.org:8443/x',
    'ssh://git:s3cret@example.org/x',
    'file://example.org/x',
    '/srv/a\nb',
    '',
    'ssh://u@-oProxyCommand=x/a',
    'https://u@-oProxyCommand=x/a',
    'ssh://-u@example.org/a',
    'ssh://u@/a',
    'https:///a',
    'javascript:alert(1)',
    'vbscript:x',
    'data:text/html,x',
    'mailto:me@example.org',
    'myhost:app.git',
    'https://example.org/\u0007',
    'git@example.org:a\u007fb',
  ])
    it(`refuses ${JSON.stringify(url)}`, () => {
      assert.deepEqual(accepts(url), [false, false])
    })

  it('is what the steps of an execution hand to git, and nothing beside it but users, passwords and fragments', () => {
    const part = fc.constantFrom(
      'https://',
      'ssh://',
      'file://',
      'javascript:',
      'ext::',
      '-',
      'u@',
      '@',
      ':',
      '/',
      'h',
      'h.x',
    )
    const more = fc.constantFrom(
      ' ',
      '\n',
      '\u0001',
      '\u0085',
      '\u007f',
      '?',
      '#',
      '[::1]',
      ':22',
      'é',
      '..',
      '\\',
      '%',
    )
    const url = fc
      .array(fc.oneof({ arbitrary: part, weight: 3 }, more), { maxLength: 7 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(url, (text) => {
        const isTaken = accepts(text)[0] === true
        const isUnreadable = /^(https?|ssh):/.test(text) && parseUrl(text) === undefined
        const hasSecret = /^(https?|ssh):..[^/]*:[^/]*@|^https?:..[^/?#]*@/.test(text)
        if (isUnreadable) assert.equal(isParsed(text), false, text)
        else if (!hasSecret && !/^[a-z]+:..[^#]*#/.test(text)) assert.equal(isParsed(text), isTaken, text)
      }),
      { numRuns: runs(5000) },
    )
  })

  it('has the patterns of lib/git-url.ts, word for word', () => {
    for (const node of places) {
      const [forms] = rulesAt(node)
      assert.deepEqual(
        [...(forms ?? '').matchAll(/r'([^']*)'/g)].map(([, pattern]) => pattern),
        Object.values(URL_FORMS),
      )
    }
  })
})

function isParsed(url: string): boolean {
  try {
    parseGitUrl(url)
    return true
  } catch (error) {
    assert.ok(error instanceof UnusableGitUrl)
    return false
  }
}

describe('the CEL rule for titles', () => {
  it('refuses exactly the characters that REST refuses', () => {
    const places = ['Task', 'Story', 'Epic', 'Project'].map((kind) => field(kind, '.spec.title'))
    for (const [rule] of places.map((node) => node['x-kubernetes-validations'] ?? []))
      for (let code = 0x20; code < 0x3000; code += 1) {
        const title = `a${String.fromCodePoint(code)}b`
        assert.equal(
          evaluate(rule?.rule ?? '', { self: title }),
          findDirectionProblem(title) === undefined,
          code.toString(16),
        )
      }
  })
})

describe('the CEL rule for a title that is not blank', () => {
  for (const kind of ['Task', 'Story', 'Epic', 'Project'])
    it(`of ${kind} refuses exactly the characters that REST refuses`, () => {
      const { rule } = field(kind, '.spec.title')['x-kubernetes-validations']?.[1] ?? {}
      const [literal] = /"\[\^[^"]*"/.exec(rule ?? '') ?? []
      assert.ok(literal !== undefined)
      const shows = new RegExp(String(evaluate(literal)), 'u')
      for (let code = 0; code <= 0x10ffff; code += 1) {
        const character = String.fromCodePoint(code)
        if (/\p{Cs}/u.test(character)) continue
        const isRefused = findNameProblem(character) !== undefined
        if (shows.test(character) === isRefused) assert.fail(`U+${code.toString(16)}`)
      }
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
    const paths = [
      '.claude/x.json',
      'a..b',
      '.x',
      '...',
      '/etc/passwd',
      '../x',
      'a/../../x',
      '..',
      '.',
      './x',
      'x/.',
      'x/',
      'a//b',
    ]
    for (const path of [...paths, 'a\\b', '\0', 'a b', 'é/ü']) assert.equal(stays(path), isJoined(path), path)
    assert.deepEqual(['.claude/x.json', '.', '..', '/etc/passwd'].map(stays), [true, false, false, false])
    const sources = [{ key: 'k' }, { hostPath: '/x' }, { key: 'k', hostPath: '/x' }, {}]
    assert.deepEqual(
      sources.map((file) => evaluate(exclusive?.rule ?? '', { self: file })),
      [true, true, false, false],
    )
  })
})

/** Whether the runner puts a file there. */
function isJoined(path: string): boolean {
  try {
    return safeJoin('/home', path) !== ''
  } catch (error) {
    assert.ok(error instanceof UnsafePath)
    return false
  }
}

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
