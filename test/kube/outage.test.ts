import assert from 'node:assert/strict'
import { createOutageLog } from '../../kube/outage.ts'
import { watchReachability } from '../../kube/reachability.ts'
import { manualClock } from '../helpers/clock.ts'
import { recordingLogger } from '../helpers/log.ts'

describe('the log of an outage', () => {
  it('has one line a minute, however many watches fail how often, and one when all are back', async () => {
    const clock = manualClock()
    const { logger, lines } = recordingLogger()
    const outages = createOutageLog(clock, logger)
    for (let second = 0; second < 150; second++) {
      for (const kind of ['Task', 'Agent']) outages.failed(kind, new Error('gone'))
      await clock.advance(1000)
    }
    assert.deepEqual(
      lines.map(({ level, attempts }) => [level, attempts]),
      [
        [40, 1],
        [40, 121],
        [40, 241],
      ],
    )
    outages.recovered('Task')
    outages.recovered('Story')
    assert.equal(lines.length, 3)
    outages.recovered('Agent')
    assert.equal(lines.length, 4)
  })
})

describe('reachability', () => {
  const setUp = () => {
    const clock = manualClock()
    const asked: AbortSignal[] = []
    const answers: ((error?: Error) => void)[] = []
    const stopping = new AbortController()
    const ask = (signal: AbortSignal): Promise<void> => {
      asked.push(signal)
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        answers.push((error) => (error === undefined ? resolve() : reject(error)))
      })
    }
    const reachability = watchReachability({ ask, clock })
    const running = reachability.run(stopping.signal)
    return { clock, asked, answers, reachability, stop: async () => (stopping.abort(), running) }
  }

  it('asks five seconds after an answer, and a second after a failure', async () => {
    const { clock, asked, answers, reachability, stop } = setUp()
    answers[0]?.()
    await clock.advance(4999)
    assert.equal(asked.length, 1)
    await clock.advance(1)
    answers[1]?.(new Error('refused'))
    await clock.advance(999)
    assert.deepEqual([asked.length, reachability.problem()?.message], [2, 'refused'])
    await clock.advance(1)
    answers[2]?.()
    await clock.advance(0)
    assert.deepEqual([asked.length, reachability.problem()], [3, undefined])
    await stop()
  })

  it('waits five seconds for an answer, and gives the question up then', async () => {
    const { clock, asked, reachability, stop } = setUp()
    await clock.advance(4999)
    assert.equal(reachability.problem(), undefined)
    await clock.advance(1)
    assert.deepEqual([asked[0]?.aborted, reachability.problem()?.message], [true, 'no answer within 5000 ms'])
    await stop()
  })
})
