import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser, openCommand } from '../../../cli/commands/open.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { anExecution, aStory, aTask } from '../../helpers/build.ts'
import { runCommand } from './run-command.ts'

describe('the workspace of a task that the command line opens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-open-'))
  const { VISUAL, EDITOR } = process.env
  const clone = join(folder, 'left', 'repo')
  let api: Rig
  before(async () => {
    api = await startRig()
    for (const [name, state] of [
      ['left', 'FAILED'],
      ['gone', 'FAILED'],
      ['works', 'RUNNING'],
    ] as const) {
      await api.givenExecution(anExecution({ name: `${name}-1`, status: { state, sandboxDir: join(folder, name) } }))
      await api.given(aTask({ name, status: { state, execution: `${name}-1` } }))
    }
    await api.given(aTask({ name: 'new' }))
    mkdirSync(clone, { recursive: true })
    process.env['EDITOR'] = `printf %s > ${join(folder, 'opened')}`
    delete process.env['VISUAL']
  })
  after(async () => {
    Object.assign(process.env, { ...(VISUAL && { VISUAL }), ...(EDITOR && { EDITOR }) })
    if (EDITOR === undefined) delete process.env['EDITOR']
    rmSync(folder, { recursive: true })
    await api.stop()
  })

  const open = (...words: string[]) => runCommand(openCommand, [...words, '--editor'], api.url)

  it('is opened in the editor of the person, who is told what may run there', async () => {
    const { code, out, err } = await open('left')
    assert.deepEqual([code, out, readFileSync(join(folder, 'opened'), 'utf8')], [0, `${clone}\n`, clone])
    assert.match(
      err,
      /may run what it left, with your rights\. In VS Code stay in Restricted Mode.*slipway shell left\n$/,
    )
  })

  it('is not opened while an agent works there, where it is gone, or is a link that the agent has put in its place', async () => {
    rmSync(join(folder, 'opened'))
    await assert.rejects(
      open('works'),
      /works is RUNNING, and its agent alone writes in .*look with slipway shell works/,
    )
    await assert.rejects(open('gone'), /there is no workspace .*\/gone\/repo on this machine/)
    mkdirSync(join(folder, 'gone'))
    symlinkSync('/etc', join(folder, 'gone', 'repo'))
    await assert.rejects(open('gone'), /there is no workspace/)
    await assert.rejects(open('new'), /open: new has not run yet: it is PENDING/)
    await assert.rejects(open(), /--editor takes a task/)
    assert.equal(existsSync(join(folder, 'opened')), false)
  })

  it('says which editor failed', async () => {
    process.env['VISUAL'] = 'exit 3;'
    await assert.rejects(open('left'), /the editor \(exit 3;\) ended with 3: set VISUAL or EDITOR to another one/)
    delete process.env['VISUAL']
  })
})

describe('the page of the UI that the command line opens', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await api.given(aTask({ name: 'fix' }))
    await api.givenStory(aStory({ name: 'checkout', spec: { title: 'Checkout' } }))
  })
  after(() => api.stop())

  const open = async (...words: string[]): Promise<string> => (await runCommand(openCommand, words, api.url)).out

  it('is that of a task, of a story, or the first one', async () => {
    assert.equal(await open('fix'), `${api.url}/tasks/fix\n`)
    assert.equal(await open('--story', 'checkout'), `${api.url}/stories/checkout\n`)
    assert.equal(await open(), `${api.url}/\n`)
  })

  it('must be there', async () => {
    await assert.rejects(open('fxi'), { message: 'task not found' })
    await assert.rejects(open('fix', '--story', 'checkout'), { message: /either a task or --story/ })
  })

  it('is shown by the browser of the person, where there is a screen', () => {
    assert.equal(findBrowser({ BROWSER: 'firefox' }, 'linux'), 'firefox')
    assert.equal(findBrowser({ DISPLAY: ':0' }, 'linux'), 'xdg-open')
    assert.equal(findBrowser({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux'), 'xdg-open')
    assert.equal(findBrowser({}, 'linux'), undefined)
    assert.equal(findBrowser({}, 'darwin'), 'open')
  })
})
