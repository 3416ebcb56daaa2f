import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { StoryPlan } from '../../../core/answer/story-plan.ts'
import { TaskDraft } from '../../../core/answer/task-draft.ts'
import { completeDraft } from '../../../core/query/draft.ts'
import { completePlan } from '../../../core/query/plan.ts'
import { TaskCreate } from '../../../core/kinds/task.ts'
import { compileCheck } from '../../../lib/validate.ts'

const plan: StoryPlan = {
  name: 'Exports',
  branch_name: 'story/exports',
  spec: 'Take data out.',
  acceptance_criteria: ['CSV is printed'],
  tasks: [
    { name: 'One', description: 'a', agent: 'claude', subtasks: [{ name: 'Part', description: 'b', agent: 'nobody' }] },
    { name: 'Two', description: 'c', agent: 'script' },
  ],
  validation: { type: 'test', steps: ['npm test'], success_criteria: 'green' },
}
const agents = new Set(['claude'])
const checkPlan = compileCheck(StoryPlan)
const isDraft = compileCheck(TaskDraft)

describe('a plan that an agent made', () => {
  it('keeps agents that can be had, drops others, and gives every task its list of subtasks', () => {
    const { tasks } = completePlan(plan, { agents, takenBranches: new Set() })
    assert.deepEqual(tasks, [
      { name: 'One', description: 'a', agent: 'claude', subtasks: [{ name: 'Part', description: 'b' }] },
      { name: 'Two', description: 'c', subtasks: [] },
    ])
  })

  it('never works on a branch that is taken, keeps one that is free, and stays a plan', () => {
    const branch = fc.constantFrom('story/exports', 'story/exports-2', 'story/exports-3', 'main')
    fc.assert(
      fc.property(branch, fc.uniqueArray(branch), (wanted, taken) => {
        const takenBranches: ReadonlySet<string> = new Set(taken)
        const done = completePlan({ ...plan, branch_name: wanted }, { agents, takenBranches })
        assert.equal(takenBranches.has(done.branch_name), false)
        if (!takenBranches.has(wanted)) assert.equal(done.branch_name, wanted)
        assert.equal(checkPlan(done).ok, true)
      }),
    )
  })
})

describe('a draft that an agent made', () => {
  it('is always a task that create takes, with the words it came from', () => {
    const check = compileCheck(TaskCreate)
    const text = fc.string({ minLength: 1, maxLength: 200 })
    const answer = fc
      .record(
        { name: text, description: text, agent: fc.record({ type: fc.constantFrom('claude', 'script', 'x') }) },
        { requiredKeys: ['name', 'description'] },
      )
      .filter((given) => isDraft(given).ok)
    fc.assert(
      fc.property(answer, text, fc.option(fc.constant('shop'), { nil: undefined }), (given, prompt, project) => {
        const draft = completeDraft(given, { prompt, project, agents })
        assert.equal(check(draft).ok, true)
        assert.equal(draft.elaboration_input, prompt)
        assert.ok(draft.agent === undefined || draft.agent.type === 'claude')
      }),
    )
  })
})
