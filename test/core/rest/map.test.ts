import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { toExecutionRecord } from '../../../core/rest/map/execution.ts'
import { PROJECT } from '../../../core/kinds/project.ts'
import { editTaskSpec, toTaskRecord } from '../../../core/rest/map/task.ts'
import { type TaskInput, TASK } from '../../../core/kinds/task.ts'
import { anExecution, aTask } from '../../helpers/build.ts'

const text = fc.string({ maxLength: 20 })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

/** A record without the members that are undefined. */
function defined<T extends object>(members: T): T {
  return JSON.parse(JSON.stringify(members))
}

const agent = fc.record({
  type: optional(text),
  model: optional(text),
  instructions: optional(text),
  allowed_tools: optional(fc.array(text)),
})
const taskInput: fc.Arbitrary<TaskInput> = fc
  .record({
    name: text,
    description: optional(text),
    project: optional(text),
    elaboration_input: optional(text),
    repository_url: optional(text),
    container_image: optional(text),
    agent: optional(agent),
    depends_on: optional(fc.array(text)),
    continues: optional(text),
    parent_task_id: optional(text),
    story_id: optional(text),
    priority: optional(fc.integer({ min: -1000, max: 1000 })),
    run_policy: optional(fc.constantFrom('manual' as const, 'auto' as const)),
    timeout_seconds: optional(fc.integer({ min: 1, max: 86_400_000 }).map((ms) => ms / 1000)),
    max_attempts: optional(fc.integer({ min: 1, max: 100 })),
    budget_usd: optional(fc.integer({ min: 0, max: 1000 })),
    suspend: optional(fc.boolean()),
  })
  .map((input) => defined(input) as TaskInput)

describe('the map between resources and records', () => {
  it('gives back every task field that people write, through the resource and back', () => {
    fc.assert(fc.property(taskInput, (input) => assert.deepEqual(TASK.toInput(TASK.toSpec(input)), input)))
  })

  it('shows times in whole seconds, also those that are kept finer to put things in order', () => {
    const at = '2026-03-01T10:00:00.123000Z'
    const record = toTaskRecord(aTask({ status: { queuedAt: at, decisions: [{ action: 'run', at }] } }))
    const shown = '2026-03-01T10:00:00Z'
    assert.deepEqual([record.queued_at, record.decisions[0]?.at, record.updated_at], [shown, shown, shown])
  })

  it('gives back every project field, through the resource and back', () => {
    const input = {
      name: 'n',
      remote_url: 'u',
      local_path: '/p',
      default_branch: 'main',
      container_image: 'i',
      test_command: 't',
      run_policy: 'auto' as const,
      deployment: { commit_url: 'https://x' },
      git: { secret_name: 's' },
      on_accept: 'pull_request' as const,
      host: { type: 'gitlab' as const, api_url: 'https://git.example/api/v4' },
    }
    assert.deepEqual(PROJECT.toInput(PROJECT.toSpec(input)), input)
  })

  it('rewrites the older agent key only when the agent itself is edited', () => {
    const stored = { title: 't', claude: { model: 'opus' }, timeout: '90m' }
    const input = TASK.toInput(stored)
    assert.deepEqual(editTaskSpec(stored, { ...input, priority: 3 }), { ...stored, priority: 3 })
    assert.deepEqual(editTaskSpec(stored, { ...input, agent: { type: 'claude', model: 'haiku' } }), {
      title: 't',
      agent: { type: 'claude', model: 'haiku' },
      timeout: '90m',
    })
    const { agent: _, ...without } = input
    assert.deepEqual(editTaskSpec(stored, without), { title: 't', timeout: '90m' })
  })

  it('shows the classified agent, else the wanted one until the task has run', () => {
    const wanted = { agent: { type: 'gemini', instructions: 'do' } }
    const shown = (status: object) => toTaskRecord(aTask({ spec: wanted, status })).agent
    assert.deepEqual(shown({}), { type: 'gemini', instructions: 'do' })
    assert.deepEqual(shown({ agent: { type: 'script', model: 'm' } }), {
      type: 'script',
      model: 'm',
      instructions: 'do',
    })
    assert.deepEqual(shown({ executions: 1 }), { instructions: 'do' })
  })

  it('shows what an execution asked, and the answer that it resumed with', () => {
    const questions = [{ text: 'Which?', options: ['A', 'B'] }]
    const answer = { text: 'B', by: 'kim', at: '2026-03-01T10:00:00.123000Z' }
    const spec = { purpose: 'Resume', resumes: 'task-a-1', answer } as const
    const record = toExecutionRecord(anExecution({ spec, status: { questions } }))
    const shown = { ...answer, at: '2026-03-01T10:00:00Z' }
    assert.deepEqual([record.questions, record.resumes, record.answer], [questions, 'task-a-1', shown])
  })

  it('leaves out what is absent, and has no null anywhere', () => {
    const records = [toTaskRecord(aTask()), toExecutionRecord(anExecution())]
    for (const record of records) {
      assert.ok(!JSON.stringify(record).includes('null'))
      assert.deepEqual(
        Object.values(record).filter((value) => value === undefined),
        [],
      )
    }
  })

  it('uses no camelCase name', () => {
    const status = { question: { items: [{ text: '?', multiple: true }], askedAt: 'x' }, resumeAfter: 'x', costUSD: 1 }
    const names = Object.keys(toTaskRecord(aTask({ status })))
    assert.deepEqual(
      names.filter((name) => name !== name.toLowerCase()),
      [],
    )
  })
})
