import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../helpers/until.ts'
import { docker, HARDENED, imageOf, inContainer, releasedImages, ROOT } from './docker.ts'

const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const TOKEN = 'token-of-a-test'

function argumentOf(name: string): string {
  return new RegExp(`^ARG ${name}=(\\S+)$`, 'm').exec(DOCKERFILE)?.[1] ?? assert.fail(name)
}

describe('the images of a release', () => {
  for (const name of releasedImages())
    it(`${name} runs as a user without rights who can write nothing, and says what it is`, async () => {
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
      const { User, Labels } = JSON.parse(await docker('inspect', '--format={{json .Config}}', imageOf(name)))
      const label = (key: string): unknown => Labels[`org.opencontainers.image.${key}`]
      assert.equal(User, '10001:10001')
      assert.deepEqual(
        [label('title'), label('version'), label('revision'), label('source'), label('base.name')],
        [
          name,
          version,
          execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
          'https://git.example.com/slipway',
          'localhost/node:release',
        ],
      )
      assert.ok(label('licenses'))
      const script = 'id -un; id -u; touch /file 2>/dev/null || echo refused'
      assert.equal(await inContainer(imageOf(name), 'bash', '-c', script), 'slipway\n10001\nrefused')
    })

  const programs = [
    { name: 'slipway-agent-claude', program: 'claude', version: argumentOf('CLAUDE_CODE_VERSION') },
    { name: 'slipway-agent-gemini', program: 'gemini', version: argumentOf('GEMINI_CLI_VERSION') },
    { name: 'slipway-agent-codex', program: 'codex', version: argumentOf('CODEX_VERSION') },
  ]
  for (const { name, program, version } of programs.filter(({ name }) => releasedImages().includes(name)))
    it(`${name} has ${program} in the version that is tested, and git`, async () => {
      const printed = await inContainer(imageOf(name), program, '--version')
      assert.ok(printed.includes(version), printed)
      assert.match(await inContainer(imageOf(name), 'git', '--version'), /^git version 2\./)
    })

  it('slipway-agent-script has bash, git and Node of the line that is maintained', async () => {
    const [, line] = /node:(\d+)/.exec(argumentOf('NODE_IMAGE')) ?? []
    const printed = await inContainer(imageOf('slipway-agent-script'), 'bash', '-c', 'git --version && node --version')
    assert.match(printed, new RegExp(`^git version 2\\..*\nv${line}\\.`))
  })
})

describe('the image of Slipway', () => {
  it('is the command line', async () => {
    const help = await docker('run', '--rm', ...HARDENED, '--network=none', imageOf('slipway'), '--help')
    assert.match(help, /^Hand work to coding agents[^]*Usage: slipway <command>/)
  })

  it('has what a step of an execution needs', async () => {
    const script = 'command -v git ssh slipway slipway-runner kubectl-slipway && slipway-runner nothing 2>&1'
    const printed = await inContainer(imageOf('slipway'), 'bash', '-c', `${script} || true`)
    assert.match(printed, /\/git\n.*\/ssh\n.*\/slipway\n.*\/slipway-runner\n.*\/kubectl-slipway\nusage: runner prepare/)
  })

  it('holds no sources, source maps, tests or caches', async () => {
    const unwanted = ['*.ts', '*.map', '*.test.js', '_cacache', '.git', '.npmrc'].flatMap((name) => [
      '-o',
      '-name',
      name,
    ])
    // The demo's shop has tests of its own.
    const places = ['/app/dist', '/app/tools', '-path', '/app/dist/bin/shop', '-prune', '-o']
    const found = await inContainer(imageOf('slipway'), 'find', ...places, '(', ...unwanted.slice(1), ')', '-print')
    assert.equal(found, '')
  })

  it('is started as the docs say: serves API and UI, keeps its data in a volume, and stops at once when it is told to', async () => {
    const volume = await docker('volume', 'create')
    const args = documentedArguments({
      'slipway-data:/data': `${volume}:/data`,
      '127.0.0.1:8080:8080': '127.0.0.1::8080',
      'SLIPWAY_TOKEN=<at least 8 characters>': `SLIPWAY_TOKEN=${TOKEN}`,
      slipway: imageOf('slipway'),
    })
    try {
      await serving(args, async (container, call) => {
        const { ReadonlyRootfs, CapDrop } = JSON.parse(
          await docker('inspect', '--format={{json .HostConfig}}', container),
        )
        assert.deepEqual([ReadonlyRootfs, CapDrop], [true, ['ALL']])
        assert.match(await docker('exec', container, 'id'), /^uid=10001/)
        assert.match((await call('/')).text, /^<!doctype html>.*<script type="module"/is)
        assert.equal((await call('/api/docs')).status, 200)
        const task = { id: 'kept', name: 'Kept', agent: { type: 'script', instructions: 'true' } }
        assert.equal((await call('/api/tasks', task)).status, 201)
      })
      await serving(args, async (_, call) => assert.equal((await call('/api/tasks/kept')).status, 200))
    } finally {
      await docker('volume', 'rm', volume)
    }
  })
})

/** What the docs give `docker run`, with other names, a port and a token of the test's own. */
function documentedArguments(own: Readonly<Record<string, string>>): string[] {
  const docs = readFileSync(join(ROOT, 'docs', 'images.md'), 'utf8')
  const command = /```sh\ndocker run (--read-only[^`]*)```/.exec(docs)?.[1] ?? assert.fail('no docker run in the docs')
  const words: readonly string[] = command.replaceAll('\\\n', '').match(/(?:<[^>]*>|\S)+/g) ?? []
  for (const word of Object.keys(own)) assert.ok(words.includes(word), `the docs lack ${word}`)
  return words.map((word) => own[word] ?? word)
}

type Call = (path: string, body?: object) => Promise<{ readonly status: number; readonly text: string }>

/** Starts a container, waits until it is ready, and stops it after the work, for which SIGTERM has to be enough. */
async function serving(args: readonly string[], work: (container: string, call: Call) => Promise<void>): Promise<void> {
  const container = await docker('run', '--detach', ...args)
  try {
    const address = await docker('port', container, '8080/tcp')
    const call: Call = async (path, body) => {
      const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
      const request = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
      // Docker's proxy accepts before the server does, and then may never answer.
      const response = await fetch(`http://${address}${path}`, { ...request, signal: AbortSignal.timeout(5000) })
      return { status: response.status, text: await response.text() }
    }
    const isReady = (): Promise<boolean> =>
      call('/readyz').then(
        ({ status }) => status === 200,
        () => false,
      )
    await until('the container is ready', isReady)
    await work(container, call)
    await docker('stop', '--time=8', container)
    assert.equal(await docker('inspect', '--format={{.State.ExitCode}}', container), '0')
  } finally {
    await docker('rm', '--force', container)
  }
}
