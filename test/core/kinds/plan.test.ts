import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Task } from '../../../core/crd/types.ts'
import { MAX_NAME_LENGTH } from '../../../core/names.ts'
import { type StoryApproval, StoryApproval as Schema } from '../../../core/rest/requests/approve.ts'
import { planStory } from '../../../core/kinds/plan.ts'
import { findCycle } from '../../../core/task/dependencies.ts'
import { makeId } from '../../../core/ids.ts'
import { compileCheck } from '../../../lib/validate.ts'
import { runs } from '../../helpers/runs.ts'

const id = makeId('story', new Date('2026-03-01T10:00:00Z'), new Uint8Array(10).fill(255))
const place = { id, namespace: 'default', remoteUrl: 'https://git.example/site.git', author: 'ann' }

function aPlan(more: Partial<StoryApproval> = {}): StoryApproval {
  return { name: 'Checkout', project_id: 'site', tasks: [{ name: 'one' }], ...more }
}

const agent = fc.constantFrom('claude', 'script', { type: 'claude', model: 'opus', allowed_tools: ['Read'] })
const part = fc.record(
  { name: fc.constantFrom('a', 'b'), description: fc.constant('d'), agent },
  { requiredKeys: ['name'] },
)
const subtasks = fc.option(fc.array(part, { maxLength: 50 }), { nil: undefined })
const task = fc.tuple(part, subtasks).map(([own, parts]) => (parts === undefined ? own : { ...own, subtasks: parts }))
const plans = fc
  .record({ tasks: fc.array(task, { minLength: 1, maxLength: 50 }), run_policy: fc.constantFrom('manual', 'auto') })
  .map((parts) => aPlan(parts as Partial<StoryApproval>))

/** A property of the objects of any plan. */
function holds(property: (tasks: readonly Task[], plan: StoryApproval) => void): void {
  fc.assert(
    fc.property(plans, (plan) => property(planStory(plan, place).tasks, plan)),
    { numRuns: runs(50) },
  )
}

const inChain = ({ spec }: Task): boolean => spec.parentTaskId === undefined

describe('a plan as objects', () => {
  it('has a task for each task and subtask, every name once and no longer than names may be', () => {
    holds((tasks, plan) => {
      const names = tasks.map(({ metadata }) => metadata.name)
      assert.equal(
        names.length,
        plan.tasks.reduce((sum, { subtasks = [] }) => sum + 1 + subtasks.length, 0),
      )
      assert.equal(new Set(names).size, names.length)
      assert.ok(names.every((name) => name.length <= MAX_NAME_LENGTH))
    })
  })

  it('lets every task of the chain but the first wait for the one before it, and for nothing else', () => {
    holds((tasks) => {
      const chain = tasks.filter(inChain)
      const waits = chain.map(({ spec }) => spec.dependsOn)
      assert.deepEqual(waits, [undefined, ...chain.slice(0, -1).map(({ metadata }) => [metadata.name])])
    })
  })

  it('gives every subtask a parent of the chain, and lets it wait for its elder sibling alone', () => {
    holds((tasks) => {
      const parents = new Set(tasks.filter(inChain).map(({ metadata }) => metadata.name))
      const seen = new Map<string, string>()
      for (const { metadata, spec } of tasks.filter((each) => !inChain(each))) {
        const parent = spec.parentTaskId ?? ''
        assert.ok(parents.has(parent))
        const elder = seen.get(parent)
        assert.deepEqual(spec.dependsOn, elder === undefined ? undefined : [elder])
        seen.set(parent, metadata.name)
      }
    })
  })

  it('names nothing that comes later, and has no cycle', () => {
    holds((tasks) => {
      const made = new Map<string, Task>()
      for (const each of tasks) {
        const { dependsOn = [], parentTaskId } = each.spec
        for (const name of [...dependsOn, ...(parentTaskId === undefined ? [] : [parentTaskId])])
          assert.ok(made.has(name))
        made.set(each.metadata.name, each)
      }
      const children = (name: string) => tasks.filter(({ spec }) => spec.parentTaskId === name)
      const index = { find: (name: string) => made.get(name), subtasks: children }
      // One of each is enough: a cycle would hold several.
      for (const each of tasks.slice(0, 10)) assert.equal(findCycle(each, index), undefined)
    })
  })

  it('puts project, repository and story on every task and subtask', () => {
    holds((tasks) => {
      for (const { spec } of tasks)
        assert.deepEqual([spec.project, spec.repositoryUrl, spec.storyId], ['site', place.remoteUrl, id])
    })
  })

  it('is the same each time it is made', () => {
    holds((tasks, plan) => assert.deepEqual(planStory(plan, place).tasks, tasks))
  })

  it('has names that sort as the tasks follow', () => {
    holds((tasks) => {
      const names = tasks.map(({ metadata }) => metadata.name)
      assert.deepEqual([...names].sort(), names)
    })
  })

  it('starts by itself where that is asked for, but never a subtask: its parent queues it', () => {
    const tasks = [
      { name: 'one', subtasks: [{ name: 'part' }] },
      { name: 'two', agent: 'claude' },
    ]
    const made = planStory(aPlan({ run_policy: 'auto', tasks }), place).tasks
    assert.deepEqual(
      made.map(({ spec }) => [spec.title, spec.runPolicy, spec.agent?.type]),
      [
        ['one', 'Auto', undefined],
        ['part', undefined, undefined],
        ['two', 'Auto', 'claude'],
      ],
    )
  })

  it('keeps all that the plan says of the story', () => {
    const validation = { type: 'test', steps: ['npm test'], success_criteria: 'green' }
    const plan = aPlan({ branch_name: 'story/checkout', spec: 'why', acceptance_criteria: ['one page'], validation })
    assert.deepEqual(planStory(plan, place).story.spec, {
      title: 'Checkout',
      branchName: 'story/checkout',
      projectId: 'site',
      spec: 'why',
      acceptanceCriteria: ['one page'],
      validation: { type: 'test', steps: ['npm test'], successCriteria: 'green' },
    })
  })

  it('may be as small as a name, a project and one task, and has at most 50 tasks', () => {
    const check = compileCheck(Schema)
    assert.ok(check(aPlan()).ok)
    assert.ok(!check(aPlan({ tasks: [] })).ok)
    assert.ok(!check(aPlan({ tasks: Array.from({ length: 51 }, () => ({ name: 'x' })) })).ok)
  })

  it('give tasks and subtasks the agent that they ask for, by its name or with all that a task says of it', () => {
    const wish = { type: 'claude', model: 'opus', instructions: 'be brief', allowed_tools: ['Read'] }
    const plan = aPlan({
      tasks: [
        { name: 'a', agent: wish, subtasks: [{ name: 'b', agent: wish }] },
        { name: 'c', agent: 'script' },
      ],
    })
    const asked = { type: 'claude', model: 'opus', instructions: 'be brief', allowedTools: ['Read'] }
    assert.deepEqual(
      planStory(plan, place).tasks.map(({ spec }) => spec.agent),
      [asked, asked, { type: 'script' }],
    )
  })
})
