/** Section 1.9, execution behaviour that no other row proves: the whole built program, with scripts as agents. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../helpers/until.ts'
import { row } from './contract.ts'
import { type Program, PATIENCE_MS, startProgram, waitsFor } from './program.ts'

describe('the contract, section 1.9: execution behaviour', function () {
  let program: Program

  before(async () => (program = await startProgram()))
  after(() => program.dispose())

  const drop = (name: string) => writeFileSync(join(program.installation.dataDir, 'volume', 'drops', name), '')
  const submit = (agent: string, id: string, script: string, fields = {}) =>
    program.submit(id, script, { agent: { type: agent, instructions: script }, ...fields })

  row(
    '1.9.dependencies',
    'a task that waits for another one leaves its agent to others, until that is READY',
    async () => {
      await program.addAgent('early')
      await program.addAgent('late')
      await submit('early', 'first', waitsFor('go-first'))
      await submit('late', 'second', 'true', { depends_on: ['first'] })
      await submit('late', 'meanwhile', 'true')
      await program.reaches('meanwhile', 'READY')
      const waiting = await program.server.task('second')
      assert.equal(waiting['state'], 'QUEUED')
      assert.match(String(waiting['waiting_for']), /first/)
      drop('go-first')
      await program.reaches('second', 'READY')
      assert.equal((await program.server.call('POST', '/api/tasks/first/accept')).status, 200)
      await submit('late', 'third', 'true', { depends_on: ['first'] })
      await program.reaches('third', 'READY')
    },
  )

  row('1.9.story-branch', 'a task of a story clones the branch that the one before it pushed; main stays', async () => {
    const { server, remote } = program
    const before = remote.git('rev-parse', 'main')
    await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: remote.path })
    await server.call('POST', '/api/stories', {
      id: 'cart',
      name: 'Cart',
      project_id: 'shop',
      branch_name: 'feature/cart',
    })
    for (const [id, script] of [
      ['one', 'echo 1 > one.txt'],
      ['two', 'cat one.txt one.txt > two.txt'],
    ] as const) {
      const agent = { type: 'script', instructions: script }
      assert.equal((await server.call('POST', '/api/stories/cart/tasks', { id, name: id, agent })).status, 201)
      await server.run(id)
      const task = await program.reaches(id, 'READY')
      assert.equal(task['branch'], 'feature/cart')
    }
    assert.equal(remote.git('show', 'feature/cart:two.txt'), '1\n1')
    assert.equal(remote.git('rev-parse', 'main'), before)
  })

  row('1.9.workspace', 'the clone of a BLOCKED task is there until its work is accepted, and gone then', async () => {
    const asks = `if [ -n "$SERVICE_ANSWER" ]; then cat draft.txt > done.txt; exit 0; fi
echo kept > draft.txt; echo '{"text": "Go on?"}' > "$SERVICE_QUESTION_FILE"`
    await program.submit('asking', asks)
    await program.reaches('asking', 'BLOCKED')
    const clone = join(String((await program.server.executions('asking'))[0]?.['sandbox_dir']), 'repo')
    assert.ok(existsSync(join(clone, 'draft.txt')))
    assert.equal((await program.server.call('POST', '/api/tasks/asking/answer', { answer: 'yes' })).status, 202)
    await program.reaches('asking', 'READY')
    assert.equal(program.remote.git('show', 'slipway/asking:done.txt'), 'kept')
    assert.ok(existsSync(join(clone, 'done.txt')))
    assert.equal((await program.server.call('POST', '/api/tasks/asking/accept')).status, 200)
    await until('the clone is gone', () => !existsSync(clone), PATIENCE_MS)
  })

  row('1.9.environment', 'a script finds both variables; its stdout gives the summary, git the figures', async () => {
    const line = ' 9 files changed, 9 insertions(+)'
    await program.submit('told', `echo x > x.txt; echo "## Summary"; echo "Wrote x."; echo "${line}"`)
    const told = await program.reaches('told', 'READY')
    assert.deepEqual([told['summary'], told['changes']], ['Wrote x.', { files: 1, insertions: 1, deletions: 0 }])
    await program.submit(
      'written',
      'echo "From the file." > "$SERVICE_SUMMARY_FILE"; echo d > "$SERVICE_DROP_DIR/d.txt"',
    )
    assert.equal((await program.reaches('written', 'READY'))['summary'], 'From the file.')
    assert.equal((await program.server.call('GET', '/api/drops/d.txt')).text, 'd\n')
  })
})
