/**
 * Tasks on one branch among people who push, merge, squash and rewrite, against real git: what was shown when the work was
 * accepted is what the default branch gets.
 */
import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import type { ExecutionResult } from '../../../core/execution/result.ts'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { systemClock } from '../../../lib/clock.ts'
import { runPaths } from '../../../runner/context.ts'
import { deliver } from '../../../runner/steps/deliver.ts'
import { prepare } from '../../../runner/steps/prepare.ts'
import { gitIn, makeRemote } from '../../helpers/repository.ts'
import { makeFolder, removeFolder } from '../execution.ts'

const WORKS = ['commit', 'amend', 'squash', 'rebase', 'merge', 'hide', 'undo', 'reshape', 'nothing'] as const
const OTHERS = ['push', 'main', 'squashed', 'merged', 'undone', 'updated', 'forced', 'removed', 'rewound'] as const
const TASK = ['remade', 'restored', 'accept'] as const

export type Event = (typeof WORKS | typeof OTHERS | typeof TASK)[number]

export interface History {
  readonly isStory: boolean
  /** The clones borrow from a mirror. */
  readonly isBorrowed: boolean
  readonly events: readonly Event[]
}

const KEY = '0123456789abcdef0123456789abcdef'

/** Ends with work that is accepted. */
export const histories: fc.Arbitrary<History> = fc.record({
  isStory: fc.boolean(),
  isBorrowed: fc.boolean(),
  events: fc
    .array(fc.constantFrom<Event>(...WORKS, ...OTHERS, ...TASK), { minLength: 2, maxLength: 6 })
    .map((events): Event[] => [...events, 'commit', 'accept']),
})

/** What a task, or a story, keeps between executions. */
interface Kept {
  readonly pushes: NonNullable<RunSpec['pushes']>
  readonly baseCommit?: string | undefined
  readonly review?: Reviewed | undefined
}

/** What was shown. */
interface Reviewed {
  readonly head: string
  readonly baseCommit: string
  readonly commits: readonly string[]
  readonly foreign: readonly string[]
  readonly diff: string
}

/** Plays the events, and holds every accept against what was shown for it. */
export async function playHistory({ isStory, isBorrowed, events }: History): Promise<void> {
  const root = makeFolder()
  const remote = makeRemote(root, { a: 'a\n', b: 'b\n' })
  const branch = isStory ? 'story/s' : 'slipway/demo'
  const strangers = new Set<string>()
  let kept: Kept = { pushes: [] }
  const snapshots: Kept[] = []
  let count = 0

  const has = (ref: string): boolean => remote.git('for-each-ref', `refs/heads/${ref}`) !== ''
  const perform = async (script: (clone: string) => void, more: Partial<RunSpec>): Promise<Execution> => {
    const execution = `demo-${(count += 1)}`
    const borrowed = isBorrowed && more.delivery === undefined ? { mirror: KEY } : {}
    const run: RunSpec = { ...plainRun(join(root, 'volume'), remote.path, branch), execution, ...borrowed, ...more }
    const paths = runPaths(run)
    mkdirSync(paths.agentOutput, { recursive: true })
    const tmp = mkdtempSync(join(root, 'tmp-'))
    const env = { ...process.env, TERMINATION_MESSAGE_PATH: join(root, 'termination') }
    const signal = new AbortController().signal
    const context = { run, paths, clock: systemClock, signal, tmp, env, say: () => undefined }
    if (run.delivery === undefined) {
      assert.equal(await prepare(context), 0)
      script(paths.clone)
      writeFileSync(join(paths.agentOutput, 'outcome.json'), JSON.stringify(success(execution)))
    }
    await deliver(context)
    const read = (file: string): string => {
      const path = join(paths.execution, file)
      return existsSync(path) ? readFileSync(path, 'utf8') : ''
    }
    return { result: JSON.parse(read('result.json')) as ExecutionResult, read }
  }

  const work = async (what: (typeof WORKS)[number]): Promise<void> => {
    const { pushes, baseCommit } = kept
    const task = isStory ? {} : { baseCommit }
    const { result, read } = await perform((clone) => doWork(clone, what, count), {
      ...(pushes.length === 0 ? {} : { pushes: [...pushes] }),
      ...(task.baseCommit === undefined ? {} : { baseCommit: task.baseCommit }),
    })
    if (!result.pushed) return
    snapshots.push(kept)
    kept = {
      pushes: result.push === undefined ? pushes : [...pushes, result.push],
      baseCommit: result.baseCommit,
      review: shown(result, isStory ? read('branch.diff') : read('changes.diff'), isStory),
    }
  }

  const accept = async (): Promise<void> => {
    const { review, pushes } = kept
    if (review === undefined) return
    const before = remote.git('rev-parse', 'main')
    const delivery = { kind: 'Merge', branch, commit: review.head } as const
    const { baseCommit } = review
    const spec = { delivery, baseCommit, ...(pushes.length === 0 ? {} : { pushes: [...pushes] }) }
    const { result, read } = await perform(() => undefined, spec)
    if (result.outcome === 'succeeded') {
      compare(review, before, remote.git('rev-parse', 'main'))
      return
    }
    assert.equal(remote.git('rev-parse', 'main'), before)
    if (result.head === undefined || result.baseCommit === undefined) return
    kept = { ...kept, baseCommit: result.baseCommit, review: shown(result, read('changes.diff'), false) }
    await accept()
  }

  const compare = (review: Reviewed, before: string, after: string): void => {
    const gained = lines(remote.git('rev-list', after, `^${before}`))
    const listed = new Set([...review.commits, after])
    assert.deepEqual(
      gained.filter((commit) => !listed.has(commit)),
      [],
      'every commit that the default branch got was shown',
    )
    const named = new Set(review.foreign)
    assert.deepEqual(
      gained.filter((commit) => strangers.has(commit) && !named.has(commit)),
      [],
      'commits of others were named',
    )
    if (before !== review.baseCommit) return
    remote.git('read-tree', before)
    if (review.diff !== '') {
      writeFileSync(join(root, 'shown.diff'), review.diff)
      remote.git('apply', '--cached', '--allow-empty', join(root, 'shown.diff'))
    }
    assert.equal(remote.git('rev-parse', `${after}^{tree}`), remote.git('write-tree'), 'the diff is what was added')
  }

  const strange = (what: (typeof OTHERS)[number]): void => {
    if (what === 'push') strangers.add(remote.commit(branch, { [`theirs-${(count += 1)}`]: 'x\n' }, 'theirs'))
    else if (what === 'main') strangers.add(remote.commit('main', { [`main-${(count += 1)}`]: 'x\n' }))
    else if (what === 'rewound') rewind()
    else if (!has(branch)) return
    else if (what === 'removed') remote.git('update-ref', '-d', `refs/heads/${branch}`)
    else if (what === 'forced') remote.git('update-ref', `refs/heads/${branch}`, force())
    else if (what === 'updated') update()
    else if (what === 'undone') undo()
    else joinMain(what)
  }
  const rewind = (): void => {
    const parent = remote.git('rev-list', '--first-parent', '--max-count=2', 'main').split('\n')[1]
    if (parent !== undefined) remote.git('update-ref', 'refs/heads/main', parent)
  }
  /** Somebody amends what the branch ends with. */
  const force = (): string => {
    const parents = lines(remote.git('rev-parse', `${branch}^@`)).flatMap((parent) => ['-p', parent])
    const commit = remote.git('commit-tree', `${branch}^{tree}`, ...parents, '-m', `forced ${(count += 1)}`)
    strangers.add(commit)
    return commit
  }
  /** Somebody merges main into the branch, where that is simple. */
  const update = (): void => {
    if (remote.git('rev-list', `main..${branch}`) === '' || remote.git('rev-list', `${branch}..main`) === '') return
    const tree = mergedTree('main', branch)
    if (tree === undefined) return
    const commit = remote.git('commit-tree', tree, '-p', branch, '-p', 'main', '-m', 'updated')
    strangers.add(commit)
    remote.git('update-ref', `refs/heads/${branch}`, commit)
  }
  const mergedTree = (ours: string, theirs: string): string | undefined => {
    try {
      return remote.git('merge-tree', '--write-tree', ours, theirs)
    } catch {
      return undefined
    }
  }
  /** Somebody takes back the last commit of main. */
  const undo = (): void => {
    const parent = remote.git('rev-list', '--first-parent', '--max-count=2', 'main').split('\n')[1]
    if (parent === undefined) return
    const commit = remote.git('commit-tree', `${parent}^{tree}`, '-p', 'main', '-m', `undo ${(count += 1)}`)
    remote.git('update-ref', 'refs/heads/main', commit)
  }
  /** As a host does, where that is simple: the branch has all that main has. */
  const joinMain = (what: 'squashed' | 'merged'): void => {
    if (remote.git('rev-list', `${branch}..main`) !== '') return
    const parents = what === 'merged' ? ['-p', 'main', '-p', branch] : ['-p', 'main']
    const commit = remote.git('commit-tree', `${branch}^{tree}`, ...parents, '-m', what)
    remote.git('update-ref', 'refs/heads/main', commit)
  }

  try {
    for (const event of events) {
      if (includes(WORKS, event)) await work(event)
      else if (includes(OTHERS, event)) strange(event)
      else if (event === 'remade') kept = { pushes: [] }
      else if (event === 'restored') kept = snapshots.at(-1) ?? kept
      else await accept()
    }
  } finally {
    removeFolder(root)
  }
}

interface Execution {
  readonly result: ExecutionResult
  readonly read: (file: string) => string
}

function includes<T extends string>(list: readonly T[], event: string): event is T {
  return list.some((one) => one === event)
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

function shown(result: ExecutionResult, diff: string, isOfStory: boolean): Reviewed | undefined {
  const review = isOfStory ? result.branchReview : result
  if (review?.baseCommit === undefined || result.head === undefined) return undefined
  return {
    head: result.head,
    baseCommit: review.baseCommit,
    commits: review.commits ?? [],
    foreign: (review.foreignCommits ?? []).map(({ commit }) => commit),
    diff,
  }
}

function plainRun(volumeRoot: string, repositoryUrl: string, branch: string): RunSpec {
  return {
    schemaVersion: 1,
    task: 'demo',
    execution: 'demo-1',
    jobNumber: 1,
    volumeRoot,
    title: 'Do the demo',
    repositoryUrl,
    branch,
    keepClone: false,
    deliverOnly: false,
    agent: { name: 'script', adapter: 'script' },
    timeoutSeconds: 60,
    maxLogBytes: 10_000_000,
  }
}

function success(execution: string): object {
  const at = '2026-07-01T10:00:00Z'
  return { schemaVersion: 1, execution, jobNumber: 1, outcome: 'succeeded', startedAt: at, finishedAt: at }
}

/** What an agent does in its clone. */
function doWork(clone: string, what: (typeof WORKS)[number], n: number): void {
  const attempt = (...args: string[]): void => {
    try {
      gitIn(clone, ...args)
    } catch {
      for (const undo of ['rebase', 'merge']) quietly(clone, undo, '--abort')
    }
  }
  const commit = (file: string, ...how: string[]): void => {
    writeFileSync(join(clone, file), `${n}\n`)
    gitIn(clone, 'add', '--all')
    gitIn(clone, 'commit', '--quiet', '--allow-empty', '--message', `work ${n}`, ...how)
  }
  if (what === 'commit') commit(`file-${n % 3}`)
  if (what === 'amend') commit(`file-${n % 3}`, '--amend')
  if (what === 'rebase') attempt('rebase', '--quiet', 'origin/main')
  if (what === 'merge') attempt('merge', '--quiet', '--no-edit', 'origin/main')
  if (what === 'squash') {
    attempt('reset', '--quiet', '--soft', gitIn(clone, 'merge-base', 'origin/main', 'HEAD'))
    commit(`file-${n % 3}`)
  }
  if (what === 'undo')
    attempt('revert', '--no-edit', ...(gitIn(clone, 'rev-parse', 'HEAD^@').includes('\n') ? ['-m1'] : []), 'HEAD')
  if (what === 'reshape') reshape(clone, n, commit)
  if (what === 'hide') {
    commit(`hidden-${n}`)
    gitIn(clone, 'rm', '--quiet', `hidden-${n}`)
    gitIn(clone, 'commit', '--quiet', '--message', `hide ${n}`)
  }
}

/** Changes the kind, the mode or the name of what is there. */
function reshape(clone: string, n: number, commit: (file: string) => void): void {
  const at = (name: string): string => join(clone, name)
  const file = gitIn(clone, 'ls-files')
    .split('\n')
    .find((name) => name !== '' && name !== 'a' && existsSync(at(name)))
  if (file === undefined) return commit(`beside-${n}`)
  if (n % 5 === 0) chmodSync(at(file), 0o755)
  if (n % 5 === 1) gitIn(clone, 'mv', file, `renamed ${n} \u00e9`)
  if (n % 5 === 2) {
    rmSync(at(file), { recursive: true, force: true })
    mkdirSync(at(file), { recursive: true })
    writeFileSync(at(`${file}/inner`), 'inner\n')
  }
  if (n % 5 === 3) {
    rmSync(at(file), { recursive: true, force: true })
    symlinkSync('a', at(file))
  }
  if (n % 5 === 4) {
    mkdirSync(at(`sub-${n}`))
    gitIn(clone, 'update-index', '--add', '--cacheinfo', `160000,${gitIn(clone, 'rev-parse', 'HEAD')},sub-${n}`)
  }
  commit(`beside-${n}`)
}

function quietly(clone: string, ...args: string[]): void {
  try {
    gitIn(clone, ...args)
  } catch {
    // There was nothing to undo.
  }
}
