/**
 * What a sandbox may not ask of the kernel: a seccomp filter, written out as the classic BPF program that
 * `bwrap --seccomp` takes.
 *
 * Namespaces do not part everything. Keys above all: a process reaches the keyrings of its user from any namespace, so
 * an agent could read a login that its user keeps there, and leave keys for others. The filter forbids the system calls
 * for keys, and what Docker's default profile forbids to a container without capabilities: namespaces and mounts (with
 * a user namespace of its own an agent would be root over much of the kernel), modules, BPF, io_uring, clocks and the
 * like. It is a list of what is forbidden, not of what is allowed, so two rules keep it closed: calls that are newer
 * than the list, and calls by another convention than the machine's own (32-bit, x32), do not exist.
 *
 * A forbidden call fails with EPERM, as without the right to it. It fails with ENOSYS where programs ask a newer call
 * first and are to take the older one.
 *
 * Sources: Linux seccomp(2); docs.docker.com/engine/security/seccomp; the numbers of Linux' asm/unistd_64.h (x86-64)
 * and asm-generic/unistd.h (AArch64).
 */

/** Number on x86-64, number on AArch64; undefined where the architecture has no such call. */
type Numbers = readonly [x64: number | undefined, arm64: number | undefined]

/** The same on both, as every call since Linux 5.1. */
function since51(number: number): readonly [number, number] {
  return [number, number]
}

/** Calls that fail with EPERM whatever their arguments. */
export const FORBIDDEN = {
  // Keys.
  add_key: [248, 217],
  keyctl: [250, 219],
  request_key: [249, 218],
  // Namespaces and mounts.
  fsconfig: since51(431),
  fsmount: since51(432),
  fsopen: since51(430),
  fspick: since51(433),
  mount: [165, 40],
  mount_setattr: since51(442),
  move_mount: since51(429),
  open_tree: since51(428),
  open_tree_attr: since51(467),
  pivot_root: [155, 41],
  setdomainname: [171, 162],
  sethostname: [170, 161],
  setns: [308, 268],
  umount2: [166, 39],
  unshare: [272, 97],
  // The kernel itself: its code, its log, its clocks, its accounting, its quotas.
  acct: [163, 89],
  bpf: [321, 280],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  create_module: [174, undefined],
  delete_module: [176, 106],
  fanotify_init: [300, 262],
  finit_module: [313, 273],
  get_kernel_syms: [177, undefined],
  init_module: [175, 105],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
  open_by_handle_at: [304, 265],
  perf_event_open: [298, 241],
  query_module: [178, undefined],
  quotactl: [179, 60],
  quotactl_fd: since51(443),
  reboot: [169, 142],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  userfaultfd: [323, 282],
  vhangup: [153, 58],
  // The machine: ports, memory placement.
  get_mempolicy: [239, 236],
  ioperm: [173, undefined],
  iopl: [172, undefined],
  mbind: [237, 235],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  set_mempolicy: [238, 237],
  set_mempolicy_home_node: since51(450),
  // Other processes, beyond what ptrace allows.
  kcmp: [312, 272],
  pidfd_getfd: since51(438),
  process_madvise: since51(440),
  // Long out of use.
  _sysctl: [156, undefined],
  sysfs: [139, undefined],
  uselib: [134, undefined],
  ustat: [136, undefined],
} as const satisfies Readonly<Record<string, Numbers>>

/**
 * Calls that are said not to exist. clone3 takes its flags in memory, where no filter sees them: libraries then use
 * clone. io_uring does the work of other calls past every filter.
 */
export const ABSENT = {
  clone3: since51(435),
  io_uring_enter: since51(426),
  io_uring_register: since51(427),
  io_uring_setup: since51(425),
} as const satisfies Readonly<Record<string, readonly [number, number]>>

/** file_setattr of Linux 6.17: what has a higher number was not looked at, so it does not exist. */
export const NEWEST_KNOWN = 469

const CLONE = [56, 220] as const
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET (linux/sched.h). */
const NEW_NAMESPACE = 0x7e02_0000

const SOCKET = [41, 198] as const
/**
 * Address families that a sandbox does not get: two that use keys by name or number, past the calls above, and the one
 * that leads to the host of a virtual machine.
 */
export const FORBIDDEN_FAMILIES = { AF_RXRPC: 33, AF_ALG: 38, AF_VSOCK: 40 } as const

const PERSONALITY = [135, 92] as const
/** As in Docker: Linux, with the old version number, 32 bits or both; and the question for the present one. */
const PERSONALITIES = [0x0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff]

const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

/** What a filter is made for: `audit` is AUDIT_ARCH_… (linux/audit.h), `column` its place in {@link Numbers}. */
const ARCHITECTURES = {
  x64: { audit: 0xc000_003e, column: 0 },
  arm64: { audit: 0xc000_00b7, column: 1 },
} as const

/** One instruction (struct sock_filter): `jt` and `jf` are how many to skip when a comparison holds, or does not. */
type Instruction = readonly [code: number, jt: number, jf: number, k: number]

// linux/bpf_common.h: class, size or operation, and source of the operand.
const LOAD = 0x20
const IF_EQUAL = 0x15
const IF_GREATER = 0x25
const IF_ANY_BIT = 0x45
const RETURN = 0x06

// linux/seccomp.h: places in struct seccomp_data, and answers.
const AT_NUMBER = 0
const AT_ARCHITECTURE = 4
/** The lower half of the first argument, on a little-endian machine; the kernel takes no more of it here. */
const AT_ARGUMENT = 16
const SECCOMP_RET_ERRNO = 0x0005_0000
const ALLOW: Instruction = [RETURN, 0, 0, 0x7fff_0000]

const INSTRUCTION_BYTES = 8

/**
 * The filter for a machine's architecture, as Node names it (`process.arch`), in the form that `bwrap --seccomp` reads;
 * undefined for one whose numbers are not known here.
 */
export function seccompFilter(architecture: string): Buffer | undefined {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined
  const { audit, column } = ARCHITECTURES[architecture]
  const numbersOf = (calls: readonly Numbers[]): number[] =>
    calls.map((numbers) => numbers[column]).filter((number) => number !== undefined)
  return encode([
    [LOAD, 0, 0, AT_ARCHITECTURE],
    [IF_EQUAL, 1, 0, audit],
    fail(ENOSYS),
    [LOAD, 0, 0, AT_NUMBER],
    // Above it lie the calls of x32 as well, whose numbers have bit 30 set.
    [IF_GREATER, 0, 1, NEWEST_KNOWN],
    fail(ENOSYS),
    ...numbersOf(Object.values(FORBIDDEN)).flatMap((number) => only(number, [fail(EPERM)])),
    ...numbersOf(Object.values(ABSENT)).flatMap((number) => only(number, [fail(ENOSYS)])),
    ...only(CLONE[column], unlessArgument(IF_ANY_BIT, [NEW_NAMESPACE], EPERM)),
    ...only(SOCKET[column], unlessArgument(IF_EQUAL, Object.values(FORBIDDEN_FAMILIES), EAFNOSUPPORT)),
    ...only(PERSONALITY[column], ifArgument(PERSONALITIES, EPERM)),
    ALLOW,
  ])
}

function fail(errno: number): Instruction {
  return [RETURN, 0, 0, SECCOMP_RET_ERRNO | errno]
}

/** `body` for this call, which must end in an answer; any other call goes on behind it. */
function only(number: number, body: readonly Instruction[]): Instruction[] {
  return [[IF_EQUAL, 0, body.length, number], ...body]
}

/** Allows a call unless a comparison of its first argument holds. */
function unlessArgument(comparison: number, operands: readonly number[], errno: number): Instruction[] {
  const checks = operands.flatMap((operand): Instruction[] => [[comparison, 0, 1, operand], fail(errno)])
  return [[LOAD, 0, 0, AT_ARGUMENT], ...checks, ALLOW]
}

/** Allows a call if its first argument is one of these. */
function ifArgument(values: readonly number[], errno: number): Instruction[] {
  const checks = values.flatMap((value): Instruction[] => [[IF_EQUAL, 0, 1, value], ALLOW])
  return [[LOAD, 0, 0, AT_ARGUMENT], ...checks, fail(errno)]
}

/** Both architectures are little-endian. */
function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES)
  program.forEach(([code, jt, jf, k], i) => {
    const at = i * INSTRUCTION_BYTES
    bytes.writeUInt16LE(code, at)
    bytes.writeUInt8(jt, at + 2)
    bytes.writeUInt8(jf, at + 3)
    bytes.writeUInt32LE(k, at + 4)
  })
  return bytes
}
