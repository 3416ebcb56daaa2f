/** What a guide needs and cannot be had here: a login of a model's provider, a host of private repositories. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveGitOverHttp } from '../../helpers/git-over-http.ts'
import { makeRemote } from '../../helpers/repository.ts'

export interface Stage {
  /** What a guide calls by a name of its own, and what it is here. */
  readonly places?: ReadonlyMap<string, string>
  /** Lays into the reader's home what they have before they begin. */
  settle?(home: string): void
  close?(): Promise<void>
}

/** What the guide of that file stands on. */
export async function prepareFor(file: string): Promise<Stage> {
  if (file === 'private-repository.md') return prepareGitHost()
  if (file === 'first-agent-login.md') return { settle: logIn }
  return {}
}

/** As `claude` leaves it after /login. */
function logIn(home: string): void {
  mkdirSync(join(home, '.claude'))
  const login = { accessToken: 'sk-ant-oat-of-the-guide', refreshToken: 'r', expiresAt: Date.now() + 86_400_000 }
  writeFileSync(join(home, '.claude', '.credentials.json'), JSON.stringify({ claudeAiOauth: login }), { mode: 0o600 })
}

/** A git server that asks for the user and the token that the guide names. */
async function prepareGitHost(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-git-host-'))
  mkdirSync(join(folder, 'acme'))
  makeRemote(join(folder, 'acme'), { 'README.md': '# Shop\n' }).git('config', 'http.receivepack', 'true')
  const { host, close } = await serveGitOverHttp(folder, 'ada', 'glpat-your-token')
  return {
    places: new Map([
      ['https://git.example.com/acme/shop.git', `http://${host}/acme/remote.git`],
      ['@git.example.com', `@${host}`],
      ['https://ada:', 'http://ada:'],
      ['--host git.example.com', `--host http://${host}`],
    ]),
    async close() {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
