import assert from 'node:assert/strict'
import { MAX_FILE_BYTES } from '../../../core/execution/layout.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

/** Prints a text of that many characters. */
const letters = (count: number, letter: string): string => `head -c ${count} /dev/zero | tr '\\0' ${letter}`

describe('what an agent hands over', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))
  const execute = async (script: string) => {
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), script)
    await execution.all()
    return execution
  }

  it('is a question also when its file is longer than any: its beginning is what people read', async () => {
    const execution = await execute(
      `{ printf '{"text":"'; ${letters(MAX_FILE_BYTES.question, 'q')}; printf '"}'; } > "$SERVICE_QUESTION_FILE"`,
    )
    const { outcome, questions } = execution.result()
    assert.equal(outcome, 'blocked')
    assert.match(questions?.[0]?.text ?? '', /^\{"text":"q{1000}/)
  })

  it('is believed although its questions, all as long as they may be, fit into no record', async () => {
    const [one, two, three] = ['q', 'r', 's'].map(
      (letter) => `{ printf '{"text":"'; ${letters(65_000, letter)}; printf '"}'; }`,
    )
    const execution = await execute(
      `{ printf '['; ${one}; printf ','; ${two}; printf ','; ${three}; printf ']'; } > "$SERVICE_QUESTION_FILE"`,
    )
    const { outcome, questions } = execution.result()
    assert.deepEqual([outcome, questions?.map(({ text }) => text.length)], ['blocked', [65_000, 65_000, 1024]])
  })

  it('is the beginning of a summary without end', async () => {
    const execution = await execute(`{ printf 'Done. '; ${letters(3_000_000, 's')}; } > "$SERVICE_SUMMARY_FILE"`)
    const { outcome, summary = '' } = execution.result()
    assert.deepEqual([outcome, summary.length, summary.slice(0, 8)], ['succeeded', 16_384, 'Done. ss'])
  })
})
