/**
 * Loaded by mocha into each of its processes. Writes a line for each test into the file that SLIPWAY_TEST_TIMES names: what
 * it took, and what it cost the processor; `npm run slowest` reads it. Says how many cases properties try.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { configureGlobal } from 'fast-check'
import { runs } from './runs.ts'

/** Fast-check's own number. */
const CASES = 100
const TESTS = new URL('..', import.meta.url).pathname

/** One test, with the hooks and the loading of its file that came before it since the test before. */
export interface TestTime {
  readonly file: string
  readonly title: string
  readonly seconds: number
  /** Of this process and of its children that have ended. */
  readonly processor: number
}

const TICKS_PER_SECOND = 100

/** Seconds of the processor that the children took which have ended; 0 where there is no /proc. */
function childrenSeconds(): number {
  try {
    // The name of the program, which may hold anything, ends with the last bracket; cutime and cstime are fields 16 and 17.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childrenSeconds()
}

let [lastAt, lastProcessor] = [performance.now(), 0]

function noteTest(this: Mocha.Context): void {
  const { SLIPWAY_TEST_TIMES: path } = process.env
  const test = this.currentTest
  const [now, processor] = [performance.now(), processorSeconds()]
  if (path !== undefined && test !== undefined) {
    const time: TestTime = {
      file: relative(TESTS, test.file ?? '').replace(/\.test\.js$/, ''),
      title: test.fullTitle(),
      seconds: (now - lastAt) / 1000,
      processor: processor - lastProcessor,
    }
    appendFileSync(path, `${JSON.stringify(time)}\n`)
  }
  ;[lastAt, lastProcessor] = [now, processor]
}

/** A process of a parallel run waits for its next file: that is nobody's time. */
function beginFile(): void {
  lastAt = performance.now()
}

configureGlobal({ numRuns: runs(CASES) })

export const mochaHooks: Mocha.RootHookObject = { beforeAll: beginFile, afterEach: noteTest }
