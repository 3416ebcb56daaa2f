import assert from 'node:assert/strict'
import { findBrowser, openCommand } from '../../../cli/commands/open.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aStory, aTask } from '../../helpers/build.ts'
import { runCommand } from './run-command.ts'

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
