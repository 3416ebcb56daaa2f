import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type FakeCluster, startFakeCluster } from '../helpers/port-forward.ts'
import { gitIn } from '../helpers/repository.ts'
import { PROGRAM, runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { type Server, makeInstallation } from './installation.ts'

describe('the built program with a kubeconfig alone', () => {
  const installation = makeInstallation()
  const kubeconfig = join(installation.folder, 'kubeconfig')
  const repository = join(installation.folder, 'work')
  let server: Server
  let cluster: FakeCluster
  before(async () => {
    mkdirSync(repository)
    gitIn(repository, 'init', '--quiet', '--initial-branch=main')
    gitIn(repository, 'commit', '--quiet', '--allow-empty', '--message', 'first')
    server = await installation.start()
    cluster = await startFakeCluster()
    writeFileSync(kubeconfig, cluster.kubeconfig)
    cluster.pods = [{ name: 'api-server-1', isReady: true, port: Number(new URL(server.program.url).port) }]
  })
  after(async () => {
    await cluster.close()
    await installation.dispose()
  })

  interface Following {
    output(): string
    interrupt(): void
    /** Its exit code. */
    readonly ended: Promise<number | null>
  }
  const follow = (id: string): Following => {
    const running = execFile(process.execPath, [PROGRAM, 'logs', '-f', id, '--kubeconfig', kubeconfig])
    let told = ''
    for (const stream of [running.stdout, running.stderr]) stream?.on('data', (text: string) => (told += text))
    const ended = new Promise<number | null>((resolve) => running.once('close', resolve))
    return { output: () => told, interrupt: () => running.kill('SIGINT'), ended }
  }

  it('lists tasks with the flags of kubectl, before the command or behind it', async () => {
    for (const args of [
      ['tasks', '--kubeconfig', kubeconfig],
      ['--context=other', '-n', 'ns', '--kubeconfig', kubeconfig, 'tasks'],
    ]) {
      const { code, output } = await runSlipway(args)
      assert.deepEqual([code, output], [0, 'No tasks. Begin one: slipway run "<what is to be done>"\n'])
    }
  })

  it('is a plugin of kubectl, which takes the cluster of KUBECONFIG', async () => {
    const plugin = join(installation.folder, 'kubectl-slipway')
    symlinkSync(PROGRAM, plugin)
    const env = { ...process.env, KUBECONFIG: kubeconfig }
    const { stdout } = await promisify(execFile)(process.execPath, [plugin, 'projects', '-o', 'json'], { env })
    assert.equal(stdout, '[]\n')
  })

  it('goes on following a task when the pod that it talks to goes away', async () => {
    await server.create('followed', 'echo begun; sleep 300', { repository_url: repository })
    await server.run('followed')
    await server.reaches('followed', 'RUNNING')
    const following = follow('followed')
    await until('a line of the stream', () => following.output().includes('begun'))
    cluster.endConnections()
    await until('no forwarded connection', () => cluster.connections() === 0)
    await until('another forwarded connection', () => cluster.connections() > 0)
    await server.call('POST', '/api/tasks/followed/cancel')
    assert.equal(await following.ended, 5, following.output())
    assert.match(following.output(), /the server is away; trying again …[^]*followed CANCELLED/)
  })

  it('ends at Ctrl-C while it follows, and leaves no connection', async () => {
    await server.create('left', 'sleep 300', { repository_url: repository })
    await server.run('left')
    await server.reaches('left', 'RUNNING')
    const following = follow('left')
    await until('the stream', () => following.output().includes('left-1 with'))
    following.interrupt()
    assert.equal(await following.ended, 130, following.output())
    assert.match(following.output(), /Left alone: left goes on/)
    await until('no forwarded connection', () => cluster.connections() === 0)
  })

  it('lets --server and SLIPWAY_SERVER win, and says so', async () => {
    const { code, output } = await runSlipway(['tasks', '-n', 'elsewhere', '--server', server.program.url])
    assert.equal(code, 0, output)
    assert.match(output, /^warning: --namespace not used: --server names the server\n/)
  })

  it('exits with 1 and the way out where no Slipway is', async () => {
    const { code, output } = await runSlipway(['tasks', '-n', 'lost', '--kubeconfig', kubeconfig])
    assert.equal(code, 1)
    assert.match(output, /^slipway: there is no namespace lost .* with -n\. Find it with: kubectl get services -A/)
  })
})
