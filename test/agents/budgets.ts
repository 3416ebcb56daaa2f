/** A budget for a program that tells no cost. */
import assert from 'node:assert/strict'
import type { Words } from './programs.ts'
import type { AgentRig } from './rig.ts'

export function itKeepsBudgets(words: Words, get: () => AgentRig): void {
  it('with prices is ended once its tokens have cost more than the budget', async () => {
    const rig = get()
    await rig.addAgent('priced', { prices: { input_per_million: 1000, output_per_million: 1000 } })
    // 120 tokens for an answer: 0.12 USD.
    rig.model.play([words.writes], { kind: 'hang' })
    await rig.submit('dear', { agent: { ...words.agent, type: 'priced' }, budget_usd: 0.1 })
    const task = await rig.reaches('dear', 'BUDGET_EXCEEDED')
    assert.deepEqual([task['error_category'], task['resume_after'], task['cost_usd']], ['budget', undefined, 0.12])
    assert.match(String(task['error']), /raise budget_usd and resume the task, or cancel it/)
  })

  it('without prices keeps none, which the answer to create and the conversation say', async () => {
    const rig = get()
    const url = new URL('/api/tasks', rig.server.program.url)
    const agent = { type: words.program, ...words.agent }
    const body = { id: 'unpriced', name: 'Unpriced', description: 'x', repository_url: rig.remote.path, agent }
    const headers = { 'Content-Type': 'application/json' }
    const made = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ ...body, budget_usd: 0.1 }) })
    assert.match(made.headers.get('warning') ?? '', /^299 - "budget_usd cannot be kept/)
    rig.model.play([words.writes, { kind: 'say', text: 'Done' }])
    await rig.server.run('unpriced')
    assert.equal((await rig.reaches('unpriced', 'READY'))['cost_usd'], undefined)
    assert.match(String(rig.conversation('unpriced-1')[0]?.['text']), /^\[slipway: budget_usd cannot be kept/)
  })
}
