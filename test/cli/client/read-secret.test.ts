import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { readSecret } from '../../../cli/client/read-secret.ts'

describe('a secret', () => {
  /** A terminal that was sent these keys, with the modes that it was set to. */
  const ask = async (keys: string) => {
    const modes: boolean[] = []
    const stdin = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (isRaw: boolean) => void modes.push(isRaw),
    })
    const stderr = new PassThrough({ encoding: 'utf8' })
    const reading = readSecret({ stdin, stderr }, 'Token: ', new AbortController().signal)
    stdin.write(keys)
    const secret = await reading
    return { secret, modes, shown: String(stderr.read()) }
  }

  it('is asked for at a terminal that shows nothing of it', async () => {
    assert.deepEqual(await ask('hunter2\r'), { secret: 'hunter2', modes: [true, false], shown: 'Token: \n' })
  })

  it('is none after Ctrl-C, and the terminal is as it was', async () => {
    assert.deepEqual(await ask('hunter2\u0003'), { secret: undefined, modes: [true, false], shown: 'Token: \n' })
  })

  it('is all of stdin otherwise, without the newline at its end', async () => {
    const stdin = new PassThrough()
    stdin.end('from-a-file\n')
    const stderr = new PassThrough({ encoding: 'utf8' })
    assert.equal(await readSecret({ stdin, stderr }, 'Token: ', new AbortController().signal), 'from-a-file')
    assert.equal(stderr.read(), null)
  })
})
