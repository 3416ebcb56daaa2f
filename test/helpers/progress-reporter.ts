/**
 * How far a run of the tests is, in a terminal and in a log alike: a line per file with the time since the start, each
 * failure in full as soon as it is known, and at the end the count, once more what failed, and what was left out.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import Mocha from 'mocha'
import type { LeftOut } from './leave-out.ts'

const TESTS = new URL('..', import.meta.url).pathname
/** What one run writes; a file per process, since some run side by side. */
const FOLDER = join(TESTS, '..', 'test-runs')
const { EVENT_HOOK_END, EVENT_RUN_END, EVENT_TEST_END, EVENT_TEST_FAIL, EVENT_TEST_PENDING } = Mocha.Runner.constants

/** A parallel run is told its files here; a serial one has loaded them before. */
type Run = (done: (failures: number) => void, given?: { readonly files?: readonly string[] }) => Mocha.Runner

class Progress extends Mocha.reporters.Base {
  private readonly startedAt = Date.now()
  private readonly leftOut = join(FOLDER, `left-out-${process.pid}.jsonl`)
  private readonly pending: string[] = []
  private fileCount = 0
  private filesDone = 0
  private file: string | undefined
  private tests = 0

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    // The processes of a parallel run, which start later, take these from here.
    mkdirSync(FOLDER, { recursive: true })
    process.env['SLIPWAY_LEFT_OUT'] = this.leftOut
    process.env['SLIPWAY_TEST_TIMES'] ??= join(FOLDER, `times-${process.pid}.jsonl`)
    const run: Run = runner.run.bind(runner)
    const counted: Run = (done, given) => {
      this.fileCount = given?.files?.length ?? new Set(runner.suite.suites.map(({ file }) => file)).size
      return run(done, given)
    }
    runner.run = counted
    runner.on(EVENT_HOOK_END, (hook) => this.add(hook, 0))
    runner.on(EVENT_TEST_END, (test) => this.add(test, 1))
    runner.on(EVENT_TEST_PENDING, (test) => this.pending.push(test.file ?? ''))
    runner.on(EVENT_TEST_FAIL, (failed) => {
      this.add(failed, 0)
      Mocha.reporters.Base.list([failed])
    })
    runner.on(EVENT_RUN_END, () => {
      this.endFile()
      this.epilogue()
      this.sayWhatWasLeftOut()
    })
  }

  /** Ends the process after a failure: what failed may have left a server running, for which mocha would wait for ever. */
  override done(failures: number, finish: (failures: number) => void): void {
    finish(failures)
    if (failures > 0) process.exit()
  }

  /** Events of one file come together, also where two files run at the same time. */
  private add({ file }: Mocha.Runnable, tests: number): void {
    // A hook of all files.
    if (file === undefined) return
    if (file !== this.file) this.endFile()
    this.file = file
    this.tests += tests
  }

  private endFile(): void {
    if (this.file === undefined) return
    this.filesDone += 1
    const seconds = Math.round((Date.now() - this.startedAt) / 1000)
    const files = `${this.filesDone}/${this.fileCount}`.padStart(8)
    const name = relative(TESTS, this.file).replace(/\.test\.js$/, '')
    Mocha.reporters.Base.consoleLog(`${String(seconds).padStart(5)} s ${files}  ${name} (${this.tests} tests)`)
    this.file = undefined
    this.tests = 0
  }

  private sayWhatWasLeftOut(): void {
    const reasons = readReasons(this.leftOut)
    const counts = new Map<string, number>()
    for (const file of this.pending) {
      const reason = reasons.get(file) ?? `not for this machine or control plane: ${relative(TESTS, file)}`
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
    for (const [reason, count] of counts) Mocha.reporters.Base.consoleLog(`  left out: ${count} (${reason})`)
    rmSync(this.leftOut, { force: true })
  }
}

/** Why tests of a file were left out, by the file. */
function readReasons(path: string): Map<string, string> {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
    const all = lines.map((line) => JSON.parse(line) as LeftOut)
    return new Map(all.map(({ file, reason }) => [file, reason]))
  } catch {
    return new Map()
  }
}

// The name under which require() finds a class in an ES module; mocha knows no other way.
export { Progress as 'module.exports' }
