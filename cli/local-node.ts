/** This machine as the node of the embedded control plane. */
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { homedir, hostname } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { HIDDEN_TOOLS_VARIABLE } from '../core/agent/tools.ts'
import { systemClock } from '../lib/clock.ts'
import { NODES } from '../kube/resources.ts'
import type { KubeClient } from '../kube/types.ts'
import type { Config } from '../lib/config-schema.ts'
import { writeFileAtomic } from '../lib/files.ts'
import type { Logger } from '../lib/log.ts'
import { type RunningNode, startNode } from '../node/main.ts'
import { openNodeName } from '../node/name.ts'
import { type FoundProgram, findPrograms, linkPrograms, programRoot } from './agent-programs.ts'
import type { EmbeddedAccess } from './control-plane.ts'
import { imagePaths } from './installation.ts'
import type { Isolation } from './isolation.ts'
import { checkToolFolders, findHiddenTools, toolVariables } from './tool-folders.ts'

/** The node, isolation and programs of executions on this machine. */
export interface LocalEnvironment {
  /** The name of the node. */
  readonly node: string
  readonly isolation: Isolation
  readonly programs: Programs
}

interface Programs {
  readonly found: readonly FoundProgram[]
  /** Holds a link to each. */
  readonly folder: string
  /** The file that lists what is on PATH and in no sandbox. */
  readonly hidden: string
}

/** In the node's folder: what of this machine its sandboxes show, for whoever is to see what agents see. */
export const SHOWN_FILE = 'shown.json'

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Finds what executions need, and reads the node's name from the data folder. */
export async function openLocalEnvironment(
  config: Config,
  { client }: EmbeddedAccess,
  choosing: Promise<Isolation>,
): Promise<LocalEnvironment> {
  const dir = nodeFolder(config)
  const registered = await findRegistered(client)
  const naming = { prefix: 'slipway', host: hostname(), registered, randomBytes }
  const [isolation, programs, node] = await Promise.all([
    choosing,
    openPrograms(config, dir),
    openNodeName(dir, naming),
  ])
  return { isolation, programs, node }
}

/** If a node whose folder was removed came back under another name, its pods would wait for ever. */
async function findRegistered(client: KubeClient): Promise<string | undefined> {
  const { items } = await client.list(NODES)
  return items[0]?.metadata.name
}

async function openPrograms({ toolFolders, dataDir }: Config, dir: string): Promise<Programs> {
  const [owner, place] = [
    { env: process.env, home: homedir() },
    { home: homedir(), dataDir },
  ]
  await checkToolFolders(toolFolders, place)
  const found = await findPrograms(process.env['PATH'] ?? '')
  const programs = { found, folder: join(dir, 'programs'), hidden: join(dir, 'hidden-tools') }
  await linkPrograms(programs.folder, found)
  const hidden = await findHiddenTools(owner, toolFolders, place)
  await writeFileAtomic(programs.hidden, hidden.programs.join('\n'))
  return programs
}

function nodeFolder({ dataDir }: Config): string {
  return join(dataDir, 'node')
}

/** The data volume of an installation whose pods run on this machine. */
export function localVolume({ dataDir }: Config): string {
  return join(dataDir, 'volume')
}

/** The folder of the Secrets of executions that run as plain processes. */
export function secretsRoot(config: Config): string {
  return join(nodeFolder(config), 'secrets')
}

/** Starts this machine's node. */
export async function startLocalNode(
  config: Config,
  access: EmbeddedAccess,
  { node, isolation, programs }: LocalEnvironment,
  logger: Logger,
): Promise<RunningNode> {
  const volume = localVolume(config)
  await mkdir(volume, { recursive: true, mode: 0o700 })
  const shown = {
    imagePaths: [...new Set([...imagePaths(), ...shownPaths(programs), ...config.toolFolders])],
    env: {
      [HIDDEN_TOOLS_VARIABLE]: programs.hidden,
      ...toolVariables(config.toolFolders, { env: process.env, home: homedir() }),
    },
    path: [programs.folder, process.env['PATH'] ?? USUAL_PATH].join(delimiter),
    hiddenPaths: [config.dataDir],
    runtime: isolation.kind === 'sandbox' ? 'bwrap' : 'process',
  } as const
  await writeFileAtomic(join(nodeFolder(config), SHOWN_FILE), JSON.stringify(shown), 0o600)
  return startNode({
    ...shown,
    client: access.as('node'),
    name: node,
    logReaders: access.certificate,
    dir: nodeFolder(config),
    claims: { [config.volumeClaim]: volume },
    secretsRoot: secretsRoot(config),
    clock: systemClock,
    logger,
    randomBytes,
  })
}

function shownPaths({ folder, found, hidden }: Programs): string[] {
  return [folder, hidden, ...found.map(programRoot)]
}
