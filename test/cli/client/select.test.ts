import assert from 'node:assert/strict'
import { parseJsonPath } from '../../../cli/client/jsonpath.ts'
import { agentsCommand } from '../../../cli/commands/agents.ts'
import { apiCommand } from '../../../cli/commands/api.ts'
import { showCommand } from '../../../cli/commands/show.ts'
import { tasksCommand } from '../../../cli/commands/tasks.ts'
import type { ClientCommand } from '../../../cli/client-command.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aTask } from '../../helpers/build.ts'
import { runCommand } from './run-command.ts'

describe('what a script chooses of an answer', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await api.given(
      aTask({ name: 'first', spec: { title: 'First', description: 'Say \u001b[31mred' }, status: { state: 'READY' } }),
    )
    await api.given(aTask({ name: 'second', status: { state: 'FAILED' } }))
  })
  after(() => api.stop())

  const out = async (command: ClientCommand, ...words: string[]): Promise<string> =>
    (await runCommand(command, words, api.url)).out

  it('is fields by name: of a list a list, of a record one, and null where there is none', async () => {
    assert.deepEqual(JSON.parse(await out(showCommand, 'first', '--json', 'id, state,error')), {
      id: 'first',
      state: 'READY',
      error: null,
    })
    const tasks: unknown[] = JSON.parse(await out(tasksCommand, '--json', 'state', '--state', 'READY'))
    assert.deepEqual(tasks, [{ state: 'READY' }])
    assert.deepEqual(JSON.parse(await out(agentsCommand, '--json', 'agent,queued')), [{ agent: 'script', queued: 0 }])
  })

  it('names the fields that there are, also where a command prints whatever comes', async () => {
    const usage = (message: RegExp) => ({ name: 'UsageError', message })
    await assert.rejects(
      out(tasksCommand, '--json', 'id,stat'),
      usage(/no field "stat"; there are id, name, .*, error,/),
    )
    await assert.rejects(
      out(apiCommand, '/api/version', '--json', 'id'),
      usage(/no field "id"; there are version, commit, built_at$/),
    )
  })

  it('is what a jq program makes of it, without quotes and without control characters', async () => {
    assert.equal(await out(tasksCommand, '--jq', '.[] | select(.state == "READY") | .id'), 'first\n')
    assert.equal(await out(tasksCommand, '--json', 'id', '-q', 'map(keys) | add | unique'), '["id"]\n')
    assert.equal(await out(showCommand, 'first', '--jq', '.description, (.nope // "none")'), 'Say [31mred\nnone\n')
    assert.equal(await out(showCommand, 'first', '--jq', 'empty'), '')
  })

  it('is refused before anything is sent where the program is none, and later where it fails', async () => {
    const nowhere = runCommand(tasksCommand, ['--jq', '.['], 'http://127.0.0.1:1')
    await assert.rejects(nowhere, { name: 'UsageError', message: /^--jq: error: syntax error/ })
    await assert.rejects(out(showCommand, 'first', '--jq', '.id + 1'), {
      name: 'UsageError',
      message: /cannot be added/,
    })
    await assert.rejects(out(tasksCommand, '-o', 'yaml', '--jq', '.'), { message: /leave -o out/ })
  })

  it('is what a template of kubectl prints', async () => {
    const template = (text: string) => out(tasksCommand, '--state', 'ready', '-o', `jsonpath=${text}`)
    assert.equal(await template('{range [*]}{.id}{"\\t"}{.state}{"\\n"}{end}'), 'first\tREADY\n')
    assert.equal(await template('{.items[*].id}'), 'first')
    assert.equal(await out(showCommand, 'second', '-o', 'jsonpath={.state} {.nope}!'), 'FAILED !')
  })
})

describe('a template of paths', () => {
  const tasks = [
    { id: 'a', agent: { type: 'x' }, tags: ['p', 'q'] },
    { id: 'b', agent: { type: 'y' }, tags: [] },
  ]
  const format = (template: string, answer: object = tasks): string => parseJsonPath(template)(answer)

  it('prints what its paths lead to, texts as they are and the rest as JSON', () => {
    assert.equal(format('{[*].id}'), 'a b')
    assert.equal(format("{$[?(@.agent.type=='y')].id}"), 'b')
    assert.equal(format('{[0].agent} {..type}'), '{"type":"x"} x y')
    assert.equal(format('.id', { id: 'bare' }), 'bare')
    assert.equal(format('{@.items}', { items: 1 }), '1')
    for (const all of ['{.}', '{$}', '{@}', '{$.}', '.']) assert.equal(format(all, [1]), '[1]')
  })

  it('repeats what stands in a range, ranges in it included', () => {
    assert.equal(format(`{range .items[*]}{.id}:{range .tags[*]}{@}{','}{end}{"}\\n"}{end}.`), 'a:p,q,}\nb:}\n.')
    assert.equal(format('{ range [0:1] }{ .id }{ end }'), 'a')
  })

  it('is refused where it has no end, and where something in it is no path', () => {
    for (const [template, message] of [
      ['{range [*]}{.id}', /\{range \[\*\]\} has no \{end\}/],
      ['{.id}{end}', /\{end\} without a \{range\}/],
      ['{.id', /"\{\.id" has a \{ without/],
      ['{id}', /"id" is no path such as \.id/],
    ] as const)
      assert.throws(() => format(template), { name: 'UsageError', message })
  })
})
