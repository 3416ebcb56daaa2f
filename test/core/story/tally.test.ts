import assert from 'node:assert/strict'
import type { StoryEvent } from '../../../core/crd/types.ts'
import { makeStoryEvent } from '../../../core/story/events.ts'
import { latestEvaluation } from '../../../core/story/tally.ts'
import { aStory } from '../../helpers/build.ts'

describe('the evaluation that a reader is shown', () => {
  const criterion = 'It works.'
  const verdict = (verdict: 'passed' | 'failed', at: string) => ({ criterion, verdict, at, by: 'ada' })
  const story = (...verdicts: ReturnType<typeof verdict>[]) =>
    aStory({
      spec: { acceptanceCriteria: [criterion] },
      status: { evaluation: { total: 1, passed: 1, failed: 0, pending: 0, verdicts } },
    })
  const event = (word: string, at: string): StoryEvent =>
    makeStoryEvent(story(), 'e', { kind: 'eval_verdict', payload: { criterion, verdict: word }, at, by: 'ada' })
  const [EARLY, LATE] = ['2026-01-01T10:00:00Z', '2026-01-01T10:00:01Z']

  it('is that of the events where they are ahead of the status', () => {
    for (const noted of [[], [verdict('passed', EARLY)], [verdict('passed', LATE)]])
      assert.equal(latestEvaluation(story(...noted), [event('fail', LATE)])?.failed, 1)
  })

  it('is that of the status where it was heard of before its event, or nobody told anything', () => {
    const noted = story(verdict('passed', LATE))
    assert.equal(latestEvaluation(noted, [event('fail', EARLY)]), noted.status?.evaluation)
    const other = makeStoryEvent(noted, 'e', { kind: 'retro_captured', at: LATE })
    assert.equal(latestEvaluation(noted, [other]), noted.status?.evaluation)
    assert.equal(latestEvaluation(aStory(), []), undefined)
  })
})
