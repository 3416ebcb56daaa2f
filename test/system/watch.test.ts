import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { gitIn } from '../helpers/repository.ts'
import { PROGRAM } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { type Server, makeInstallation } from './installation.ts'

describe('slipway on a terminal', function () {
  const installation = makeInstallation()
  let server: Server
  before(async () => {
    server = await installation.start()
    const repository = join(installation.folder, 'repository')
    mkdirSync(repository)
    gitIn(repository, 'init', '--quiet', '--initial-branch=main')
    gitIn(repository, 'commit', '--quiet', '--allow-empty', '--message', 'first')
    await server.create('watched', 'sleep 600', { repository_url: repository })
    await server.run('watched')
    await server.reaches('watched', 'RUNNING')
  })
  after(() => installation.dispose())

  /** Runs a line in a shell below a terminal of its own, in which `slipway` is the program. */
  const onTerminal = (line: string) => {
    // Not this process's own environment: Node takes colours from CI, NO_COLOR, TMUX and more.
    const env = {
      PATH: process.env['PATH'],
      HOME: installation.folder,
      SHELL: '/bin/sh',
      TERM: 'xterm-256color',
      SLIPWAY_SERVER: server.program.url,
      SLIPWAY: `${process.execPath} ${PROGRAM}`,
    }
    const child = spawn('script', ['-qfec', line, '/dev/null'], { env, cwd: installation.folder })
    const ended = once(child, 'close')
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += String(chunk)))
    return {
      shows: (what: RegExp) => until(`the terminal shows ${what}`, () => what.test(text)),
      end: async () => {
        child.stdin.end()
        await ended
        return text
      },
    }
  }

  it('shows in one line what it waits for, which is gone at the end', async () => {
    const terminal = onTerminal(
      '$SLIPWAY wait watched --timeout 2s; $SLIPWAY wait watched --timeout 2s -o json; echo end',
    )
    await terminal.shows(/end\r\n/)
    const text = await terminal.end()
    // eslint-disable-next-line no-control-regex
    const line = /\rwatched RUNNING, 1s\u001b\[K\u001b\[\?7h/
    assert.match(text, line)
    const [first = '', second = ''] = text.split('when the time is over\r\n')
    // eslint-disable-next-line no-control-regex
    assert.match(first, /\r\u001b\[Kwatched is RUNNING $/)
    assert.equal(second, 'watched is RUNNING ')
  })
})
