import { makeRemote } from '../helpers/repository.ts'
import { assertAccessible } from './axe.ts'
import { assertNoProblems } from './browser.ts'
import { inBrowser } from './suite.ts'

/** By the address of each view: what it reads, what it says where that fails, and what it shows then. */
const VIEWS = [
  ['/', 'tasks', 'The inbox could not be read', 'Nothing needs you'],
  ['/stories', 'stories', 'The stories could not be read', 'A story'],
  ['/stories?view=list', 'stories', 'The stories could not be read', 'A story'],
  ['/stories/a-story', 'stories', 'The story could not be read', 'A story'],
  ['/tasks', 'tasks', 'The tasks could not be read', 'a-task'],
  ['/tasks/a-task', 'tasks', 'The task could not be read', 'a-task'],
  ['/tasks/a-task/edit', 'tasks', 'The task could not be read', 'Back to the task'],
  ['/executions/a-task-1', 'executions/a-task-1', 'The execution could not be read', 'clone'],
  ['/epics', 'epics', 'The epics could not be read', 'An epic'],
  ['/projects', 'projects', 'The projects could not be read', 'A project'],
  ['/projects/shop', 'projects', 'The project could not be read', 'A project'],
  ['/agents', 'agents', 'The agents could not be read', 'script'],
  ['/agents/script', 'agents', 'The agent could not be read', 'script'],
  ['/stats', 'stats', 'The statistics could not be read', 'Runs'],
  ['/scripts', 'scripts', 'The scripts could not be read', 'start-next-task'],
  ['/drops', 'drops', 'The files could not be read', 'a-file.txt'],
] as const

describe('a view that cannot be read', function () {
  const { server, open } = inBrowser({
    prepare: async ({ server, installation }) => {
      const { path } = makeRemote(installation.folder, { 'a.txt': 'a\n' })
      await server.call('POST', '/api/projects', { id: 'shop', name: 'A project', remote_url: path })
      await server.call('POST', '/api/epics', { id: 'an-epic', name: 'An epic' })
      await server.call('POST', '/api/stories', { id: 'a-story', name: 'A story' })
      const drop = 'echo a > "$SERVICE_DROP_DIR/a-file.txt"; echo b > b.txt'
      await server.create('a-task', drop, { project: 'shop' })
      await server.run('a-task')
      await server.reaches('a-task', 'READY')
      await server.call('POST', '/api/tasks/a-task/accept')
      await server.reaches('a-task', 'COMPLETED')
    },
  })

  for (const [path, read, failure, content] of VIEWS)
    it(`is a skeleton at ${path} until it is known, says why it failed, and is there at the next try`, async () => {
      const tab = await open('about:blank', { expected: [/404/] })
      const { page } = tab
      const url = new RegExp(`/api/${read}(\\?|$)`)
      let answer = (): void => undefined
      const asked = new Promise<void>((resolve) => (answer = resolve))
      await page.route(url, async (route) => {
        await asked
        await route.fulfill({ status: 404, json: { error: 'not this time' } })
      })
      await page.goto(`${server.program.url}${path}`)
      const main = page.getByRole('main')
      await main
        .getByRole('status', { name: /is being read|are being read/ })
        .first()
        .waitFor()
      answer()
      await main.getByRole('alert').getByText(failure).first().waitFor()
      await main.getByText('not this time').first().waitFor()
      await assertAccessible(page)
      await page.unroute(url)
      await main.getByRole('button', { name: 'Try again' }).first().click()
      await main.getByText(content).first().waitFor()
      assertNoProblems(tab)
      await tab.close()
    })
})
