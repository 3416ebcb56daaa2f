import assert from 'node:assert/strict'
import { openSession } from '../../../cli/client/session.ts'
import { findParts } from '../../../cli/client/parts.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { anExecution, text } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'

const ANSWER = { text: text('UTC'), at: '2026-01-01T00:00:00Z' }

describe('the executions that are read as one run', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    const given = [
      anExecution({ name: 'a-1', status: { state: 'BLOCKED' } }),
      anExecution({ name: 'a-2', spec: { resumes: 'a-1', answer: ANSWER }, status: { state: 'FAILED' } }),
      anExecution({ name: 'a-3', spec: { resumes: 'a-1', answer: ANSWER }, status: { state: 'FAILED' } }),
      anExecution({ name: 'a-4', spec: { resumes: 'a-3', answer: ANSWER }, status: { state: 'RUNNING' } }),
    ]
    for (const execution of given) await api.givenExecution(execution)
    await until('the server knows them', async () => (await api.get('/api/executions/a-4')).status === 200)
  })
  after(() => api.stop())

  const partsOf = async (id: string, ...shown: string[]): Promise<string[]> => {
    const session = await openSession({ server: api.url, form: 'table', env: { SLIPWAY_TOKEN: 'unused-here' } })
    const parts = await findParts({ session, signal: new AbortController().signal }, id, new Set(shown))
    return parts.map((part) => part.id)
  }

  it('are one that was answered, and before it the one that asked', async () => {
    assert.deepEqual(await partsOf('a-3'), ['a-1', 'a-3'])
  })

  it('are none that were shown, whichever run is gone on from', async () => {
    assert.deepEqual(await partsOf('a-3', 'a-1', 'a-2'), ['a-3'])
  })

  it('are no runs that met a limit after the answer', async () => {
    assert.deepEqual(await partsOf('a-4'), ['a-4'])
  })
})
