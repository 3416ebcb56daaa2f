import assert from 'node:assert/strict'
import { STORIES, TASKS } from '../../../kube/resources.ts'
import { aStory, aTask } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, startRig } from '../rig.ts'

const foreign = {
  foreignCommits: [{ commit: 'c'.repeat(40), author: 'Eve <eve@example.com>', subject: 'theirs' }],
  foreignCommitCount: 1,
}

describe('an accept with If-Match from before commits of others were found', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  it('of a task is refused with 412, which names them', async () => {
    await api.given(aTask({ name: 'reviewed', status: { state: 'READY' } }))
    const seen = (await api.get('/api/tasks/reviewed')).headers.get('etag') ?? ''
    await api.setStatus(TASKS, 'reviewed', { state: 'READY', ...foreign })
    await until(
      'it is known',
      async () => at((await api.get('/api/tasks/reviewed')).body, 'foreign_commit_count') === 1,
    )
    const { status, body } = await api.post('/api/tasks/reviewed/accept', undefined, { 'If-Match': seen })
    assert.equal(status, 412)
    assert.match(textAt(body, 'error'), /in foreign_commit_count, foreign_commits: /)
    assert.deepEqual(at((await api.get('/api/tasks/reviewed')).body, 'foreign_commits'), foreign.foreignCommits)
  })

  it('of a story is refused with 412, which names them', async () => {
    await api.givenStory(aStory({ name: 'told', status: { status: 'REVIEW_READY' } }))
    const seen = (await api.get('/api/stories/told')).headers.get('etag') ?? ''
    const review = { execution: 'told-1', baseCommit: 'a'.repeat(40), head: 'b'.repeat(40), ...foreign }
    await api.setStatus(STORIES, 'told', { status: 'REVIEW_READY', review })
    await until('it is known', async () => at((await api.get('/api/stories/told')).body, 'foreign_commit_count') === 1)
    const { status, body } = await api.post('/api/stories/told/accept', undefined, { 'If-Match': seen })
    assert.equal(status, 412)
    assert.match(textAt(body, 'error'), /foreign_commits/)
    assert.equal(at(at((await api.get('/api/stories/told')).body, 'review'), 'execution_id'), 'told-1')
  })
})
