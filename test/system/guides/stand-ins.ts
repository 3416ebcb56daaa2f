/** What a guide needs and cannot be had here: a login of a model's provider, a host of private repositories. */
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asRecord } from '../../../core/json.ts'
import { serveGitOverHttp } from '../../helpers/git-over-http.ts'
import { aBrowser, startPushService } from '../../helpers/push-service.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'

export interface Stage {
  /** What a guide calls by a name of its own, and what it is here. */
  readonly places?: ReadonlyMap<string, string>
  /** Lays into the reader's home what they have before they begin. */
  settle?(home: string): void
  /** Variables of everything that the reader starts. */
  readonly env?: Readonly<Record<string, string>>
  /** Does, once the server serves, what the guide has somebody do elsewhere. */
  served?(url: string, home: string): Promise<void>
  /** What must have come of it at the end. */
  verify?(): Promise<void>
  close?(): Promise<void>
}

/** What the guide of that file stands on. */
export async function prepareFor(file: string): Promise<Stage> {
  if (file === 'private-repository.md') return prepareGitHost()
  if (file === 'first-agent-login.md') return { settle: logIn }
  if (file === 'ci-failures.md') return { settle: answerForGitHub }
  if (file === 'phone.md') return preparePhone()
  // The name is nobody's here; test/proxies goes through proxies of that name.
  if (file === 'several-people.md')
    return { places: new Map([['login https://slipway.example.com', 'login http://localhost:8080']]) }
  return {}
}

/** As `claude` leaves it after /login. */
function logIn(home: string): void {
  mkdirSync(join(home, '.claude'))
  const login = { accessToken: 'sk-ant-oat-of-the-guide', refreshToken: 'r', expiresAt: Date.now() + 86_400_000 }
  writeFileSync(join(home, '.claude', '.credentials.json'), JSON.stringify({ claudeAiOauth: login }), { mode: 0o600 })
}

/** Keeps the trial of the repository on this machine. */
function answerForGitHub(home: string): void {
  appendFileSync(join(home, '.gitconfig'), '[url "http://127.0.0.1:9/"]\n\tinsteadOf = https://github.com/\n')
}

/** A git server that asks for the user and the token that the guide names. */
async function prepareGitHost(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-git-host-'))
  mkdirSync(join(folder, 'acme'))
  makeRemote(join(folder, 'acme'), { 'README.md': '# Shop\n' }).git('config', 'http.receivepack', 'true')
  const { host, close } = await serveGitOverHttp(folder, 'ada', 'glpat-your-token')
  const other = 'https://bob:another@git.example.org\n'
  let credentials = ''
  return {
    settle(home) {
      credentials = join(home, '.git-credentials')
      writeFileSync(credentials, other, { mode: 0o600 })
    },
    async verify() {
      // A git that was under way when the guide took its own login out may have put it back.
      assert.ok(readFileSync(credentials, 'utf8').includes(other), 'the logins of other hosts are left')
    },
    places: new Map([
      ['https://git.example.com/acme/shop.git', `http://${host}/acme/remote.git`],
      ['@git.example.com', `@${host}`],
      ['https://ada:', 'http://ada:'],
      ['https://ada@', 'http://ada@'],
      ['--host git.example.com', `--host http://${host}`],
    ]),
    async close() {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A phone that is switched on in the settings as soon as there is a server, and an app that takes messages. */
async function preparePhone(): Promise<Stage> {
  const service = await startPushService()
  const phone = aBrowser(`${service.url}/phone`)
  const titles = (): string[] =>
    service.at('/phone').map(({ body }) => String(asRecord(phone.decrypt(body))['title']).replace(/:.*/, ''))
  return {
    places: new Map([['https://ntfy.sh', new URL(service.url).host]]),
    env: { SLIPWAY_PUSH_PRIVATE_ENDPOINTS: 'true' },
    async served(url, home) {
      const config = readFileSync(join(home, 'slipway', '.slipway', 'config.yaml'), 'utf8')
      const [, token = ''] = /^token: (.*)$/m.exec(config) ?? []
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const body = JSON.stringify(phone.subscription)
      const answer = await fetch(new URL('/api/push/subscribe', url), { method: 'POST', headers, body })
      assert.equal(answer.status, 201, await answer.text())
    },
    async verify() {
      await until('the phone is told of both tasks', () => titles().length === 2)
      assert.deepEqual(titles(), ['Failed', 'Ready for review'])
      const [message] = service.at('/a-topic-that-nobody-guesses')
      assert.equal(message?.body.toString(), 'changelog READY')
    },
    close: () => service.stop(),
  }
}
