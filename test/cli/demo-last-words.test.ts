import assert from 'node:assert/strict'
import { nextSteps } from '../../cli/demo/run.ts'

describe("the demo's last words", () => {
  const given = { url: 'http://127.0.0.1:8080', hasToken: false, program: 'npx slipway' }
  const standing = { question: 'BLOCKED', review: 'READY', story: 'VALIDATING' } as const
  const typed = (words: string): string[] => words.split('\n').filter((line) => line.startsWith('  '))

  it('name the pages of what waits first, then the commands that answer, accept and go on', () => {
    const [question, review, story, ...commands] = typed(nextSteps(given, standing))
    assert.match(question ?? '', /^ {2}http:\/\/127\.0\.0\.1:8080\/tasks\/demo-question /)
    assert.match(review ?? '', /^ {2}http:\/\/127\.0\.0\.1:8080\/tasks\/demo-review /)
    assert.match(story ?? '', /^ {2}http:\/\/127\.0\.0\.1:8080\/stories\/demo-price-list /)
    assert.deepEqual(commands.slice(0, 3), [
      "  npx slipway answer demo-question 'This voucher has expired.' -f",
      '  npx slipway accept demo-review',
      '  npx slipway add-project mine <path or URL>',
    ])
  })

  it('leave out what is decided', () => {
    const words = nextSteps(given, { question: 'READY', review: 'COMPLETED', story: 'DONE' })
    assert.match(words, /^\nYou have decided everything here; it stands at http:\/\/127\.0\.0\.1:8080\/\n/)
    assert.doesNotMatch(words, /demo-/)
  })

  it('name the server where commands would look for another, and never the token', () => {
    const words = nextSteps({ ...given, url: 'http://127.0.0.1:9090', hasToken: true, program: 'slipway' }, standing)
    assert.equal(typed(words)[4], '  slipway --server http://127.0.0.1:9090 accept demo-review')
    assert.match(words, /with the token in SLIPWAY_TOKEN/)
  })
})
