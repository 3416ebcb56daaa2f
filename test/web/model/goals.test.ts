import assert from 'node:assert/strict'
import { findActions, findGoals } from '../../../web/app/goals.ts'
import { anAgentRecord, aStoryRecord, aTaskRecord } from '../records.ts'

const may = (): boolean => true
const mayNothing = (): boolean => false

describe('the palette', () => {
  const idle = anAgentRecord()
  const drained = anAgentRecord({ id: 'b', name: 'codex', status: { ...idle.status, agent: 'b', state: 'drained' } })

  it('offers what a person may do, and Undrain for those agents that take no work', () => {
    const labels = findActions([idle, drained], may).map(({ label }) => label)
    assert.deepEqual(labels.slice(0, 3), ['New task', 'New story', 'Undrain codex'])
    const others = findActions([drained], mayNothing).map(({ label }) => label)
    assert.deepEqual(others, ['Theme: light', 'Theme: dark', 'Theme: as the system has it'])
  })

  it('offers to edit the task that is shown, unless an agent works at it', () => {
    const first = (task: object, allowed = may) =>
      findActions([], allowed, { task: aTaskRecord({ id: 't', name: 'Fix', ...task }) })[0]
    assert.deepEqual([first({})?.label, first({})?.deed], ['Edit task Fix', { do: 'go', path: '/tasks/t/edit' }])
    assert.equal(first({ state: 'RUNNING' })?.label, 'New task')
    assert.equal(first({}, mayNothing)?.label, 'Theme: light')
  })

  it('offers the decisions of what is open, and no others', () => {
    const labels = (shown: Parameters<typeof findActions>[2]): readonly string[] =>
      findActions([], mayNothing, shown).map(({ label }) => label)
    const task = aTaskRecord({ id: 't', name: 'Fix', state: 'FAILED', actions: ['run', 'resume'] })
    assert.deepEqual(labels({ task }).slice(0, 2), ['Start over: task Fix', 'Resume task Fix'])
    const story = aStoryRecord({ name: 'Login', actions: ['accept', 'move'] })
    assert.deepEqual(labels({ story }).slice(0, 2), ['Accept the story Login', 'Theme: light'])
  })

  it('finds what begins with the text before what only holds it', () => {
    const found = findGoals('theme', {
      views: [],
      actions: findActions([], mayNothing),
      stories: [aStoryRecord({ id: 's', name: 'A dark theme' })],
      tasks: [aTaskRecord({ id: 't', name: 'Theme switch' })],
    })
    assert.deepEqual(
      found.map(({ kind }) => kind),
      ['action', 'action', 'action', 'task', 'story'],
    )
    assert.deepEqual(found.at(-1)?.deed, { do: 'go', path: '/stories/s' })
  })
})
