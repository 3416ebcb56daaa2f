import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { addProjectCommand } from '../../../cli/commands/projects.ts'
import { serveGitOverHttp } from '../../helpers/git-over-http.ts'
import { at } from '../../helpers/kube-http.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { gitText } from '../../../lib/git.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { runCommand } from './run-command.ts'

describe('a project that is registered on the command line', () => {
  let api: Rig
  let home: string
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'slipway-home-'))
    // In place of a host of the internet, one that nobody answers for.
    await writeFile(join(home, '.gitconfig'), '[url "http://127.0.0.1:9/"]\n\tinsteadOf = https://git.example.com/\n')
    api = await startRig({ gitUser: { home, env: { PATH: process.env['PATH'], GIT_SSH_COMMAND: 'false' } } })
  })
  after(async () => {
    await api.stop()
    await rm(home, { recursive: true })
  })

  const run = (...words: string[]) => runCommand(addProjectCommand, words, api.url)
  const add = async (...words: string[]): Promise<string> => (await run(...words)).out

  it('is named like its repository, unless a name comes first', async () => {
    const remote = 'https://git.example.com/acme/Web_Shop.git'
    assert.equal(await add(remote), `registered project web-shop: ${remote}\n`)
    assert.equal(await add('shop', remote), `registered project shop: ${remote}\n`)
    assert.match(await add('git@git.example.com:tools.git'), /^registered project tools:/)
    await assert.rejects(add('https://git.example.com/acme/___.git'), {
      message: /gives no name .*: slipway add-project <name> https:/,
    })
  })

  it('can be that of a folder, by its path alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'Own.Project-'))
    try {
      await gitText(['init', '--quiet', folder], { home: folder, signal: new AbortController().signal })
      assert.match(await add(folder), /^registered project own-project-[a-z0-9-]+: \//)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is read once, and a private one that is not is told how to get a login', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-host-'))
    makeRemote(folder, { 'README.md': '# Shop\n' })
    const host = await serveGitOverHttp(folder, 'ada', 'glpat-of-ada')
    try {
      const open = await run('open', join(folder, 'remote.git'))
      assert.deepEqual([open.code, open.err], [0, ''])
      const { code, out, err } = await run('private', `http://${host.host}/remote.git`)
      assert.deepEqual([code, out], [0, `registered project private: http://${host.host}/remote.git\n`])
      assert.match(err, /^warning: it was not read: .*needs a password/)
      assert.ok(
        err.includes(`: slipway secret git private-git --host ${host.host} --username <name> < token.txt\n`),
        err,
      )
    } finally {
      await host.close()
      await rm(folder, { recursive: true })
    }
  })

  it('without a commit is no question of logins', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-empty-'))
    try {
      await gitText(['init', '--quiet', folder], { home: folder, signal: new AbortController().signal })
      const { code, err } = await run('empty', `file://${folder}`)
      assert.deepEqual([code, err.split(':', 2).join(':')], [0, 'warning: no task can run in it'])
      assert.match(err, /no commit yet.*\n$/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is registered where the trial itself fails, and says so', async () => {
    const project = { id: 'shop', name: 'shop', remote_url: 'https://git.example.com/acme/shop.git' }
    const server = createServer(({ url }, response) => {
      const [status, answer] = url === '/api/projects' ? [201, project] : [503, { error: 'try again in a moment' }]
      response.writeHead(status, { 'X-Request-Id': '1' }).end(JSON.stringify(answer))
    }).listen(0, '127.0.0.1')
    try {
      await once(server, 'listening')
      const address = server.address()
      assert.ok(typeof address === 'object' && address !== null)
      assert.deepEqual(
        await runCommand(addProjectCommand, ['shop', project.remote_url], `http://127.0.0.1:${address.port}`),
        {
          code: 0,
          out: `registered project shop: ${project.remote_url}\n`,
          err: 'warning: it was not tried: try again in a moment\n',
        },
      )
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('names a Secret, with which the first task tries it', async () => {
    const { err } = await run('secretive', 'https://git.example.com/acme/shop.git', '--secret', 'shop-git')
    assert.match(
      err,
      /^note: it was not read: .*; the first task tries it with Secret shop-git, which is not read here\n$/,
    )
    const { body } = await api.get('/api/projects/secretive')
    assert.deepEqual(at(body, 'git'), { secret_name: 'shop-git' })
  })
})
