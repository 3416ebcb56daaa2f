/**
 * A container's view of the machine, as arguments for bubblewrap: the system's folders and the image's read-only,
 * the pod's mounts, fresh /proc, /dev, /tmp and /run, and nothing else; what is not named does not exist inside.
 * Its own user, PID, IPC and UTS namespace; the network is the machine's. What it may ask of the kernel is in seccomp.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { groupEnds } from '../lib/process.ts'
import type { Clock } from '../lib/clock.ts'
import type { Mount } from './mounts.ts'
import { seccompFilter } from './seccomp.ts'

/** Where bwrap finds the filter: an open file of this number, whose content whoever starts it lays in this file. */
export const SECCOMP_FD = 4
export const SECCOMP_FILE = 'seccomp.bpf'

export interface SandboxView {
  readonly hostname: string
  /** Host paths shown read-only at the same place. */
  readonly imagePaths: readonly string[]
  readonly mounts: readonly Mount[]
  /** Host folders that stay unseen even where they lie in a folder of the system. */
  readonly hiddenPaths: readonly string[]
  readonly cwd: string
  /** Host file bound at this path for the termination message. */
  readonly termination: { readonly source: string; readonly path: string }
}

/** What programs need of the machine: programs and libraries, certificates, names of users and hosts. */
export const SYSTEM_PATHS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix', '/gnu']

/** Only the files of /etc that are meant for everybody: root could read keys and password hashes in the others. */
const ETC_PATHS = [
  'alternatives',
  'bash.bashrc',
  'ca-certificates',
  'crypto-policies',
  'debian_version',
  'fonts',
  'gitconfig',
  'group',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'locale.conf',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'pki/ca-trust',
  'pki/tls/certs',
  'profile',
  'protocols',
  'resolv.conf',
  'services',
  'ssl/certs',
  'ssl/cert.pem',
  'ssl/openssl.cnf',
  'terminfo',
  'timezone',
].map((name) => `/etc/${name}`)

/**
 * Arguments up to and including `--`; program and arguments follow. Parents are bound before what lies in them, so
 * that a mount inside another one is seen. Each folder of an image path or mount is made by bwrap, empty.
 */
export function sandboxArguments(view: SandboxView): string[] {
  const binds = [
    ...view.imagePaths.map((path) => ({ source: path, mountPath: path, readOnly: true })),
    ...view.mounts,
    { source: view.termination.source, mountPath: view.termination.path, readOnly: false },
  ].sort((a, b) => depth(a.mountPath) - depth(b.mountPath))
  return [
    '--seccomp',
    String(SECCOMP_FD),
    // An ordinary user gets one anyway. Root in one of its own has no right over the machine, however it came by one.
    '--unshare-user-try',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--hostname',
    view.hostname,
    // Its parent is the shim: the sandbox outlives the node, and never the shim.
    '--new-session',
    '--die-with-parent',
    // Started by root it would keep root's capabilities, and with them a way to mount the rest again.
    '--cap-drop',
    'ALL',
    ...[...SYSTEM_PATHS, ...ETC_PATHS].flatMap((path) => ['--ro-bind-try', path, path]),
    ...FRESH.flat(),
    ...KERNEL_PATHS.flatMap((path) => ['--ro-bind-try', path, path]),
    ...SECRET_PATHS.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...view.hiddenPaths.filter(isInSystem).flatMap((path) => ['--tmpfs', path]),
    ...binds.flatMap(({ source, mountPath, readOnly }) => [readOnly ? '--ro-bind' : '--bind', source, mountPath]),
    // The root itself is a folder in memory: nobody shall think that what is written there is kept.
    '--remount-ro',
    '/',
    '--chdir',
    view.cwd,
    '--',
  ]
}

/** Elsewhere nothing is shown that would have to be hidden. */
function isInSystem(path: string): boolean {
  return SYSTEM_PATHS.some((system) => path.startsWith(`${system}/`))
}

const FRESH = [
  ['--proc', '/proc'],
  ['--dev', '/dev'],
  ['--tmpfs', '/tmp'],
  ['--tmpfs', '/run'],
  ['--tmpfs', '/var/tmp'],
]

/**
 * Settings of the kernel, which belong to root with or without capabilities: whoever writes core_pattern runs
 * programs outside. bwrap covers those that access(2) calls writable, and of /proc/sys that is not true.
 */
const KERNEL_PATHS = ['acpi', 'asound', 'fs', 'scsi', 'sys', 'sysrq-trigger'].map((name) => `/proc/${name}`)

/**
 * What the kernel tells of the whole machine: its memory, its timers, and the keys of its users, which are no
 * namespace's own. A kernel has only some of them.
 */
const SECRET_PATHS = ['kcore', 'key-users', 'keys', 'latency_stats', 'sched_debug', 'timer_list', 'timer_stats'].map(
  (name) => `/proc/${name}`,
)

function depth(path: string): number {
  return path.split('/').filter((segment) => segment !== '').length
}

/** Name resolution must work inside, where /run, which often holds the real file, is empty. */
export async function resolverPaths(): Promise<string[]> {
  const path = await realpath('/etc/resolv.conf').catch(() => '/etc/resolv.conf')
  return path.startsWith('/etc/') ? [] : [path]
}

const PROBE_MS = 5_000

/** Whether bubblewrap is here and may do its work (a kernel or a container can forbid it): runs `true` in it. */
export async function canUseBwrap(clock: Clock): Promise<boolean> {
  if (seccompFilter(process.arch) === undefined) return false
  const view = {
    hostname: 'probe',
    imagePaths: [],
    mounts: [],
    hiddenPaths: [],
    cwd: '/',
    termination: { source: '/dev/null', path: '/dev/termination-log' },
  }
  const env = { PATH: process.env['PATH'] ?? '' }
  const child = startInSandbox(view, ['true'], { env, stdio: 'ignore', detached: true })
  const code = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', resolve)
  })
  const { pid } = child
  if (pid !== undefined && !(await groupEnds(pid, PROBE_MS, clock))) child.kill('SIGKILL')
  return (await code) === 0
}

/**
 * Starts a program in a sandbox of its own, without a container around it.
 *
 * @param options as for spawn; `stdio` is that of stdin, stdout and stderr alike
 */
export function startInSandbox(
  view: SandboxView,
  argv: readonly string[],
  {
    env,
    stdio,
    detached,
  }: {
    readonly env: Readonly<Record<string, string>>
    readonly stdio: 'ignore' | 'inherit'
    readonly detached: boolean
  },
): ChildProcess {
  const child = spawn('bwrap', [...sandboxArguments(view), ...argv], {
    env,
    stdio: [stdio, stdio, stdio, 'ignore', 'pipe'],
    detached,
  })
  const pipe = child.stdio[SECCOMP_FD]
  if (pipe instanceof Writable) {
    // A bwrap that is not there, or ends before it has read the filter: its exit says so.
    pipe.on('error', () => undefined)
    pipe.end(seccompFilter(process.arch))
  }
  return child
}
