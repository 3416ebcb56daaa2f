/** From a container as the API describes it to a running process, or the reason why there is none. */
import { access, constants, mkdir, stat, writeFile } from 'node:fs/promises'
import { delimiter, join, relative, resolve } from 'node:path'
import { hasErrorCode, ifThere, isIn } from '../lib/files.ts'
import type { Container, Pod } from '../kube/builtin.ts'
import { readContents } from './contents.ts'
import type { NodeContext } from './context.ts'
import { type Contents, resolveCommand, resolveEnvironment } from './environment.ts'
import { messageOf } from '../lib/error-message.ts'
import { ContainerConfigError, ContainerRefused } from './errors.ts'
import { type Mount, type Mounts, prepareMounts } from './mounts.ts'
import { type ContainerPaths, containerPaths } from './layout.ts'
import { type ContainerCommand, type RunningContainer, startContainer } from './process.ts'
import { ensureRuntimeFiles, shimPath } from './runtime-files.ts'
import { resolverPaths, sandboxArguments } from './sandbox.ts'

const TERMINATION_PATH = '/dev/termination-log'
/** Tells a plain process where its termination message goes, since every process shares the machine's /dev. */
const TERMINATION_VARIABLE = 'TERMINATION_MESSAGE_PATH'

export function pathsOf(context: Pick<NodeContext, 'dir'>, pod: Pod, container: Container): ContainerPaths {
  return containerPaths(context.dir, pod.metadata.uid ?? '', container.name)
}

export function containerId(pod: Pod, container: Container): string {
  return `${pod.metadata.uid ?? ''}/${container.name}`
}

/**
 * Starts a container of a pod.
 *
 * @throws ContainerConfigError something it names is missing; to be tried again
 * @throws ContainerRefused it cannot start, as it is written or on this machine (its disk is full, say)
 * @throws what the API answered when Secrets and ConfigMaps were read; to be tried again
 */
export async function launch(context: NodeContext, pod: Pod, container: Container): Promise<RunningContainer> {
  const contents = await readContents(context.client, pod)
  try {
    return await startContainer(await makeCommand(context, pod, container, contents))
  } catch (cause) {
    if (cause instanceof ContainerConfigError || cause instanceof ContainerRefused) throw cause
    throw new ContainerRefused(messageOf(cause), { cause })
  }
}

async function makeCommand(
  context: NodeContext,
  pod: Pod,
  container: Container,
  contents: Contents,
): Promise<ContainerCommand> {
  const mounts = await prepareMounts(pod, container, contents, context)
  const paths = pathsOf(context, pod, container)
  const env = resolveEnvironment(pod, container, contents, baseEnvironment(context, container, mounts, paths))
  const argv = resolveCommand(container, env)
  const cwd = container.workingDir ?? '/'
  await mkdir(paths.dir, { recursive: true, mode: 0o700 })
  await writeFile(paths.termination, '', { mode: 0o600 })
  const { clock, logger } = context
  const shim = shimPath(context.dir)
  await ensureRuntimeFiles(context)
  const isSandbox = context.runtime === 'bwrap'
  const command = { paths, id: containerId(pod, container), isSandbox, env, shim, clock, logger }
  await checkProgram(argv[0] ?? '', cwd, env['PATH'] ?? '', (path) => hostPath(mounts.mounts, path))
  if (!isSandbox) return { ...command, argv, cwd }
  const view = {
    hostname: pod.metadata.name.slice(0, 63),
    imagePaths: await existing([...context.imagePaths, ...(await resolverPaths())]),
    mounts: mounts.mounts,
    hiddenPaths: context.hiddenPaths,
    cwd,
    termination: { source: paths.termination, path: container.terminationMessagePath ?? TERMINATION_PATH },
  }
  return { ...command, argv: ['bwrap', ...sandboxArguments(view), ...argv], cwd: '/' }
}

/** bwrap shows nothing at all when one path is missing. */
export async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(async (path) => ((await programState(path)) === 'missing' ? [] : [path])))
  return found.flat()
}

function baseEnvironment(
  context: NodeContext,
  container: Container,
  { temporary }: Mounts,
  paths: ContainerPaths,
): Record<string, string> {
  if (context.runtime === 'bwrap') return { PATH: context.path, ...context.env }
  return {
    PATH: context.path,
    ...(temporary === undefined ? {} : { TMPDIR: temporary }),
    [TERMINATION_VARIABLE]: terminationFile(context, container, paths),
  }
}

/** Where the container's termination message lies on the machine. */
export function terminationFile({ runtime }: NodeContext, container: Container, paths: ContainerPaths): string {
  const asked = container.terminationMessagePath ?? TERMINATION_PATH
  return runtime === 'bwrap' || asked === TERMINATION_PATH ? paths.termination : asked
}

/** Where a path of the container lies on the machine: in its deepest mount, else in the image, which is the machine. */
function hostPath(mounts: readonly Mount[], path: string): string {
  const [mount] = mounts
    .filter(({ mountPath }) => isIn(mountPath, path))
    .sort((a, b) => b.mountPath.length - a.mountPath.length)
  return mount === undefined ? path : join(mount.source, relative(mount.mountPath, path))
}

/** The shell below would only say 127; a container runtime says why, in these words. */
async function checkProgram(
  program: string,
  cwd: string,
  path: string,
  onHost: (path: string) => string,
): Promise<void> {
  if (!(await isFolder(onHost(cwd)))) throw new ContainerRefused(`chdir to cwd ("${cwd}"): no such directory`)
  const places = program.includes('/')
    ? [resolve(cwd, program)]
    : path.split(delimiter).map((dir) => resolve(cwd, dir, program))
  const found = await Promise.all(places.map((place) => programState(onHost(place))))
  if (found.includes('executable')) return
  const problem = found.includes('forbidden') ? 'permission denied' : 'no such file or directory'
  const reason = program.includes('/') ? problem : 'executable file not found in $PATH'
  throw new ContainerRefused(`exec: "${program}": ${reason}`)
}

async function programState(path: string): Promise<'executable' | 'forbidden' | 'missing'> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile() ? 'executable' : 'forbidden'
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return 'missing'
    if (hasErrorCode(error, 'EACCES', 'ELOOP', 'ENAMETOOLONG')) return 'forbidden'
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await ifThere(stat(path), 'ENOENT', 'ENOTDIR', 'EACCES'))?.isDirectory() === true
}
