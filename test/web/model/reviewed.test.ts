import assert from 'node:assert/strict'
import type { Execution } from '../../../core/rest/client/client.ts'
import { attemptsOf } from '../../../web/model/attempts.ts'
import { latestWork } from '../../../core/rest/latest-work.ts'
import { pickableWork, shownWork, workName } from '../../../web/model/reviewed.ts'
import { aTaskRecord } from '../records.ts'

const CHANGES = { files: 1, insertions: 1, deletions: 0 }
const at = (n: number): string => `2026-01-01T00:00:0${n}Z`

function begun(n: number): Execution {
  return {
    id: `t-${n}`,
    purpose: 'run',
    state: 'RUNNING',
    phases: [],
    fix_commits: [],
    auth_retried: false,
    created_at: at(n),
  }
}

const failed = (n: number): Execution => ({ ...begun(n), state: 'FAILED', finished_at: at(n) })
const ended = (n: number): Execution => ({ ...failed(n), state: 'COMPLETED', changes: CHANGES })

describe('the diff of a task', () => {
  const first = attemptsOf([ended(1)])
  const ready = aTaskRecord({ state: 'READY', execution_id: 't-2' })

  it('is of the work that Accept takes, whatever is known of the attempts', () => {
    for (const attempts of [[], first, attemptsOf([ended(1), failed(2)])])
      assert.equal(shownWork(ready, attempts), 't-2')
    assert.equal(workName(first, 't-2'), 'the latest work')
  })

  it('is of the whole branch where that has moved', () => {
    const delivery = { kind: 'merge', state: 'moved', execution_id: 't-d1', files: [] } as const
    assert.equal(shownWork({ ...ready, delivery }, first), 't-d1')
    assert.equal(latestWork({ ...ready, delivery: { ...delivery, state: 'failed' } }), 't-2')
  })

  it('is of the latest work with changes while nothing is to be decided', () => {
    const attempts = attemptsOf([ended(1), failed(2)])
    assert.equal(shownWork({ ...ready, state: 'FAILED' }, attempts), 't-1')
    assert.equal(shownWork({ ...ready, state: 'RUNNING' }, attemptsOf([begun(2)])), undefined)
  })

  it('can be picked of what has one, and of what Accept takes', () => {
    const attempts = attemptsOf([ended(1), failed(2), { ...ended(3), purpose: 'deliver' }])
    const names = (latest: string) => pickableWork(attempts, latest).map(({ name }) => name)
    assert.deepEqual(names('t-1'), ['Attempt 1'])
    assert.deepEqual(names('t-2'), ['Attempt 2', 'Attempt 1'])
  })
})
