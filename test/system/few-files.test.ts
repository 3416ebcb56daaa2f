import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { PROGRAM } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'

describe('a server that may hold few files open', () => {
  let folder: string
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'slipway-files-'))))
  afterEach(() => rmSync(folder, { recursive: true }))
  const serve = (files: number) => {
    const command = `ulimit -n ${files}; exec "$0" "$@"`
    const args = [process.execPath, PROGRAM, 'serve', '--listen', '127.0.0.1:0', '--data-dir', join(folder, 'data')]
    return spawn('/bin/sh', ['-c', command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  }

  it('says so, and goes on serving while somebody opens more connections than that', async () => {
    const server = serve(128)
    const ended = once(server, 'exit')
    let said = ''
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const ports = () => /^ready http:\/\/127\.0\.0\.1:(\d+)/m.exec(said)
    try {
      await until('it is ready', () => ports() !== null)
      const warning = /may hold 128 files and connections open.*raise the limit to 4096/
      // On stderr, which is read by itself.
      await until('it says so', () => warning.test(said))
      const port = Number(ports()?.[1])
      const opened = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
      await until('all have come', () => opened.every(({ connecting }) => !connecting))
      for (let i = 0; i < 3; i++) {
        const body = JSON.stringify({ name: 'x' })
        const headers = { 'Content-Type': 'application/json' }
        const made = await fetch(`http://127.0.0.1:${port}/api/tasks`, { method: 'POST', headers, body })
        assert.equal(made.status, 201, await made.text())
      }
      for (const socket of opened) socket.destroy()
    } finally {
      server.kill('SIGINT')
      await ended
    }
  })

  it('cannot be loaded with too few, and names the way out', async () => {
    const server = serve(40)
    const [said, [code]] = await Promise.all([text(server.stderr), once(server, 'exit')])
    assert.equal(code, 1)
    assert.match(
      said,
      /^slipway: cannot be loaded: EMFILE: .*: raise the limit of open files, such as by ulimit -n 4096$/m,
    )
  })
})
