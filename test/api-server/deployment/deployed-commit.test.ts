import assert from 'node:assert/strict'
import { type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import {
  type DeployedCommits,
  createDeployedCommits,
  parseCommit,
} from '../../../api-server/deployment/deployed-commit.ts'
import type { Project } from '../../../core/crd/types.ts'
import { aProject } from '../../helpers/build.ts'
import { type ManualClock, manualClock } from '../../helpers/clock.ts'
import { recordingLogger } from '../../helpers/log.ts'
import { until } from '../../helpers/until.ts'

const COMMIT = 'a'.repeat(40)
const OWN = 'b'.repeat(40)

describe('the deployed commit of a project', () => {
  let server: Server
  let project: Project
  let requests: number
  let answer: (response: ServerResponse) => void
  let clock: ManualClock
  let news: number
  let log: ReturnType<typeof recordingLogger>

  beforeEach(async () => {
    requests = 0
    news = 0
    log = recordingLogger()
    clock = manualClock()
    answer = (response) => response.end(`${COMMIT}\n`)
    server = createServer((_, response) => {
      requests += 1
      answer(response)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    project = aProject({ spec: { deployment: { commitUrl: `http://127.0.0.1:${port}/commit` } } })
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })
  const open = (allowPrivate = true): DeployedCommits =>
    createDeployedCommits({
      ownCommit: OWN,
      reach: { allowPrivate },
      onChange: () => void (news += 1),
      stop: new AbortController().signal,
      clock,
      logger: log.logger,
    })

  it('is that of this build where the project says nothing', async () => {
    const commits = open()
    assert.deepEqual([commits.known(undefined), await commits.ask(aProject())], [OWN, OWN])
  })

  it('is asked at most once a minute, and a change is news', async () => {
    const commits = open()
    assert.deepEqual([await commits.ask(project), await commits.ask(project), requests, news], [COMMIT, COMMIT, 1, 1])
    answer = (response) => response.end(JSON.stringify({ commit: OWN.toUpperCase() }))
    await clock.advance(59_999)
    assert.deepEqual([await commits.ask(project), requests], [COMMIT, 1])
    await clock.advance(1)
    assert.equal(commits.known(project), COMMIT, 'a list does not wait')
    await until('the news has come', () => news === 2)
    assert.deepEqual([commits.known(project), requests], [OWN, 2])
  })

  it('is "" after five seconds without an answer, and that is said once', async () => {
    answer = () => undefined
    const commits = open()
    for (let i = 0; i < 2; i++) {
      const asked = commits.ask(project)
      await until('it is asked', () => requests === i + 1)
      await clock.advance(5000)
      assert.equal(await asked, '')
      await clock.advance(60_000)
    }
    assert.equal(log.lines.length, 1)
  })

  it('is "" when the URL leads to the metadata service of a cloud, and when private addresses are not allowed', async () => {
    answer = (response) => response.writeHead(307, { Location: 'http://169.254.169.254/commit' }).end()
    assert.equal(await open().ask(project), '')
    assert.equal(requests, 1)
    assert.equal(await open(false).ask(project), '')
    assert.equal(requests, 1)
  })

  it('is "" for a page that is no commit, or larger than 64 KiB', async () => {
    answer = (response) => response.end('<html>not found</html>')
    assert.equal(await open().ask(project), '')
    answer = (response) => response.end(`${COMMIT}${' '.repeat(64 * 1024)}`)
    assert.equal(await open().ask(project), '')
  })

  it('says in the log that it is unknown without the password in its URL', async () => {
    const { port } = server.address() as AddressInfo
    const commitUrl = `http://robot:marker-5ec@127.0.0.1:${port}/commit?token=marker-7ec`
    answer = (response) => response.writeHead(302, { Location: 'gopher://x:marker-9ec@host/' }).end()
    assert.equal(await open().ask(aProject({ spec: { deployment: { commitUrl } } })), '')
    assert.equal(log.lines.length, 1)
    assert.ok(!JSON.stringify(log.lines).includes('marker-'), JSON.stringify(log.lines))
  })

  it('never is anything but a hash in lower case, whatever is answered', () => {
    const json = fc.json()
    const withCommit = fc.anything().map((commit) => JSON.stringify({ commit }) ?? '')
    fc.assert(
      fc.property(fc.oneof(fc.string(), json, withCommit), (text) => /^([0-9a-f]{7,64})?$/.test(parseCommit(text))),
    )
    assert.equal(parseCommit(` ${COMMIT.toUpperCase()}\n`), COMMIT)
  })
})
