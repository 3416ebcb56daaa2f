import assert from 'node:assert/strict'
import type { Command } from '../../cli/command.ts'
import { commandHelp, parseArguments } from '../../cli/server-command.ts'
import { CONFIG_SETTINGS } from '../../lib/config-schema.ts'

const command: Command = {
  name: 'sail',
  summary: 'Go somewhere',
  examples: ['slipway sail --fast', 'slipway sail'],
  flags: [{ name: 'fast', description: 'Hurry' }],
  run: () => Promise.resolve(0),
}

describe('a command line', () => {
  it('turns settings into configuration and its own flags into switches', () => {
    const parsed = parseArguments(
      command,
      ['--fast', '--namespace', 'team', '--allowed-hosts', 'a', '--allowed-hosts', 'b'],
      {},
    )
    assert.ok(parsed !== 'help')
    assert.ok(parsed.switches.has('fast'))
    assert.deepEqual([parsed.config.namespace, parsed.config.allowedHosts], ['team', ['a', 'b']])
  })

  it('refuses a flag that it does not know and says where to look', () => {
    assert.throws(() => parseArguments(command, ['--slow'], {}), {
      name: 'UsageError',
      message: /--slow[^]*slipway sail --help/,
    })
  })

  it('says which flag was likely meant, and how to give a text that only looks like one', () => {
    const refusal = (...args: string[]) => {
      try {
        return parseArguments(command, args, {})
      } catch (error) {
        return error instanceof Error ? error.message : error
      }
    }
    assert.equal(refusal('--fats'), 'sail: unknown flag --fats; did you mean --fast?\nSee: slipway sail --help')
    assert.match(String(refusal('--whither=home')), /unknown flag --whither; a text that begins with - goes behind --/)
    assert.match(String(refusal('--local-node')), /^sail: --local-node is gone: .* serve without a cluster\n/)
  })

  it('names every flag and every setting in its help', () => {
    const help = commandHelp(command)
    for (const name of ['fast', 'config', 'help', ...CONFIG_SETTINGS.map(({ flag }) => flag)]) {
      assert.ok(help.includes(`--${name}`), `--${name} is missing`)
    }
  })

  it('shows its examples in its help', () => {
    assert.match(commandHelp(command), /\n\nExamples:\n {2}slipway sail --fast\n {2}slipway sail\n\nFlags:\n/)
  })

  it('names in its help the settings that count alone, and takes the others', () => {
    const settings = ['logLevel', 'volumeClaim'] as const
    const help = commandHelp({ ...command, settings })
    const named = CONFIG_SETTINGS.filter(({ flag }) => new RegExp(`^ +--${flag} `, 'm').test(help))
    assert.deepEqual(named.map(({ key }) => key).sort(), ['logLevel', 'volumeClaim'])
    assert.ok(parseArguments({ ...command, settings }, ['--listen', '127.0.0.1:1'], {}) !== 'help')
    assert.ok(!commandHelp({ ...command, settings: [] }).includes('Settings'))
  })

  it('asks for help before it judges the configuration', () => {
    assert.equal(parseArguments(command, ['--help', '--runtime', 'nonsense'], {}), 'help')
  })
})
