import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { renderAnswer } from '../../../core/task/answer.ts'
import {
  type Answers,
  type Question,
  answerOf,
  chosenOptions,
  isComplete,
  parseAnswers,
  printAnswers,
  questionsOf,
  toAnswer,
  withOption,
  withOwnWords,
} from '../../../web/model/answers.ts'
import { aTaskRecord } from '../records.ts'

const ONE = questionsOf(aTaskRecord({ question: 'Which?', question_options: ['A', 'B'] }))
const TWO = questionsOf(
  aTaskRecord({
    question_items: [
      { text: 'First?', options: ['A', 'B'], multiple: true },
      { text: 'Second?', header: 'Later' },
    ],
  }),
)
const [which] = ONE
const [first, second] = TWO
assert.ok(which !== undefined && first !== undefined && second !== undefined)

/** As JSON makes objects. */
const PLAIN = { noNullPrototype: true }

describe('an answer', () => {
  it('is one text for one question, and own words before an option', () => {
    const chosen = withOption({}, which, 'A')
    assert.deepEqual(
      [toAnswer(ONE, chosen), toAnswer(ONE, withOwnWords(chosen, which, ' mine ')), toAnswer([], {})],
      ['A', 'mine', ''],
    )
  })

  it('has a text for each of several questions, and every option that was chosen, in the order of the question', () => {
    const answers = withOwnWords(withOption(withOption({}, first, 'B'), first, 'A'), second, 'rest')
    assert.deepEqual(toAnswer(TWO, answers), { 'First?': 'A, B', 'Second?': 'rest' })
    assert.deepEqual(answerOf(withOption(answers, first, 'B'), first).chosen, ['A'])
  })

  it('keeps one option where only one may be chosen', () => {
    assert.deepEqual(answerOf(withOption(withOption({}, which, 'A'), which, 'B'), which).chosen, ['B'])
  })

  it('names the options that were chosen, once it is given, and none for own words', () => {
    const said = (questions: typeof ONE, answers: Answers): string => renderAnswer(toAnswer(questions, answers)) ?? ''
    const both = withOption(withOption({}, first, 'B'), first, 'A')
    const push: Question = { text: 'Fix it?', options: ['Yes', 'Yes, and push'], isMultiple: false }
    const paragraphs = withOwnWords(both, second, 'A\n\nFirst?: B')
    assert.deepEqual(
      [
        chosenOptions(ONE, which, said(ONE, withOption({}, which, 'B'))),
        chosenOptions(ONE, which, said(ONE, withOwnWords({}, which, 'A or B'))),
        chosenOptions(ONE, which, 'Which?: A'),
        chosenOptions(TWO, first, said(TWO, both)),
        chosenOptions(TWO, first, said(TWO, paragraphs)),
        chosenOptions(TWO, second, said(TWO, paragraphs)),
        chosenOptions(TWO, first, 'A'),
        chosenOptions([push], push, 'Yes, and push'),
      ],
      [['B'], [], ['A'], ['A', 'B'], ['A', 'B'], [], [], ['Yes, and push']],
    )
  })

  it('is complete when every question has one', () => {
    const half = withOption({}, first, 'A')
    assert.deepEqual(
      [
        isComplete([], {}),
        isComplete(TWO, half),
        isComplete(TWO, withOwnWords(half, second, ' ')),
        isComplete(TWO, withOwnWords(half, second, 'x')),
      ],
      [false, false, false, true],
    )
  })

  it('comes back from its draft as it was, whatever the texts are', () => {
    const answer = fc.record({ chosen: fc.array(fc.string()), own: fc.string() }, PLAIN)
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), answer)), (entries) => {
        const answers: Answers = Object.fromEntries(entries)
        const isEmpty = Object.values(answers).every(({ chosen, own }) => chosen.length === 0 && own === '')
        assert.deepEqual(parseAnswers(printAnswers(answers)), isEmpty ? {} : answers)
      }),
    )
  })

  it('is none where the draft is anything else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (draft) => {
        for (const { chosen, own } of Object.values(parseAnswers(draft)))
          assert.ok(typeof own === 'string' && chosen.every((option) => typeof option === 'string'))
      }),
    )
  })
})
