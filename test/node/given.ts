import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Container, Pod, PodSpec } from '../../kube/builtin.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'
import { type NodeOptions, type RunningNode, startNode } from '../../node/main.ts'
import { aCertificate } from '../helpers/certificate.ts'
import { until } from '../helpers/until.ts'
import { type MemoryApi, memoryApi } from './memory-api.ts'

/** By which the API server shows its nodes who it is. */
export const API_SERVER = aCertificate('api-server')

/** A second passes in a hundredth of one, for those who wait. */
export const hurried: Clock = { ...systemClock, schedule: (ms, callback) => systemClock.schedule(ms / 100, callback) }

export interface GivenNode {
  readonly api: MemoryApi
  readonly node: RunningNode
  readonly root: string
  /** The node's own folder. */
  readonly dir: string
  /** What the claim `data` resolves to. */
  readonly volume: string
  readonly secrets: string
  run(pod: TestPod): Promise<Pod>
  running(name: string): Promise<Pod>
  /** Waits for a terminal phase. */
  finished(name: string): Promise<Pod>
  /** Starts another node on the same folder and API, as after a restart; `node` is to be stopped or dead. */
  again(): Promise<RunningNode>
  end(): Promise<void>
}

export interface TestPod extends Partial<Omit<PodSpec, 'containers'>> {
  readonly name?: string
  readonly finalizers?: string[]
  readonly labels?: Readonly<Record<string, string>>
  /** bash, run by the one container `main`. */
  readonly script?: string
  readonly container?: Partial<Container>
  readonly containers?: readonly Container[]
}

export function script(name: string, text: string): Container {
  return { name, command: ['bash', '-c', text] }
}

export function newRoot(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'node-test-')).then((dir) => realpath(dir))
}

export interface Given extends Partial<NodeOptions> {
  /** Another node's; default a new one. */
  readonly api?: MemoryApi
  /** Folder of an earlier node; default a new one. */
  readonly root?: string
  /** Pods that the API knows before the node starts. */
  readonly pods?: readonly Pod[]
}

export async function givenNode({
  root: oldRoot,
  api: otherApi,
  pods = [],
  ...options
}: Given = {}): Promise<GivenNode> {
  const root = oldRoot ?? (await newRoot())
  const [dir, volume, secrets] = [join(root, 'node'), join(root, 'volume'), join(root, 'secrets')]
  await mkdir(volume, { recursive: true })
  const api = otherApi ?? memoryApi()
  pods.forEach((pod) => api.restore(pod))
  const start = (): Promise<RunningNode> =>
    startNode({
      client: api.client,
      name: 'here',
      dir,
      claims: { data: volume },
      secretsRoot: secrets,
      imagePaths: [],
      runtime: 'process',
      logReaders: API_SERVER.certificate,
      clock: systemClock,
      logger: makeLogger('silent'),
      randomBytes,
      ...options,
    })
  const nodes = [await start()]
  return {
    api,
    root,
    node: nodes[0] as RunningNode,
    dir,
    volume,
    secrets,
    async run({ name = 'pod', finalizers = [], labels = {}, script: text, container, containers, ...spec }) {
      const main = { ...script('main', text ?? 'true'), ...container }
      const full = { restartPolicy: 'Never' as const, ...spec, containers: containers ?? [main] }
      return api.createPod({ metadata: { name, finalizers, labels }, spec: full })
    },
    async running(name) {
      await until(`pod ${name} runs`, () => api.getPod(name).status?.phase === 'Running')
      return api.getPod(name)
    },
    async finished(name) {
      await until(`pod ${name} has ended`, () => /Succeeded|Failed/.test(api.getPod(name).status?.phase ?? ''))
      return api.getPod(name)
    },
    async again() {
      const next = await start()
      nodes.push(next)
      return next
    },
    async end() {
      await nodes.at(-1)?.stop({ endPods: true })
      // What just ended may still be writing its last words.
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}
