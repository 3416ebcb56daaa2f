import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  conflictsOf,
  continueEdit,
  parseEditDraft,
  rebase,
  toTaskEdit,
  toTaskForm,
} from '../../../web/features/new-task/edit-form.ts'
import { type TaskForm, EMPTY_TASK } from '../../../web/features/new-task/task-form.ts'
import { aTaskRecord } from '../records.ts'

const texts = fc.constantFrom('', '1', 'x')
const lists = fc.subarray(['a', 'b'])
const forms: fc.Arbitrary<TaskForm> = fc
  .record({
    ...Object.fromEntries(Object.keys(EMPTY_TASK).map((name) => [name, texts])),
    allowed_tools: lists,
    depends_on: lists,
    suspend: fc.boolean(),
    run_policy: fc.constantFrom('manual' as const, 'auto' as const),
  })
  .map((made) => ({ ...EMPTY_TASK, ...made }))

describe('the form that changes a task', () => {
  const task = aTaskRecord({
    name: 'Fix it',
    description: 'So that it works',
    agent: { type: 'script', instructions: 'true' },
    depends_on: ['a'],
    budget_usd: 1.5,
    timeout_seconds: 90,
    priority: 0,
  })

  it('begins with what the record says', () => {
    const { name, agent, instructions, depends_on, budget_usd, timeout_seconds, priority, model } = toTaskForm(task)
    assert.deepEqual(
      [name, agent, instructions, depends_on, budget_usd, timeout_seconds, priority, model],
      ['Fix it', 'script', 'true', ['a'], '1.5', '90', '0', ''],
    )
  })

  it('sends what was changed, clears what was emptied, and nothing else', () => {
    const base = toTaskForm(task)
    const typed = { ...base, budget_usd: '5', description: '', depends_on: [], model: 'big' }
    assert.deepEqual(toTaskEdit(base, typed), {
      budget_usd: 5,
      description: null,
      depends_on: null,
      agent: { model: 'big' },
    })
  })

  it('sends nothing for what was not changed', () => {
    fc.assert(fc.property(forms, (form) => assert.deepEqual(toTaskEdit(form, form), {})))
  })

  it('keeps what a person typed, and takes what others changed elsewhere', () => {
    fc.assert(
      fc.property(forms, forms, forms, (base, typed, now) => {
        assert.deepEqual(rebase({ base, typed: base }, now), now)
        assert.deepEqual(rebase({ base: now, typed }, now), typed)
        const merged = rebase({ base, typed }, now)
        assert.deepEqual(rebase({ base: now, typed: merged }, now), merged)
        if (conflictsOf({ base, typed }, now).size === 0)
          assert.deepEqual(conflictsOf({ base: now, typed: merged }, now), new Map())
      }),
    )
  })

  it('keeps what was typed while it was being saved, and nothing of what was stored, as a change', () => {
    fc.assert(
      fc.property(forms, forms, forms, forms, (base, typed, later, stored) => {
        const sent = { base, typed }
        const saved = { base: stored, typed: stored }
        assert.deepEqual(continueEdit(sent, sent, saved), saved)
        const next = continueEdit({ base, typed: { ...typed, name: 'meanwhile' } }, { base, typed }, saved)
        assert.deepEqual(next.typed, { ...stored, name: typed.name === 'meanwhile' ? stored.name : 'meanwhile' })
        const refused = { base: stored, typed }
        assert.deepEqual(continueEdit({ base, typed: later }, sent, refused), { base: stored, typed: later })
      }),
    )
  })

  it('names a field that both have changed, with what it is now', () => {
    const base = toTaskForm(task)
    const now = { ...base, budget_usd: '3', description: '', priority: '7' }
    const conflicts = conflictsOf({ base, typed: { ...base, budget_usd: '5', description: 'More' } }, now)
    assert.deepEqual([...conflicts.keys()], ['description', 'budget_usd'])
    assert.match(conflicts.get('budget_usd') ?? '', /it is “3” now/)
    assert.match(conflicts.get('description') ?? '', /it is empty now/)
    assert.equal(conflictsOf({ base, typed: { ...base, budget_usd: '3' } }, now).size, 0)
    assert.deepEqual(
      [...conflictsOf({ base, typed: { ...base, model: 'a' } }, { ...base, model: 'b' }).keys()],
      ['agent.model'],
    )
  })

  it('comes back from its draft, and from no other text', () => {
    const base = toTaskForm(task)
    const typed = { ...base, name: 'Other' }
    assert.deepEqual(parseEditDraft(JSON.stringify({ base, typed })), { base, typed })
    for (const text of ['', 'x', '7', '{}', '{"base":{}}']) assert.equal(parseEditDraft(text), undefined)
  })
})
