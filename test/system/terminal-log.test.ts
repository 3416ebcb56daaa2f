import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { asRecord, parseJson } from '../../core/json.ts'
import { PROGRAM } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'

describe('the log of slipway serve', () => {
  const WARNING = /configuration file/
  let folder: string
  let args: readonly string[]

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-terminal-'))
    args = ['serve', '--listen', '127.0.0.1:0', '--data-dir', join(folder, 'data'), '--runtime', 'process']
    args = [...args, '--config', join(folder, 'config.yaml')]
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** What the program prints until it serves, and its warnings. @param isTerminal runs it below a terminal of its own */
  const printed = async (isTerminal: boolean, more: readonly string[] = []): Promise<string[]> => {
    // The start warns of a file with a secret that everybody can read, and writes a new one that only we can.
    rmSync(join(folder, 'config.yaml'), { force: true })
    writeFileSync(join(folder, 'config.yaml'), 'token: marker-long-enough\n', { mode: 0o644 })
    const command = [process.execPath, PROGRAM, ...args, ...more]
    const ofTerminal = ['-qfec', command.map((word) => `'${word}'`).join(' '), '/dev/null']
    // Not this process's own: Node takes colours from CI, NO_COLOR, TMUX and more.
    const env = { PATH: process.env['PATH'], HOME: folder, TERM: 'xterm-256color' }
    const child = isTerminal ? spawn('script', ofTerminal, { env }) : spawn(process.execPath, command.slice(1), { env })
    const ended = once(child, 'close')
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += String(chunk)))
    try {
      await until('it serves', () => /^ready /m.test(text))
    } finally {
      if (isTerminal) child.stdin.end('\u0003')
      else child.kill('SIGINT')
      await ended
    }
    return text.split(/\r?\n/)
  }

  it('is a coloured line for people on a terminal', async () => {
    const lines = (await printed(true)).filter((line) => WARNING.test(line))
    assert.equal(lines.length, 1)
    // eslint-disable-next-line no-control-regex
    assert.match(String(lines[0]), /^\[\d\d:\d\d:\d\d\] \u001b\[33mWARN\u001b\[39m: \u001b\[36mconfiguration file /)
  })

  it('is JSON on a terminal that asks for it, and everywhere else', async () => {
    for (const [isTerminal, more] of [[true, ['--log-format', 'json']] as const, [false, []] as const]) {
      const lines = (await printed(isTerminal, more))
        .filter((line) => WARNING.test(line))
        .map((line) => asRecord(parseJson(line)))
      assert.deepEqual(
        lines.map(({ level }) => level),
        [40],
      )
    }
  })

  it('is a plain line for people in a file, if that is asked for', async () => {
    const lines = (await printed(false, ['--log-format', 'pretty'])).filter((line) => WARNING.test(line))
    assert.match(lines.join('\n'), /^\[\d\d:\d\d:\d\d\] WARN: configuration file .*$/)
  })
})
