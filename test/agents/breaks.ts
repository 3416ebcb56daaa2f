/** What every program must do when words do not arrive: the provider's, its own, or those of the remote. */
import assert from 'node:assert/strict'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Words } from './programs.ts'
import type { AgentRig } from './rig.ts'

const MOST_ATTEMPTS = 12

export function itSurvivesBreaks(words: Words, get: () => AgentRig): void {
  const { program, writes } = words
  // claude's stdin stays open for replies, for which it waits: here it gets its prompt, one line, and no more.
  const prompt = program === 'claude' ? 'head -n 1' : 'cat'
  const says = { kind: 'say', text: 'Done' } as const

  /** Runs a task whose program is wrapped by one that hands it the prompt and passes on what it prints, in its own way. */
  async function runsThrough(id: string, filter: string): Promise<void> {
    const rig = get()
    const started = words.serves ?? `${program} "$@"`
    await rig.addAgent(id, { command: ['bash', '-c', `${prompt} | ${started} | ${filter}`, program] })
    rig.model.play([writes, says])
    await rig.submit(id, { agent: { ...words.agent, type: id } })
  }

  async function runs(id: string): Promise<void> {
    await get().submit(id, { agent: { ...words.agent, type: program } })
  }

  /** Three failures in a row would drain the agent. */
  async function undrain(): Promise<void> {
    const reply = await get().server.call('POST', `/api/pool/agents/${program}/undrain`)
    assert.equal(reply.status, 200, reply.text)
  }

  async function failsSoon(id: string): Promise<void> {
    const rig = get()
    const task = await rig.reaches(id, 'FAILED')
    assert.match(String(task['error']), /: .*(resume|tried again by itself|run the task again)/s)
    assert.ok(rig.model.asked.length <= MOST_ATTEMPTS, `asked ${rig.model.asked.length} times`)
    // Else it is tried again in the middle of another test.
    if (task['resume_after'] !== undefined) await rig.act(id, 'cancel')
    await undrain()
  }

  // opencode asks such a provider again and again in silence, until its time is over.
  if (program !== 'opencode')
    it('when something else answers in the provider’s place: it fails after a few attempts', async () => {
      get().model.play([], { kind: 'garbage', text: '<html>Sign in to the network of this hotel</html>' })
      await runs('portal')
      await failsSoon('portal')
    })

  // A program that serves waits for what the lines that are lost would have led to.
  if (words.serves === undefined) itMissesLines()

  function itMissesLines(): void {
    it('when its output ends half way: no success, though it exits with 0', async () => {
      await runsThrough('half', 'head -c 300')
      const task = await get().reaches('half', 'FAILED')
      assert.equal(task['error_category'], 'failed')
      assert.match(String(task['error']), / exited with 0 before it gave a result.*: look at its output, then resume/s)
    })

    it('when bytes of its last line are flipped: no success', async () => {
      await runsThrough('flipped', `sed -u 's/"type":"\\(result\\|turn.completed\\)"/"type";"\\1"/'`)
      assert.match(
        String((await get().reaches('flipped', 'FAILED'))['error']),
        / exited with 0 before it gave a result/,
      )
    })
  }

  it('when noise comes between its lines: it is understood all the same', async () => {
    await runsThrough('noisy', `sed -u 's/^/warning: \\xff\\xfe of a wrapper {\\n/'`)
    assert.equal((await get().reaches('noisy', 'READY'))['summary'], 'Done')
    assert.ok(
      get()
        .conversation('noisy-1')
        .some(({ kind }) => kind === 'output'),
    )
  })

  it('when an answer of the provider breaks off once: it does its work, at the latest when it is resumed', async () => {
    const rig = get()
    rig.model.play([{ kind: 'cut', text: 'Half of an answer' }, writes, says])
    await runs('cut-once')
    if (words.givesUpAtCuts === true) {
      const failed = await rig.reaches('cut-once', 'FAILED')
      assert.match(String(failed['error']), /: check that the provider can be reached from here; it is tried again/)
      // After such an error the agent pauses for a minute: who ends that has the task resumed.
      await undrain()
    }
    assert.equal((await rig.reaches('cut-once', 'READY'))['error'], undefined)
    assert.equal(rig.remote.git('show', 'slipway/cut-once:hello.txt'), 'hello')
  })

  it('when every answer of the provider breaks off: it fails after a few attempts', async () => {
    get().model.play([], { kind: 'cut', text: 'Half of an answer' })
    await runs('cut')
    await failsSoon('cut')
  })

  it('when the remote refuses the push: it fails as git, and a resume pushes without asking the model again', async () => {
    const rig = get()
    const hook = join(rig.remote.path, 'hooks', 'pre-receive')
    writeFileSync(hook, '#!/bin/sh\necho "no pushes on a Saturday" >&2\nexit 1\n')
    chmodSync(hook, 0o755)
    rig.model.play([writes, says])
    await runs('refused')
    const task = await rig.reaches('refused', 'FAILED')
    assert.equal(task['error_category'], 'git')
    assert.match(
      String(task['error']),
      /refused the push: do what it says; then resume the task.*no pushes on a Saturday/s,
    )
    rmSync(hook)
    rig.model.play([])
    await rig.act('refused', 'resume')
    assert.equal((await rig.reaches('refused', 'READY'))['summary'], 'Done')
    assert.deepEqual(rig.model.asked, [])
    assert.equal(rig.remote.git('show', 'slipway/refused:hello.txt'), 'hello')
  })
}
