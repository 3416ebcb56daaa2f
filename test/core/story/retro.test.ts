import assert from 'node:assert/strict'
import { captureRetro, followUpEvent, retroEvent } from '../../../core/story/retro.ts'
import { anExecution, aStory, aTask } from '../../helpers/build.ts'

const NOW = new Date('2026-03-01T10:00:00Z')
const run = (name: string, state: 'COMPLETED' | 'FAILED', minute: number, more = {}) =>
  anExecution({
    name,
    status: { state, startedAt: `2026-03-01T09:0${minute}:00Z`, finishedAt: `2026-03-01T09:0${minute}:30Z`, ...more },
  })

describe('the retro of a story', () => {
  const reject = { action: 'reject', at: '2026-03-01T09:03:00Z', comment: 'Too slow.' } as const
  const revise = { action: 'revise', at: '2026-03-01T09:05:00Z', comment: 'Say why.' } as const
  const tasks = [aTask({ status: { state: 'COMPLETED', decisions: [reject, revise] } }), aTask({ name: 'task-b' })]
  const executions = [
    run('task-a-3', 'COMPLETED', 4, { costUSD: 0.2, summary: 'Fast now.' }),
    run('task-a-1', 'FAILED', 1, { summary: 'Broke.' }),
    run('task-a-2', 'COMPLETED', 2, { costUSD: 0.1, summary: 'Done.' }),
    run('task-z-1', 'COMPLETED', 2, { costUSD: 9 }),
  ]

  it('adds up what each task took, and tells each time that it was sent back and what its last execution says', () => {
    const retro = captureRetro(aStory(), tasks, executions)
    assert.deepEqual(retro.tasks, [
      {
        task_id: 'task-a',
        name: 'A task',
        state: 'COMPLETED',
        attempts: 3,
        failed_attempts: 1,
        cost_usd: 0.3,
        duration_seconds: 90,
        rejections: ['Too slow.', 'Say why.'],
        summary: 'Fast now.',
      },
      {
        task_id: 'task-b',
        name: 'A task',
        state: 'PENDING',
        attempts: 0,
        failed_attempts: 0,
        duration_seconds: 0,
        rejections: [],
      },
    ])
    const { attempts, rejections, cost_usd, duration_seconds } = retro
    assert.deepEqual(
      { attempts, rejections, cost_usd, duration_seconds },
      { attempts: 3, rejections: 2, cost_usd: 0.3, duration_seconds: 90 },
    )
  })

  it('stays small, however long the summaries and however many the tasks', () => {
    const many = Array.from({ length: 150 }, (_, n) => aTask({ name: `task-${n}` }))
    const each = many.map(({ metadata }) => run(`${metadata.name}-1`, 'COMPLETED', 1, { summary: 'x'.repeat(16_384) }))
    const { payload } = retroEvent(aStory(), many, each, NOW).spec
    assert.ok(JSON.stringify(payload).length < 256 * 1024)
    assert.deepEqual([payload?.['tasks_left_out'], payload?.['attempts']], [50, 150])
  })

  it('has one name for ever, as the proposal of the next epic has', () => {
    const followUp = { title: 'Measure it', description: 'In CI.', agent: 'gemini' }
    const story = aStory({ status: { evaluation: { total: 0, passed: 0, failed: 0, pending: 0, followUp } } })
    assert.equal(
      retroEvent(story, tasks, executions, NOW).metadata.name,
      retroEvent(story, [], [], new Date()).metadata.name,
    )
    const proposed = followUpEvent(story, NOW)
    assert.deepEqual(proposed?.spec.payload, { title: 'Measure it', description: 'In CI.', story_id: 'story-a' })
    assert.deepEqual([proposed.spec.kind, proposed.spec.by], ['epic_proposed', 'gemini'])
    assert.equal(followUpEvent(aStory(), NOW), undefined)
  })
})
