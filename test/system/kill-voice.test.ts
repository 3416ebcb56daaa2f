/** The whole program is killed while a person asks for changes, speaks, takes over or asks for one more thing. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { type Program, startProgram } from '../contract/program.ts'
import { gitIn } from '../helpers/repository.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { type Server, processesOf } from './installation.ts'

type Fields = Readonly<Record<string, unknown>>

describe('kill -9 of the whole program while a person has something to say', function () {
  let program: Program
  let server: Server

  before(async () => {
    program = await startProgram()
    server = program.server
    const { path } = program.remote
    const project = { id: 'shop', name: 'Shop', remote_url: path }
    const made = await server.call('POST', '/api/projects', project)
    assert.equal(made.status, 201, made.text)
  })
  after(() => program.dispose())

  async function killAndRestart(): Promise<void> {
    await server.program.kill()
    server = await program.installation.start('--runtime', 'process')
  }
  async function ask(id: string, action: string, body: object = {}): Promise<void> {
    const reply = await server.call('POST', `/api/tasks/${id}/${action}`, body)
    assert.ok(reply.status < 300, `${action} ${id}: ${reply.text}`)
  }
  const dropPath = (name: string): string => join(program.installation.dataDir, 'volume', 'drops', name)
  const letGo = (name: string): void => writeFileSync(dropPath(name), '')
  /** What the agent was told that has such a text in it, start by start. */
  function told(text: string): string[] {
    const file = dropPath('started.jsonl')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
    return lines.map((line) => String(asRecord(JSON.parse(line))['prompt'])).filter((prompt) => prompt.includes(text))
  }
  const isTold = (text: string): Promise<void> => until(`the agent is told ${text}`, () => told(text).length > 0)
  const executions = async (id: string): Promise<Fields[]> => (await server.executions(id)).toReversed()
  /** Of a task that works for the `count`-th time, once that is done. */
  async function ended(id: string, count: number): Promise<Fields[]> {
    let found: Fields[] = []
    await until(
      () => `${count} executions of ${id} are COMPLETED: ${JSON.stringify(found)}`,
      async () => {
        found = await executions(id)
        return found.length === count && found.every(({ state }) => state === 'COMPLETED')
      },
    )
    await server.reaches(id, 'READY')
    return found
  }
  async function submit(id: string, description: string, fields: object = {}): Promise<void> {
    const task = { id, name: id, description, project: 'shop', agent: { type: 'claude' }, ...fields }
    const reply = await server.call('POST', '/api/tasks', task)
    assert.equal(reply.status, 201, reply.text)
    await server.run(id)
  }

  for (const [moment, drop, point] of [
    ['at once after it was answered', 'revise-0', () => Promise.resolve()],
    ['while the agent makes them', 'revise-1', isTold],
  ] as const)
    it(`asked for changes, ${moment}: they are made once, in the session`, async () => {
      await submit(drop, 'Write it.')
      await server.reaches(drop, 'READY')
      const comment = `WAITS-FOR ${drop}-goes`
      await ask(drop, 'revise', { comment })
      await point(comment)
      await killAndRestart()
      letGo(`${drop}-goes`)
      const [first, second] = await ended(drop, 2)
      assert.equal(second?.['session_id'], first?.['session_id'])
      assert.equal(told(comment).length, 1)
      assert.match(program.remote.git('show', `slipway/${drop}:work.txt`), new RegExp(comment))
    })

  for (const [moment, id, hasBegun] of [
    ['at once after it was sent', 'message-0', false],
    ['while the agent works on it', 'message-1', true],
  ] as const)
    it(`sent a message, ${moment}: the agent gets it once`, async () => {
      await submit(id, `WAITS-FOR ${id}-goes`)
      await isTold(`WAITS-FOR ${id}-goes`)
      const text = `WAITS-FOR ${id}-heard`
      await ask(id, 'messages', { text, mode: 'queue' })
      if (!hasBegun) await killAndRestart()
      // A turn that ends before the operator has passed it on leaves it for the next prompt.
      const inbox = program.installation.executionFile(`${id}-1`, 'inbox')
      const isPassedOn = (): boolean => existsSync(inbox) && readdirSync(inbox).some((name) => name.endsWith('.json'))
      await until('it is passed on', isPassedOn)
      letGo(`${id}-goes`)
      if (hasBegun) {
        await isTold(text)
        await killAndRestart()
      }
      letGo(`${id}-heard`)
      await ended(id, 1)
      assert.equal(told(text).length, 1)
      let messages: unknown
      await until(
        () => `one message is delivered: ${JSON.stringify(messages)}`,
        async () => {
          messages = (await executions(id))[0]?.['messages']
          const [message, ...more] = Array.isArray(messages) ? messages.map(asRecord) : []
          return message?.['text'] === text && message['delivered_at'] !== undefined && more.length === 0
        },
      )
    })

  for (const [moment, id, point] of [
    ['at once after the work was accepted', 'accepted', 'accept'],
    ['at once after it was run', 'asked', 'run'],
    ['while its agent works', 'begun', 'work'],
  ] as const)
    it(`asked for one more thing, ${moment}: it begins once, with a copy of the session`, async () => {
      await submit(id, 'Write it.')
      await server.reaches(id, 'READY')
      const [first] = await executions(id)
      await ask(id, 'accept')
      if (point === 'accept') await killAndRestart()
      const sandbox = join(program.installation.dataDir, 'volume', 'sandboxes', id)
      await until('its workspace is gone', () => !existsSync(sandbox))
      const [next, wanted] = [`${id}-more`, `WAITS-FOR ${id}-goes`]
      await submit(next, wanted, { continues: id })
      if (point === 'work') await isTold(wanted)
      if (point !== 'accept') await killAndRestart()
      letGo(`${id}-goes`)
      const [second] = await ended(next, 1)
      assert.equal(second?.['session_id'], first?.['session_id'])
      assert.equal(told(wanted).length, 1)
      assert.match(program.remote.git('show', `slipway/${next}:work.txt`), new RegExp(wanted))
    })

  it('taking work over and handing it back: hold, work that was not committed and commits are all there', async () => {
    const { folder } = program.installation
    const [home, work] = [join(folder, 'home'), join(folder, 'work')]
    for (const each of [home, work]) mkdirSync(each)
    const slipway = (cwd: string, ...args: string[]) =>
      runSlipway(args, { SLIPWAY_SERVER: server.program.url, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }, cwd)
    await server.create('taken', 'echo left > left.txt; exit 1', { project: 'shop' })
    await server.run('taken')
    await server.reaches('taken', 'FAILED')

    const first = slipway(work, 'checkout', 'taken')
    await until('it is held', async () => (await server.task('taken'))['checked_out'] !== undefined)
    const { checked_out: held } = await server.task('taken')
    await killAndRestart()
    await first
    assert.deepEqual((await server.task('taken'))['checked_out'], held)
    const copy = join(work, 'taken')
    const again = await slipway(work, 'checkout', 'taken')
    assert.equal(again.code, 0, again.output)
    assert.equal(readFileSync(join(copy, 'left.txt'), 'utf8'), 'left\n')

    gitIn(copy, 'add', '.')
    gitIn(copy, 'commit', '--quiet', '--message', 'by hand')
    const head = gitIn(copy, 'rev-parse', 'HEAD')
    const back = await slipway(copy, 'handback', 'taken')
    assert.equal(back.code, 0, back.output)
    await killAndRestart()
    const task = await server.reaches('taken', 'READY')
    assert.equal(task['checked_out'], undefined)
    assert.equal(program.remote.git('rev-parse', 'slipway/taken'), head)
    assert.deepEqual(
      (await executions('taken')).map(({ state }) => state),
      ['FAILED', 'COMPLETED'],
    )
  })

  it('leaves no process of an agent behind', async () => {
    const { text } = await server.call('GET', '/api/executions')
    const list: unknown = JSON.parse(text)
    const ids = (Array.isArray(list) ? list.map(asRecord) : []).map(({ id }) => String(id))
    assert.ok(ids.length >= 12, String(ids.length))
    await until('nothing runs', () => ids.every((id) => processesOf(id, program.installation.folder).length === 0))
  })
})
