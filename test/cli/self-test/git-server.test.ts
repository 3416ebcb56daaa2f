import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { serveRepository } from '../../../cli/self-test/git-server.ts'

const run = promisify(execFile)

describe('the git server of the self-test', () => {
  it('serves on after a request that is no address at all, by which anybody could end the test', async () => {
    const server = await serveRepository('127.0.0.1', 'nobody-guesses')
    try {
      const { port } = new URL(server.url)
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET // HTTP/1.1\r\nHost: x\r\n\r\n'))
      await once(socket, 'close')
      const { stdout } = await run('git', ['ls-remote', server.url, 'main'])
      assert.match(stdout, /\trefs\/heads\/main\n$/)
    } finally {
      await server.stop()
    }
  })
})
