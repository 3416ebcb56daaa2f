import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { type Tab, assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

const session = { session_id: '7d472076-0000-4000-8000-000000000000' }
const BEGIN = { type: 'system', subtype: 'init', model: 'claude-opus-5-5', ...session }
const TEXT = { type: 'assistant', message: { id: 'a', content: [{ type: 'text', text: 'I am at it.' }] }, ...session }
const END = { type: 'result', subtype: 'success', is_error: false, num_turns: 1, total_cost_usd: 0.1, ...session }
const print = (line: object): string => `echo '${JSON.stringify(line)}'`
/** A program that works until it may end its turn, and reads nothing of what it is told. */
const WORKS = [
  print(BEGIN),
  print(TEXT),
  'while [ ! -e "$SERVICE_ARTIFACT_DIR/go-on" ]; do sleep 0.1; done',
  '[ -s "$SERVICE_ARTIFACT_DIR/go-on" ] && exit 1',
  print(END),
].join('\n')

describe('speaking to a running agent in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    const remote = makeRemote(installation.folder, { 'README.md': '# shop\n' })
    await server.call('POST', '/api/projects', { id: 'shop', name: 'shop', remote_url: remote.path })
    const command = ['/bin/sh', '-c', WORKS]
    for (const adapter of ['claude', 'codex'])
      await server.call('POST', '/api/agents', { id: `${adapter}-fake`, adapter, command, credentials: {} })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  const create = async (id: string, type: string): Promise<void> => {
    const task = { id, name: id, project: 'shop', agent: { type, instructions: 'work' } }
    await server.call('POST', '/api/tasks', task)
    await server.run(id)
  }
  const begin = async (id: string): Promise<void> => {
    await create(id, 'claude-fake')
    const events = installation.executionFile(`${id}-1`, 'agent/events.jsonl')
    await until(`${id} works`, async () => existsSync(events) && readFileSync(events, 'utf8') !== '')
  }
  const open = (execution: string, options = {}): Promise<Tab> =>
    openTab(browser, `${server.program.url}/executions/${execution}?tab=conversation`, options)
  const field = (page: Page) => page.getByRole('textbox', { name: 'Message to the agent' })
  const pending = (page: Page) => page.getByRole('list', { name: 'Said, and not given to the agent yet' })
  /** Without the one that is being written, which has another name until it is whole. */
  const inbox = (execution: string): readonly string[] => {
    const folder = installation.executionFile(execution, 'inbox')
    return existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.json'))
          .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
      : []
  }
  /** @param how anything but '': it fails */
  const finish = (execution: string, how = ''): void =>
    writeFileSync(installation.executionFile(execution, 'agent/artifacts/go-on'), how)

  it('sends with Enter, begins a line with Shift+Enter, and shows what waits until the agent has it', async () => {
    await begin('listens')
    const tab = await open('listens-1')
    const { page } = tab
    await field(page).fill('Use <b>tabs</b>\u202e.')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('Please.')
    await assertAccessibleInBothThemes(page)
    await page.keyboard.press('Enter')
    await pending(page).getByText('Use <b>tabs</b>').waitFor()
    await pending(page).getByText('waits for the tool that it runs').waitFor()
    await becomes(() => field(page).inputValue(), '')
    assert.ok(!(await pending(page).innerText()).includes('\u202e'), 'what turns text is shown')
    await until('it is in the inbox', async () => inbox('listens-1').length === 1)
    const [file = ''] = inbox('listens-1')
    assert.match(file, /"mode":"Steer","text":"Use <b>tabs<\/b>\u202e\.\\nPlease\."/)
    const { id = '' } = JSON.parse(file) as { id?: string }
    const at = new Date().toISOString()
    for (const state of ['giving', 'given'])
      appendFileSync(
        installation.executionFile('listens-1', 'agent/receipts.jsonl'),
        `${JSON.stringify({ id, state, at })}\n`,
      )
    await pending(page).waitFor({ state: 'detached' })
    assertNoProblems(tab)
    await tab.close()
  })

  it('is in the inbox of the agent’s step once it is sent, one after another', async () => {
    const tab = await open('listens-1')
    const { page } = tab
    for (let n = 0; n < 5; n++) {
      await field(page).fill(`Message ${n}`)
      const before = inbox('listens-1').length
      await page.keyboard.press('Enter')
      await until('it is there', async () => inbox('listens-1').length > before)
      await pending(page).getByText(`Message ${n}`).waitFor()
      await becomes(() => field(page).inputValue(), '')
    }
    await tab.close()
  })

  it('offers the modes that the agent takes, and to interrupt in words of its own', async () => {
    const tab = await open('listens-1')
    const { page } = tab
    const mode = page.getByRole('combobox', { name: 'When the agent gets it' })
    await mode.waitFor()
    await becomes(
      () => mode.locator('option').allInnerTexts(),
      ['When its turn ends', 'After the tool it runs', 'Interrupt it now'],
    )
    await becomes(() => mode.inputValue(), 'steer')
    await field(page).fill('Stop')
    await mode.selectOption('interrupt')
    await page.getByRole('button', { name: 'Interrupt' }).click()
    await pending(page).getByText('is about to stop its turn').waitFor()
    await becomes(() => mode.inputValue(), 'steer')
    await tab.close()
    await create('queues', 'codex-fake')
    await server.reaches('queues', 'RUNNING')
    const other = await open('queues-1')
    await other.page.getByText('The agent gets it when its turn ends.').waitFor()
    assert.equal(await other.page.getByRole('combobox', { name: 'When the agent gets it' }).count(), 0)
    await other.close()
    await server.call('POST', '/api/tasks/queues/cancel')
  })

  it('leaves alone what is being written in another tab', async () => {
    const tab = await open('listens-1')
    const { page } = tab
    const other = await page.context().newPage()
    await other.goto(page.url())
    await field(page).fill('The first of two')
    await field(other).fill('Something else')
    await page.bringToFront()
    await field(page).press('Enter')
    await pending(other).getByText('The first of two').waitFor()
    await becomes(() => field(page).inputValue(), '')
    await becomes(() => field(other).inputValue(), 'Something else')
    await field(other).fill('')
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps what is being written, says what is too long, and is there on a phone', async () => {
    const tab = await open('listens-1', { viewport: { width: 390, height: 800 } })
    const { page } = tab
    await field(page).fill('é'.repeat(4097))
    await page.getByText('Too long by 2 bytes: a message has at most 8 KiB.').waitFor()
    await becomes(() => page.getByRole('button', { name: 'Send' }).isDisabled(), true)
    await field(page).fill('Half a thou')
    await page.reload()
    await field(page).waitFor()
    await becomes(() => field(page).inputValue(), 'Half a thou')
    await until('the field is on the screen', async () => {
      const box = await field(page).boundingBox()
      return box !== null && box.width > 300 && box.y + box.height < 800
    })
    await tab.close()
  })

  it('loses nothing when the run ends while one writes: it can be asked for as a change', async () => {
    const tab = await open('listens-1')
    const { page } = tab
    await field(page).fill('Name the page Sign in.')
    finish('listens-1', 'fail')
    await page.getByText('The run ended before this was sent.').waitFor()
    await becomes(
      () => page.getByRole('textbox', { name: 'What you had written' }).inputValue(),
      'Name the page Sign in.',
    )
    await pending(page)
      .getByText(/reach(ed)? the agent; it is told/)
      .first()
      .waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Ask for changes with it' }).click()
    await until('the task goes on', async () => {
      const { decisions } = await server.task('listens')
      const text = JSON.stringify(decisions)
      return text.includes('"revise"') && text.includes('Name the page Sign in.')
    })
    assertNoProblems(tab)
    await tab.close()
  })

  it('says that a script takes no messages', async () => {
    await server.create('deaf', 'while [ ! -e "$SERVICE_ARTIFACT_DIR/go-on" ]; do sleep 0.1; done', { project: 'shop' })
    await server.run('deaf')
    await server.reaches('deaf', 'RUNNING')
    const tab = await open('deaf-1')
    await tab.page.getByText('A script takes no messages while it runs.').waitFor()
    assert.equal(await field(tab.page).count(), 0)
    await tab.close()
    await until('it runs', async () => existsSync(installation.executionFile('deaf-1', 'agent/artifacts')))
    finish('deaf-1')
  })
})
