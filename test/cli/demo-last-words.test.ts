import assert from 'node:assert/strict'
import { nextSteps } from '../../cli/demo/run.ts'

describe("the demo's last words", () => {
  const given = { task: 'demo-3', url: 'http://127.0.0.1:8080', hasToken: false, program: 'npx slipway' }
  const typed = (words: string): string[] => words.split('\n').filter((line) => line.startsWith('  '))

  it('name the page of the task first, then the commands that look at it, accept it and go on', () => {
    assert.deepEqual(typed(nextSteps(given)).slice(0, 4), [
      '  http://127.0.0.1:8080/tasks/demo-3',
      '  npx slipway diff demo-3',
      '  npx slipway accept demo-3',
      '  npx slipway add-project mine <path or URL>',
    ])
  })

  it('name the server where commands would look for another, and never the token', () => {
    const words = nextSteps({ ...given, url: 'http://127.0.0.1:9090', hasToken: true, program: 'slipway' })
    assert.equal(typed(words)[2], '  slipway --server http://127.0.0.1:9090 accept demo-3')
    assert.match(words, /with the token in SLIPWAY_TOKEN/)
  })
})
