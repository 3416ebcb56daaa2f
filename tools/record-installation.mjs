#!/usr/bin/env node
// Records what an older program leaves behind, for test/system/recorded-installation.test.ts and the others that unpack it:
//
//   git worktree add /tmp/older <commit> && cd /tmp/older && npm ci && npm run build
//   node tools/record-installation.mjs /tmp/older test/fixtures/installations/<commit>.tar.gz
//
// The archive holds a data folder with tasks in the states that an upgrade meets, two of them RUNNING when the program
// and its agents were killed, the remote repository, a backup, and the objects as YAML for a cluster. Paths of the
// folder stand in clones, sessions and objects, so it is always the same one and is unpacked there.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { get } from 'node:https'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

const FOLDER = '/tmp/slipway-recorded'
const [checkout, archive] = process.argv.slice(2)
if (checkout === undefined || archive === undefined) throw new Error('usage: record-installation.mjs CHECKOUT ARCHIVE')
const program = join(resolve(checkout), 'dist', 'bin', 'slipway.js')
const [data, bin, home, remote] = ['data', 'bin', 'home', 'remote.git'].map((name) => join(FOLDER, name))
const env = {
  PATH: `${bin}:/usr/bin:/bin`,
  HOME: home,
  LANG: 'C.UTF-8',
  ANTHROPIC_API_KEY: 'sk-of-the-tests',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'A Person'],
      [`GIT_${who}_EMAIL`, 'person@example.com'],
    ]),
  ),
}
const git = (...args) => execFileSync('git', args, { cwd: FOLDER, env, stdio: ['ignore', 'pipe', 'inherit'] })

rmSync(FOLDER, { recursive: true, force: true })
for (const folder of [bin, home]) mkdirSync(folder, { recursive: true })
copyFileSync(join(import.meta.dirname, '..', 'test', 'fixtures', 'agents', 'claude.mjs'), join(bin, 'claude.mjs'))
writeFileSync(join(bin, 'claude'), `#!/bin/sh\nexec ${process.execPath} ${bin}/claude.mjs "$@"\n`)
chmodSync(join(bin, 'claude'), 0o755)
git('init', '--quiet', '--bare', '--template=', '--initial-branch=main', remote)
git('clone', '--quiet', '--template=', remote, 'work')
writeFileSync(join(FOLDER, 'work', 'README.md'), '# Sample\n')
git('-C', 'work', 'add', '--all')
git('-C', 'work', 'commit', '--quiet', '--message', 'first')
git('-C', 'work', 'push', '--quiet', 'origin', 'HEAD:main')
rmSync(join(FOLDER, 'work'), { recursive: true })

let server
process.on('exit', () => server?.child.kill('SIGKILL'))
async function start(...args) {
  const child = spawn(process.execPath, [program, 'serve', '--listen', '127.0.0.1:0', '--data-dir', data, ...args], {
    env,
    cwd: FOLDER,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise((fulfil) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('ready ')) fulfil(line.slice('ready '.length))
    })
  })
  server = { child, url }
}
async function end(signal) {
  server.child.kill(signal)
  await once(server.child, 'exit')
}
async function call(method, path, body) {
  const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const response = await fetch(new URL(path, server.url), { method, ...json })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
async function until(words, isTrue) {
  for (let n = 0; !(await isTrue()); n++) {
    if (n > 1200) throw new Error(`not within two minutes: ${words}`)
    await setTimeout(100)
  }
}
const becomes = (id, state) =>
  until(`${id} is ${state}`, async () => {
    const task = await call('GET', `/api/tasks/${id}`)
    if (task.state !== state && task.state === 'FAILED') throw new Error(`${id} is ${task.state}: ${task.error}`)
    return task.state === state
  })
const script = (instructions) => ({ type: 'script', instructions })
const claude = (instructions) => ({ type: 'claude', instructions })
const create = (id, agent, fields) => call('POST', '/api/tasks', { id, name: id, project: 'shop', agent, ...fields })
async function run(id, state, agent, fields) {
  await create(id, agent, fields)
  await call('POST', `/api/tasks/${id}/run`)
  await becomes(id, state)
}

await start('--runtime', 'process')
await call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: remote, on_accept: 'merge' })
await run('archived', 'READY', script('echo archived | tee archived.txt'))
await call('POST', '/api/tasks/archived/accept')
// What later versions refuse: a user in the URL, who may be a token.
await create('archived-token', script('true'), {
  project: undefined,
  repository_url: 'https://ghp_token@127.0.0.1:9/shop.git',
})
await call('POST', '/api/tasks/archived-token/cancel')
await becomes('archived', 'COMPLETED')
await end('SIGINT')
// Each start archives at once.
await start('--runtime', 'process', '--retention', '{"closedCount": 0}')
for (const id of ['archived', 'archived-token'])
  await until(`${id} is archived`, async () => (await call('GET', `/api/tasks/${id}`)).archived_at !== undefined)
await end('SIGINT')

await start('--runtime', 'process')
await call('POST', '/api/projects', {
  id: 'odd',
  name: 'Odd',
  remote_url: 'https://ghp_token@127.0.0.1:9/odd.git',
  default_branch: 'ma in',
})
await call('POST', '/api/agents', { id: 'odd', adapter: 'claude', default_model: '-odd', credentials: {} })
await run('completed', 'READY', script('echo completed > completed.txt'))
await call('POST', '/api/tasks/completed/accept')
await becomes('completed', 'COMPLETED')
await run('ready', 'READY', script('echo ready > ready.txt'))
await run('ready-session', 'READY', claude('Write work.txt.'))
await run('rejected', 'READY', script('date +%N >> rejected.txt'))
await call('POST', '/api/tasks/rejected/reject', { comment: 'Once more, please.' })
await run('failed', 'FAILED', script('test -e begun && exit 0; echo begun > begun; exit 1'))
await run('failed-session', 'FAILED', claude('DIE-HALFWAY'))
await run('timed-out', 'TIMED_OUT', script('test -e half && exit 0; echo half > half; sleep 600'), {
  timeout_seconds: 2,
})
await run('over-budget', 'BUDGET_EXCEEDED', claude('Write work.txt.'), { budget_usd: 0.1 })
await run('asked', 'BLOCKED', claude('ASK-ME'))
await create('cancelled', script('true'))
await call('POST', '/api/tasks/cancelled/cancel')
await create('waiting', script('echo waiting > waiting.txt'), { depends_on: ['asked'] })
await call('POST', '/api/tasks/waiting/run')
await create('suspended', script('echo suspended > suspended.txt'), { suspend: true })
for (const story of ['shippable', 'half'])
  await call('POST', '/api/stories', { id: story, name: story, project_id: 'shop' })
const chain = (story, id, instructions) =>
  call('POST', `/api/stories/${story}/tasks`, { id, name: id, agent: script(instructions) })
await chain('shippable', 'shippable-1', 'echo one > one.txt')
await chain('shippable', 'shippable-2', 'cat one.txt && echo two > two.txt')
await chain('half', 'half-1', 'echo half > half-1.txt')
for (const story of ['shippable', 'half']) await call('POST', `/api/stories/${story}/run`)
const shippable = async (story) => (await call('GET', `/api/stories/${story}`)).status === 'SHIPPABLE'
for (const story of ['shippable', 'half']) await until(`${story} is SHIPPABLE`, () => shippable(story))
await chain('half', 'half-2', 'cat half-1.txt && echo half > half-2.txt')
await end('SIGINT')
execFileSync(process.execPath, [program, 'export', '--data-dir', data, '--file', join(FOLDER, 'backup.jsonl.gz')], {
  env,
  cwd: FOLDER,
  stdio: 'inherit',
})

await start('--runtime', 'process')
const forever = 'while true; do sleep 0.1; done'
await create(
  'running',
  script(`git config user.name A; git config user.email a@example.com; test -e half.txt && exit 0
echo half > half.txt; git add half.txt; git commit -m half; echo rest > rest.txt; echo begun; ${forever}`),
)
await create('running-session', claude('WAITS-FOR go'))
for (const id of ['running', 'running-session']) await call('POST', `/api/tasks/${id}/run`)
const output = (id) => join(data, 'volume', 'executions', `${id}-1`, 'agent', 'stdout.log')
for (const [id, words] of [
  ['running', 'begun'],
  ['running-session', 'I wait for go'],
])
  await until(`${id} works`, () => existsSync(output(id)) && readFileSync(output(id), 'utf8').includes(words))
const objects = {}
for (const kind of ['agents', 'projects', 'epics', 'stories', 'tasks', 'executions'])
  objects[kind] = await readObjects(kind)
await end('SIGKILL')
endProcesses()
writeFileSync(join(FOLDER, 'objects.json'), `${JSON.stringify(objects, null, 1)}\n`)
copyFileSync(join(resolve(checkout), 'dist', 'crds.json'), join(FOLDER, 'crds.json'))
mkdirSync(resolve(archive, '..'), { recursive: true })
const names = ['data', 'remote.git', 'backup.jsonl.gz', 'objects.json', 'crds.json']
execFileSync('bash', [
  '-c',
  `tar --owner=0 --group=0 --sort=name -C ${FOLDER} -c ${names.join(' ')} | gzip -9n > '${resolve(archive)}'`,
])
rmSync(FOLDER, { recursive: true })

async function readObjects(kind) {
  const kubeconfig = readFileSync(join(data, 'kubeconfig'), 'utf8')
  const [url, token] = [/server: (\S+)/, /token: (\S+)/].map((pattern) => pattern.exec(kubeconfig)?.[1])
  const path = `/apis/slipway.dev/v1alpha1/namespaces/default/${kind}`
  const ca = Buffer.from(/certificate-authority-data: (\S+)/.exec(kubeconfig)?.[1] ?? '', 'base64')
  const [response] = await once(
    get(new URL(path, url), { ca, headers: { authorization: `Bearer ${token}` } }),
    'response',
  )
  return JSON.parse(Buffer.concat(await response.toArray()).toString()).items
}

/** Agents outlive the server, as they would an upgrade; here they end with the machine. */
function endProcesses() {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      const isOurs =
        variables.some((v) => v.startsWith('SERVICE_EXECUTION_ID=')) && variables.some((v) => v.includes(FOLDER))
      if (isOurs) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // Ended meanwhile, or another user's.
    }
  }
}
