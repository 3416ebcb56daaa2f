import assert from 'node:assert/strict'
import { transferText, withProgress } from '../../../cli/client/progress.ts'
import type { OutputForm } from '../../../cli/client/output.ts'
import type { Terminal } from '../../../cli/command.ts'
import { manualClock } from '../../helpers/clock.ts'
import { fakeScreen } from './fake-screen.ts'

const MIB = 1024 * 1024
/** Without what keeps lines from being wrapped. */
const plain = (text: string): string => text.replaceAll(/\p{Cc}\[\?7[lh]/gu, '').replaceAll('\u001B[K', '<')

describe('a line about what takes long', () => {
  const begin = (isScreen = true, form: OutputForm = 'table') => {
    const clock = manualClock()
    const seen = { text: '' }
    const terminal: Terminal = {
      out: (text) => void (seen.text += text),
      err: (text) => void (seen.text += text),
      errScreen: isScreen ? fakeScreen() : undefined,
    }
    let end: () => void = assert.fail
    let used: Terminal | undefined
    const work = withProgress(
      { terminal, form, clock },
      (elapsed) => `restoring a, ${elapsed}`,
      (progress) => {
        used = progress.terminal
        return new Promise<void>((resolve) => (end = resolve))
      },
    )
    const finish = async (): Promise<void> => {
      end()
      await work
    }
    return { clock, seen, finish, say: (text: string) => used?.err(text) }
  }

  it('comes after half a second, counts the time in its place, and is gone at the end', async () => {
    const { clock, seen, finish } = begin()
    await clock.advance(499)
    assert.equal(seen.text, '')
    await clock.advance(2000)
    assert.equal(plain(seen.text), '\rrestoring a, 0s<\rrestoring a, 1s<\rrestoring a, 2s<')
    await finish()
    assert.equal(plain(seen.text).slice(-2), '\r<')
    const length = seen.text.length
    await clock.advance(5000)
    assert.equal(seen.text.length, length)
  })

  it('makes room for what else is printed, and waits until that line is whole', async () => {
    const { clock, seen, finish, say } = begin()
    await clock.advance(600)
    seen.text = ''
    say('the server is ')
    await clock.advance(3000)
    assert.equal(plain(seen.text), '\r<the server is ')
    say('away\n')
    await clock.advance(250)
    assert.equal(plain(seen.text), '\r<the server is away\n\rrestoring a, 3s<')
    await finish()
  })

  for (const [where, isScreen, form] of [
    ['in a pipe', false, 'table'],
    ['for a script on a terminal', true, 'json'],
  ] as const)
    it(`is not there ${where}`, async () => {
      const { clock, seen, finish } = begin(isScreen, form)
      await clock.advance(5000)
      await finish()
      assert.equal(seen.text, '')
    })

  it('says how much has come, and of how much if somebody said that', () => {
    assert.equal(transferText('a', 12 * MIB, 48 * MIB, '3s'), 'a: 12 MiB of 48 MiB (25%), 3s')
    assert.equal(transferText('a', 1536, undefined, '1m05s'), 'a: 1.5 KiB, 1m05s')
    assert.equal(transferText('a', 0, 0, '0s'), 'a: 0 B, 0s')
  })
})
