import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { CRD_SCHEMAS } from '../../core/crd/schemas.ts'
import type { ExecutionStatus, TaskStatus } from '../../core/crd/types.ts'
import { makeTaskPromptData } from '../../core/prompts/task-data.ts'
import { PROMPT_TEMPLATES } from '../../core/prompts/templates.ts'
import { PROMPT_VALUES } from '../../core/prompts/values.ts'
import { BadTemplate, findTemplateFault, renderPrompt, badPromptsReason } from '../../lib/prompts.ts'
import { aProject, aStory, aTask, anAgent, anExecution, text } from '../helpers/build.ts'

const SNAPSHOTS = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'prompts')
const readSnapshot = (name: string): string => readFileSync(join(SNAPSHOTS, `${name}.md`), 'utf8')

const agent = anAgent({ name: 'claude', spec: { adapter: 'claude' } })
const task = (status: TaskStatus = {}) =>
  aTask({ spec: { title: 'Add a date', description: 'Show it & <b>bold</b>.', agent: {} }, status })
const previous = (status: ExecutionStatus) => anExecution({ status })

const everything = makeTaskPromptData({
  task: aTask({
    name: 'task-c',
    spec: {
      title: 'Add a date',
      description: 'Show it & <b>bold</b>.',
      agent: { instructions: 'Use UTC.', allowedTools: ['Read', 'Edit'] },
    },
    status: { rejectionComment: 'Wrong zone.\n\nsrc/date.ts:12: local time' },
  }),
  agent,
  model: 'opus',
  project: aProject({ spec: { testCommand: 'npm test' } }),
  story: aStory({ spec: { title: 'Dates', spec: 'Dates everywhere.', acceptanceCriteria: ['UTC only', 'ISO 8601'] } }),
  dependencies: [
    aTask({
      name: 'task-a',
      spec: { title: 'Add a clock' },
      status: {
        state: 'COMPLETED',
        branch: 'slipway/task-a',
        changes: { files: 1, insertions: 10, deletions: 2 },
        summary: 'There is a clock.',
      },
    }),
    aTask({ name: 'task-b', spec: { title: 'Add a zone' }, status: { state: 'READY' } }),
  ],
  previous: previous({ state: 'COMPLETED', summary: text('Added the date.') }),
})

describe('the prompt of a task', () => {
  it('says all that there is to say', () => assert.equal(renderPrompt('task', everything), readSnapshot('task')))

  it('of a task that is nothing but a title has no empty section', () => {
    const data = makeTaskPromptData({ task: aTask({ spec: { title: 'Add a date', agent: {} } }), agent })
    assert.equal(renderPrompt('task', data), readSnapshot('task-bare'))
  })

  it('tells what an earlier attempt asked, and the answer, to a session that is new', () => {
    const asked = previous({ state: 'BLOCKED', questions: [{ text: text('Which zone?') }] })
    const data = makeTaskPromptData({ task: task({ answer: text('UTC') }), agent, previous: asked })
    assert.equal(renderPrompt('task', data), readSnapshot('task-answered'))
  })

  it('tells what a person asked to change to a session that is new, with the story so far', () => {
    const done = previous({ state: 'COMPLETED', summary: text('Added the date.') })
    const data = makeTaskPromptData({ task: task(REVISED), agent, previous: done })
    assert.equal(renderPrompt('task', data), readSnapshot('task-revised'))
  })
})

const REVISED = {
  revision: text('Say two.\n\nsrc/date.ts:12: in UTC'),
  decisions: [{ action: 'revise', by: 'ann', at: '2026-03-01T09:00:00Z', comment: text('Say two.') }],
} as const satisfies TaskStatus

const ENDS = {
  answered: [{ state: 'BLOCKED', questions: [{ text: text('Which zone?') }] }, { answer: text('UTC') }],
  limit: [{ state: 'BUDGET_EXCEEDED', error: { category: 'quota', message: text('session limit') } }],
  overload: [{ state: 'FAILED', error: { category: 'rate_limit', message: text('overloaded') } }],
  budget: [{ state: 'BUDGET_EXCEEDED', error: { category: 'budget', message: text('spent $1') } }],
  'timed-out': [{ state: 'TIMED_OUT', error: { category: 'timeout', message: text('not within 60 seconds') } }],
  cancelled: [{ state: 'CANCELLED', error: { category: 'cancelled', message: text('the execution was cancelled') } }],
  failed: [{ state: 'FAILED', error: { category: 'failed', message: text('it crashed') } }],
  lost: [
    { state: 'FAILED', error: { category: 'lost', message: text('the pod was lost: Evicted') } },
    { answer: text('UTC') },
  ],
  rejected: [{ state: 'COMPLETED' }, { rejectionComment: text('Wrong zone.') }],
  revised: [{ state: 'COMPLETED' }, REVISED],
  'revised-failed': [{ state: 'FAILED', error: { category: 'failed', message: text('it crashed') } }, REVISED],
  stopped: [{ state: 'COMPLETED' }],
} as const satisfies Record<string, readonly [ExecutionStatus, TaskStatus?]>

describe('the prompt of a session that goes on', () => {
  for (const [name, [ended, status]] of Object.entries(ENDS)) {
    it(`says what happened and what to do now: ${name}`, () => {
      const data = makeTaskPromptData({ task: task(status), agent, previous: previous(ended) })
      assert.equal(renderPrompt('resume', data), readSnapshot(`resume-${name}`))
    })
  }

  it('says again what is to be changed where the execution that was told so ended before it was done', () => {
    const { revision, decisions } = REVISED
    const told = anExecution({
      spec: { purpose: 'Resume', revision: { text: revision, at: decisions[0].at } },
      status: { state: 'BUDGET_EXCEEDED', error: { category: 'quota', message: text('session limit') } },
    })
    const prompt = renderPrompt('resume', makeTaskPromptData({ task: task(REVISED), agent, previous: told }))
    assert.equal(prompt, readSnapshot('resume-revised-limit'))
  })

  it('is not empty when nothing is known of the earlier execution', () => {
    const data = makeTaskPromptData({ task: task(), agent })
    assert.match(renderPrompt('resume', data), /^You were interrupted/)
  })
})

describe("an Agent's own template", () => {
  it("stands in place of Slipway's, which it can include", () => {
    const data = makeTaskPromptData({ task: task(), agent, model: 'opus' })
    const text = renderPrompt('task', data, { task: 'You are {{agent.model}}.\n\n{{> task}}' })
    assert.equal(text, `You are opus.\n\n${renderPrompt('task', data)}`)
    assert.equal(renderPrompt('resume', data, { task: 'x' }), renderPrompt('resume', data))
  })

  const FAULTS = {
    'an open section': ['a\n{{#story}}\nb', /^prompts\.task, line 3: Unclosed section "story"$/],
    'an open tag': ['a\n\n{{story', /^prompts\.task, line 3: Unclosed tag$/],
    'a value that does not exist': ['a\nb {{taks.title}}', /^prompts\.task, line 2: there is no value taks\.title; /],
    'one inside a section': ['{{#story}}\n{{sepc}}{{/story}}', /^prompts\.task, line 2: there is no value sepc; /],
    'a property of every object': ['{{constructor.constructor}}', /^prompts\.task, line 1: there is no value constr/],
    'a template that does not exist': [
      '{{> tasks}}',
      /^prompts\.task, line 1: there is no template to include tasks; /,
    ],
  } as const
  for (const [what, [template, fault]] of Object.entries(FAULTS)) {
    it(`is refused for ${what}, naming field and line`, () => {
      assert.match(badPromptsReason({ task: template }) ?? '', fault)
      assert.throws(() => renderPrompt('task', everything, { task: template }), BadTemplate)
    })
  }

  it('cannot grow beyond what an agent reads, however it nests its lists', () => {
    const nested = `${'{{#dependencies}}'.repeat(30)}x${'{{/dependencies}}'.repeat(30)}`
    assert.equal(findTemplateFault('task', nested), undefined)
    assert.throws(() => renderPrompt('task', everything, { task: nested }), /prompts\.task: the text is too long/)
    const long = { ...everything, task: { name: 'a', title: 'x'.repeat(128 * 1024) } }
    const often = '{{task.title}}'.repeat(2000)
    assert.throws(() => renderPrompt('task', long, { task: often }), /prompts\.task: the text is too long/)
  })

  it('prints what people wrote as they wrote it, tags and all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (title) => {
        const data = { task: { title: `(${title}{{task.name}})` } }
        assert.equal(renderPrompt('task', data, { task: '{{task.title}}' }), `(${title}{{task.name}})\n`)
      }),
    )
  })

  it('is judged without an exception, whatever it is', () => {
    const pieces = ['{{', '}}', '{{{', '#', '/', '^', '>', '=', ' ', '\n', 'task', '.title', 'story', '{{/story}}', 'x']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), (parts) => {
        const fault = findTemplateFault('task', parts.join(''))
        if (fault === undefined) renderPrompt('task', everything, { task: parts.join('') })
        else assert.equal(fault.line >= 1, true)
      }),
    )
  })
})

describe('the templates of prompts/', () => {
  for (const [name, template] of Object.entries(PROMPT_TEMPLATES)) {
    it(`name only what is documented: ${name}`, () =>
      assert.equal(findTemplateFault(name as keyof typeof PROMPT_TEMPLATES, template), undefined))
  }

  it('are the fields of Agent.spec.prompts, and each has its values documented', () => {
    const { prompts } = CRD_SCHEMAS.Agent.properties.spec.properties
    assert.deepEqual(Object.keys(prompts.properties).sort(), Object.keys(PROMPT_TEMPLATES).sort())
    assert.deepEqual(Object.keys(PROMPT_VALUES).sort(), Object.keys(PROMPT_TEMPLATES).sort())
  })

  it('see no value that is not documented', () => {
    const documented = new Set(PROMPT_VALUES.task.flatMap(({ path }) => [path, path.split(/\[|\./)[0]]))
    const paths = (value: unknown, path: string): string[] => {
      if (Array.isArray(value)) return [path, ...value.flatMap((item) => paths(item, `${path}[]`))]
      if (typeof value !== 'object' || value === null) return [path]
      return Object.entries(value).flatMap(([key, inner]) => paths(inner, path === '' ? key : `${path}.${key}`))
    }
    const seen = paths(everything, '').filter((path) => !path.endsWith('[]'))
    assert.deepEqual(
      seen.filter((path) => !documented.has(path)),
      [],
    )
  })
})
