/** A start that fails must end with a code by itself, whatever had started by then. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { loadAccess, saveAccess } from '../../embedded/access.ts'
import { PROGRAM } from '../helpers/slipway.ts'
import { type Installation, makeInstallation } from './installation.ts'

describe('a start that fails', function () {
  let installation: Installation
  beforeEach(() => {
    installation = makeInstallation()
    mkdirSync(installation.dataDir)
  })
  afterEach(() => installation.dispose())

  /** Starts a server behind a shell command, and waits for its end. */
  async function endOf(args: readonly string[], before = ':'): Promise<{ code: number | null; output: string }> {
    const command = [process.execPath, PROGRAM, 'serve', '--data-dir', installation.dataDir, ...args]
    const child = spawn('bash', ['-c', `${before}; exec "$@"`, 'bash', ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    const kill = setTimeout(() => child.kill('SIGKILL'), 240_000)
    await once(child, 'close')
    clearTimeout(kill)
    return { code: child.exitCode, output }
  }

  async function assertEnds(reason: RegExp, args: readonly string[] = [], before?: string): Promise<void> {
    const { code, output } = await endOf(['--listen', '127.0.0.1:0', ...args], before)
    assert.equal(code, 1, output)
    assert.match(output, reason)
    assert.equal(existsSync(join(installation.dataDir, 'store', 'lock')), false, 'the data folder is held')
  }

  it('because its kubeconfig cannot be written ends, though the control plane is up', async () => {
    mkdirSync(join(installation.dataDir, 'kubeconfig'))
    await assertEnds(/slipway: .*EISDIR.*kubeconfig/)
  })

  it('because its volume cannot be made ends', async () => {
    writeFileSync(join(installation.dataDir, 'volume'), '')
    await assertEnds(/slipway: .*volume/)
  })

  it('because the port of its metrics is taken ends', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    try {
      await assertEnds(/slipway: .*in use: .*--metrics-listen/, ['--metrics-listen', `127.0.0.1:${address.port}`])
      await assertEnds(/slipway: .*in use/, ['--listen', `127.0.0.1:${address.port}`])
    } finally {
      server.close()
    }
  })

  it('because the disk is full where it prints ends, after its parts have stopped', async () => {
    await assertEnds(/slipway: what it prints cannot be written: ENOSPC[^]*\nstopping …/, [], 'exec > /dev/full')
  })

  it('does not come of a clock that was set back: the certificate is made anew', async () => {
    const store = join(installation.dataDir, 'store')
    mkdirSync(store)
    const later = new Date(Date.now() + 7 * 24 * 60 * 60 * 1000)
    await saveAccess(store, loadAccess(store, '127.0.0.1', later, randomBytes))
    assert.equal((await (await installation.start()).call('GET', '/readyz')).status, 200)
  })

  for (const files of [32, 40, 52]) {
    it(`because it may open no more than ${files} files ends`, async () => {
      const { code, output } = await endOf(['--listen', '127.0.0.1:0'], `ulimit -n ${files}`)
      assert.equal(code, 1, output)
      // Whichever part lacks a file first is what ends the start; the parts that met the limit say so in the log.
      assert.match(output, /EMFILE|too many open files/i)
      assert.match(output.trimEnd().split('\n').at(-1) ?? '', /^slipway: ./)
    })
  }
})
