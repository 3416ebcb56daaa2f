import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { exited, readAll } from './cli-output.ts'
import { type RecordedProgram, readRecording, RECORDED_PROGRAMS, recordingsOf } from './recordings.ts'
import { runs } from '../../helpers/runs.ts'

/** Outcome and category, what a person is told to do, and the kinds of events in the order in which they first come. */
type Expected = readonly [string, string | undefined, RegExp | undefined, string]

const LOOK = /: look at its output, then resume/
const AGAIN = /: it is tried again by itself while attempts are left$/
const CHECK = /: check that the provider can be reached from here; it is tried again by itself while attempts are left$/
const PAY = /: undrain the agent when there is quota again, or run the task with another one; else it is tried again by/
const MODEL = /: choose a model that the provider has, for the task or the agent, then run it again$/
const GO_ON = /: resume the task to let it go on$/
const OPEN = 'session usage result'

const EXPECTED: Readonly<Record<RecordedProgram, Readonly<Record<string, Expected>>>> = {
  claude: {
    success: ['succeeded', undefined, undefined, 'session tool_call edit usage tool_result text result'],
    question: ['blocked', undefined, undefined, 'session tool_call question usage result'],
    'usage-limit': [
      'budget_exceeded',
      'quota',
      /: the limit ends at 2026-01-01T00:00:00Z$/,
      'session limit usage result',
    ],
    throttled: ['failed', 'rate_limit', AGAIN, 'session limit usage result'],
    overloaded: ['failed', 'rate_limit', AGAIN, 'session limit usage result'],
    'overloaded-once': ['succeeded', undefined, undefined, 'session limit text usage result'],
    'no-credit': ['budget_exceeded', 'quota', PAY, OPEN],
    'unknown-model': ['failed', 'failed', MODEL, OPEN],
    'key-refused': ['failed', 'auth', /renew the credentials of agent agent-x \(/, 'session limit usage result'],
    budget: [
      'budget_exceeded',
      'budget',
      /raise budget_usd and resume the task, or cancel it$/,
      'session tool_call edit usage result',
    ],
    'max-turns': ['failed', 'failed', GO_ON, 'session tool_call edit usage tool_result result'],
    'session-lost': ['failed', 'failed', LOOK, 'usage result'],
    'breaks-off': ['failed', 'rate_limit', CHECK, 'session limit usage result'],
  },
  gemini: {
    success: ['succeeded', undefined, undefined, 'session tool_call edit tool_result text usage result'],
    'daily-quota': ['budget_exceeded', 'quota', PAY, OPEN],
    unpaid: ['budget_exceeded', 'quota', PAY, OPEN],
    'unknown-model': ['failed', 'failed', MODEL, OPEN],
    'minute-quota': ['failed', 'rate_limit', AGAIN, OPEN],
    overloaded: ['failed', 'rate_limit', AGAIN, OPEN],
    'overloaded-once': ['succeeded', undefined, undefined, 'session text usage result'],
    'key-refused': ['failed', 'auth', /renew the credentials of agent agent-x \(/, OPEN],
    'max-turns': ['failed', 'failed', GO_ON, 'session tool_call edit tool_result usage result'],
    'session-lost': ['failed', 'failed', LOOK, ''],
    'breaks-off': ['failed', 'rate_limit', CHECK, 'session usage result'],
  },
  codex: {
    success: ['succeeded', undefined, undefined, 'session output tool_call tool_result text usage result'],
    'usage-limit': [
      'budget_exceeded',
      'quota',
      /: the limit ends at 2026-01-01T01:29:00Z$/,
      'session output limit result',
    ],
    'no-quota': ['budget_exceeded', 'quota', PAY, 'session output result'],
    'server-error': ['failed', 'rate_limit', AGAIN, 'session output limit result'],
    'unknown-model': ['failed', 'failed', MODEL, 'session output result'],
    overloaded: ['failed', 'rate_limit', AGAIN, 'session output result'],
    'overloaded-once': ['succeeded', undefined, undefined, 'session output text usage result'],
    'key-refused': ['failed', 'auth', /renew the credentials of agent agent-x \(/, 'session output limit result'],
    'session-lost': ['failed', 'failed', LOOK, ''],
    'breaks-off': ['failed', 'rate_limit', CHECK, 'session output text limit result'],
  },
}

for (const program of RECORDED_PROGRAMS) {
  describe(`recordings of ${program}`, () => {
    it('are all expected to come to something', () => {
      assert.deepEqual(recordingsOf(program).toSorted(), Object.keys(EXPECTED[program]).toSorted())
    })

    for (const [name, [outcome, category, advice, kinds]] of Object.entries(EXPECTED[program])) {
      it(`of ${name} come to ${outcome} ${category ?? ''}`, () => {
        const { output, end, create, interpretExit } = readRecording(program, name)
        const transcript = create()
        const { events } = readAll(transcript, output)
        assert.equal([...new Set(events.map(({ kind }) => kind))].join(' '), kinds)
        const exit = interpretExit(transcript.facts, end)
        assert.deepEqual([exit.outcome, exit.error?.category], [outcome, category], exit.error?.message)
        assert.match(exit.error?.message ?? '', advice ?? /^$/)
        assert.equal(exit.isSessionLost === true, name === 'session-lost')
      })
    }

    it('read the same in whatever pieces they come', () => {
      const names = fc.constantFrom(...recordingsOf(program))
      const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 60 })
      fc.assert(
        fc.property(names, sizes, (name, pieces) => {
          const { output, create } = readRecording(program, name)
          assert.deepEqual(readAll(create(), output, pieces), readAll(create(), output))
        }),
        { numRuns: runs(60) },
      )
    })

    it('are no success when they end early, though the process exits with 0', () => {
      const { output, create, interpretExit } = readRecording(program, 'success')
      // The last line is the result; without its line ending alone it is still whole.
      fc.assert(
        fc.property(fc.integer({ min: 0, max: output.length - 2 }), (length) => {
          const transcript = create()
          readAll(transcript, output.slice(0, length))
          assert.notEqual(interpretExit(transcript.facts, exited(0)).outcome, 'succeeded')
        }),
        { numRuns: runs(60) },
      )
    })

    it('are read through noise between the lines', () => {
      const { output, create } = readRecording(program, 'success')
      const lines = Buffer.from(output).toString('utf8').split('\n')
      const noise = fc.array(fc.uint8Array({ maxLength: 80 }), { minLength: lines.length, maxLength: lines.length })
      const messages = (bytes: Uint8Array) => readAll(create(), bytes).events.filter(({ kind }) => kind !== 'output')
      fc.assert(
        fc.property(noise, (between) => {
          // A zero byte first: noise that happens to be a message would be one.
          const dirt = (i: number) =>
            Buffer.concat([Buffer.from([0]), between[i] ?? new Uint8Array(), Buffer.from('\n')])
          const noisy = lines.flatMap((line, i) => [dirt(i), Buffer.from(`${line}\n`)])
          assert.deepEqual(messages(Buffer.concat(noisy)), messages(output))
        }),
        { numRuns: runs(30) },
      )
    })

    it('are survived with any of their bytes changed', () => {
      const names = fc.constantFrom(...recordingsOf(program))
      const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 30 })
      fc.assert(
        fc.property(names, changes, (name, bytes) => {
          const { output, end, create, interpretExit } = readRecording(program, name)
          const damaged = Uint8Array.from(output)
          for (const [at, byte] of bytes) if (damaged.length > 0) damaged[at % damaged.length] = byte
          const transcript = create()
          const { events } = readAll(transcript, damaged)
          assert.ok(events.every((event) => JSON.stringify(event).length < 600_000))
          assert.ok(interpretExit(transcript.facts, end).outcome)
        }),
        { numRuns: runs(100) },
      )
    })

    it('are understood beside a line of 10 MB, of which an event keeps the beginning', () => {
      const { output, create, interpretExit } = readRecording(program, 'success')
      const long = Buffer.concat([Buffer.from('x'.repeat(10 * 1024 * 1024)), Buffer.from('\n'), output])
      const transcript = create()
      const { events } = readAll(transcript, long, [1, 3_000_000, 5_000_000])
      assert.ok(JSON.stringify(events).length < 600_000)
      assert.equal(interpretExit(transcript.facts, exited(0)).outcome, 'succeeded')
    })
  })
}
