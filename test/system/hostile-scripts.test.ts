import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectApi } from '../../core/rest/client/connect.ts'
import { type Remote, makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, kindPath, makeInstallation, processesOf } from './installation.ts'

const MIB = 1024 * 1024

/** Ignores SIGTERM; so do a child in a session of its own and a child of that one. */
const STUBBORN = `trap '' TERM INT HUP
(setsid bash -c 'trap "" TERM; while :; do sleep 0.1; done') &
(while :; do sleep 0.1; done) & disown
echo started; while :; do sleep 0.1; done`

describe('a script that misbehaves', function () {
  let installation: Installation
  let server: Server
  let remote: Remote

  before(async () => {
    installation = makeInstallation()
    remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    server = await installation.start()
    // The two that are killed after a grace of 15 s run beside the others.
    const merge = { 'content-type': 'application/merge-patch+json' }
    await server.kube.send('PATCH', kindPath('agents', 'script'), { spec: { maxConcurrent: 3 } }, merge)
    await submit('stubborn', STUBBORN)
    // Time enough for bash to come as far as its trap on a machine that does much else.
    await submit('late', STUBBORN, { timeout_seconds: 5 })
    await hasPrinted('stubborn-1', 'started')
    await hasPrinted('late-1', 'started')
    await until('the script has forked', () => processesOf('stubborn-1').length >= 3)
    const reply = await server.call('POST', '/api/tasks/stubborn/cancel')
    assert.equal(reply.status, 202, reply.text)
  })

  after(() => installation.dispose())

  async function submit(id: string, script: string, fields = {}): Promise<void> {
    await server.create(id, script, { repository_url: remote.path, ...fields })
    await server.run(id)
  }

  const stdoutOf = (execution: string): string => installation.executionFile(execution, 'agent/stdout.log')

  const hasPrinted = (execution: string, text: string): Promise<void> =>
    until(
      `${execution} printed ${text}`,
      () => existsSync(stdoutOf(execution)) && readFileSync(stdoutOf(execution), 'utf8').includes(text),
    )

  const nothingRuns = (execution: string): Promise<void> =>
    until(`no process of ${execution} is left`, () => processesOf(execution).length === 0)

  describe('by printing 200 MB', () => {
    const LINE = 8000
    const LINES = 25_000
    let atStart = 0
    let peak = 0

    before(async () => {
      atStart = residentBytes(server.program.child.pid)
      await submit('loud', `line=$(printf '%${LINE - 1}s' x); yes "$line" | head -n ${LINES}; echo work > work.txt`)
      const watching = setInterval(() => (peak = Math.max(peak, residentBytes(server.program.child.pid))), 50)
      await server.reaches('loud', 'READY')
      clearInterval(watching)
    })

    it('keeps every byte', () => {
      assert.equal(statSync(stdoutOf('loud-1')).size, LINE * LINES)
    })

    it('takes the server no more than 100 MiB of memory', () => {
      assert.ok(peak - atStart < 100 * MIB, `grew from ${mib(atStart)} to ${mib(peak)}`)
    })

    it('can be followed to the end through the log stream', async () => {
      let lines = 0
      let end: unknown
      const client = connectApi({ url: server.program.url, fetch })
      const log = client.streamTaskLogs({ params: { id: 'loud' } })
      for await (const { event, data } of log) {
        if (event === 'log' && data['stream'] === 'stdout') lines += 1
        if (event === 'end') end = data['state']
      }
      assert.deepEqual([lines, end], [LINES, 'READY'])
    })
  })

  it('by leaving a daemon behind is READY, and the daemon is gone', async () => {
    await submit('daemon', `setsid bash -c 'trap "" TERM; while :; do sleep 0.1; done' > /dev/null 2>&1 & echo done`)
    await server.reaches('daemon', 'READY')
    await nothingRuns('daemon-1')
  })

  it('by printing binary is served byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 7) % 256))
    writeFileSync(join(installation.dataDir, 'volume', 'drops', 'binary'), bytes)
    await submit('binary', 'cat "$SERVICE_DROP_DIR/binary"')
    await server.reaches('binary', 'READY')
    const response = await fetch(new URL('/api/executions/binary-1/stdout', server.program.url))
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes)
  })

  it('by deleting its clone fails and says so', async () => {
    await submit('rubble', 'rm -rf "$PWD" 2>/dev/null; rm -rf .git; echo gone')
    const task = await server.reaches('rubble', 'FAILED')
    assert.match(String(task['error']), /clone/)
  })

  it('by planting a hook, a filter and a helper runs nothing outside the agent’s step', async () => {
    const proof = join(installation.folder, 'proof')
    await submit(
      'planter',
      `hook='#!/bin/sh\necho owned > ${proof}; echo owned > "$SERVICE_DROP_DIR/owned"'
      for name in pre-commit post-commit pre-push post-checkout reference-transaction post-index-change; do
        echo "$hook" > .git/hooks/$name; chmod +x .git/hooks/$name
      done
      # The clone's own git runs filters, in the agent's step alone: only what that starts has this variable.
      filter='[ -n "$SERVICE_SUMMARY_FILE" ] || touch ${proof}; cat'
      git config filter.evil.clean "$filter"; git config filter.evil.smudge "$filter"
      git config core.fsmonitor "touch ${proof}"; git config core.sshCommand "touch ${proof}"
      git config credential.helper "!touch ${proof}"; git config diff.external "touch ${proof}"
      echo '* filter=evil diff=evil' > .gitattributes; echo work > work.txt`,
    )
    const task = await server.reaches('planter', 'READY')
    assert.equal(existsSync(proof), false)
    assert.equal(existsSync(join(installation.dataDir, 'volume', 'drops', 'owned')), false)
    assert.equal(remote.git('show', `${String(task['branch'])}:work.txt`), 'work')
  })

  it('by putting links to files outside in place of its output shows nothing of them', async () => {
    const secret = join(installation.folder, 'secret.txt')
    writeFileSync(secret, 'top secret')
    await submit(
      'linker',
      `out=$(dirname "$SERVICE_SUMMARY_FILE"); [ -d "$out/agent" ] && out="$out/agent"
      ln -sf ${secret} "$SERVICE_SUMMARY_FILE"; mkdir -p "$out/artifacts"
      ln -sf ${secret} "$out/artifacts/note.txt"; ln -sf ${secret} work-link
      rm -f "$out/stderr.log"; ln -s ${secret} "$out/stderr.log"; ls -la "$out"`,
    )
    await until(
      'linker has ended',
      async () => !['QUEUED', 'RUNNING'].includes(String((await server.task('linker'))['state'])),
    )
    const task = await server.task('linker')
    const paths = ['stdout', 'stderr', 'artifacts', 'artifacts/note.txt', 'diff'].map(
      (name) => `/api/executions/linker-1/${name}`,
    )
    const replies = await Promise.all(paths.map((path) => server.call('GET', path)))
    const shown = [JSON.stringify(task), ...replies.map(({ text }) => text)].join('\n')
    assert.ok(!shown.includes('top secret'), shown)
  })

  it('by ignoring SIGTERM and forking is ended with all its processes when cancelled', async () => {
    await server.reaches('stubborn', 'CANCELLED')
    await nothingRuns('stubborn-1')
  })

  it('by ignoring SIGTERM and forking is ended with all its processes at its time-out', async () => {
    const task = await server.reaches('late', 'TIMED_OUT')
    assert.match(String(task['error']), /did not finish within 5 seconds/)
    await nothingRuns('late-1')
  })
})

function residentBytes(pid: number | undefined): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) * 1024
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`
}
