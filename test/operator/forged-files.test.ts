import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TSchema } from 'typebox'
import { Classification } from '../../core/answer/classification.ts'
import { Evaluation } from '../../core/answer/evaluation.ts'
import { StoryPlan } from '../../core/answer/story-plan.ts'
import { TaskDraft } from '../../core/answer/task-draft.ts'
import { MAX_FILE_BYTES } from '../../core/execution/layout.ts'
import { TERMINATION_MESSAGE_BYTES } from '../../core/execution/termination.ts'
import { findAnswer } from '../../lib/query-files.ts'
import { type Check, compileCheck } from '../../lib/validate.ts'
import { readTerminationMessage } from '../../operator/execution/observe.ts'
import { readOutcome } from '../../operator/step-records.ts'
import { findGrowth } from '../helpers/growth.ts'

describe('files that an agent forged', () => {
  let root: string
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'slipway-forged-'))
  })
  after(() => rm(root, { recursive: true }))
  const forge = async (file: string, text: string): Promise<void> => {
    const path = join(root, 'executions/x-1/agent', file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  const outcome = (rest: string): string =>
    `{"schemaVersion":1,"execution":"x-1","jobNumber":1,"outcome":"failed","startedAt":"","finishedAt":""${rest}}`

  it('count as missing with more values than could be checked, though their schema knows none of them', async () => {
    await forge('outcome.json', outcome(`,"more":[${'0,'.repeat(90_000)}0]`))
    assert.equal((await readOutcome(root, 'x-1'))?.outcome, 'failed')
    await forge('outcome.json', outcome(`,"more":[${'0,'.repeat(1_000_000)}0]`))
    assert.equal(await readOutcome(root, 'x-1'), undefined)
  })

  it('are not shown to a schema at all then', async () => {
    let checked = 0
    const check: Check<unknown> = (value) => {
      checked += value === undefined ? 0 : 1
      return { ok: false, problems: [] }
    }
    await forge('answer.json', `{"tasks":[${'0,'.repeat(1_000_000)}0]}`)
    assert.equal(await findAnswer(root, 'x-1', check), undefined)
    await forge('answer.json', '['.repeat(40) + ']'.repeat(40))
    assert.equal(await findAnswer(root, 'x-1', check), undefined)
    assert.equal(checked, 0)
  })

  it('count as missing when they are longer than their record could be', async () => {
    const check = compileCheck(StoryPlan)
    const plan = (spec: string): string =>
      JSON.stringify({ name: 'x', branch_name: 'x', spec, acceptance_criteria: [], tasks: [TASK], validation: CHECK })
    await forge('answer.json', plan('x'.repeat(100_000)))
    assert.equal((await findAnswer(root, 'x-1', check))?.name, 'x')
    await forge('answer.json', plan('x') + ' '.repeat(MAX_FILE_BYTES.answer))
    assert.equal(await findAnswer(root, 'x-1', check), undefined)
    await forge('outcome.json', outcome('}') + ' '.repeat(MAX_FILE_BYTES.outcome))
    assert.equal(await readOutcome(root, 'x-1'), undefined)
    const message = `{"outcome":"failed","pushed":false,"branch":"x"}`
    assert.equal(readTerminationMessage(message)?.outcome, 'failed')
    assert.equal(readTerminationMessage(message + ' '.repeat(TERMINATION_MESSAGE_BYTES)), undefined)
  })

  for (const [form, schema, answer] of [
    ['a title', TaskDraft, (text: string) => ({ name: text, description: 'x' })],
    ['a reason', Classification, (text: string) => ({ agent: 'claude', reason: text })],
    ['an agent', Classification, (text: string) => ({ agent: text, reason: 'x' })],
    [
      'a criterion',
      Evaluation,
      (text: string) => ({ verdicts: [{ criterion: text, verdict: 'pass', evidence: 'x' }] }),
    ],
  ] as const)
    it(`do not keep their reader busy with ${form} of any length`, async () => {
      for (const unit of ['x', ' ', '1s']) {
        const growth = await findGrowth(
          async (size) => {
            await forge('answer.json', JSON.stringify(answer(`${unit.repeat(size)}\u0001`)))
            assert.equal(await findAnswer(root, 'x-1', compileCheck<TSchema>(schema)), undefined)
          },
          { sizes: [100_000], suspiciousMs: 300 },
        )
        assert.equal(growth, undefined, JSON.stringify(unit))
      }
    })
})

const TASK = { name: 'x', description: 'x' }
const CHECK = { type: 'x', steps: [], success_criteria: 'x' }
