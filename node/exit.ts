/** How a container ended, and the one file that says so for as long as the pod exists. */
import { mkdir } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { writeFileAtomic } from '../lib/files.ts'
import { compileCheck } from '../lib/validate.ts'
import { type ContainerPaths, readIfExists } from './layout.ts'

const Exit = Type.Object({
  exitCode: Type.Integer(),
  startedAt: Type.Optional(Type.String()),
  finishedAt: Type.String(),
  /** Only when it is not to be read from the exit code: the container never started, or nobody saw its end. */
  reason: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})

/** Instants are RFC 3339. */
export type Exit = Readonly<Static<typeof Exit>>

const Restarts = Type.Object({ count: Type.Integer({ minimum: 0 }), last: Type.Optional(Exit) })

/** How often a container was started again, and how it ended the last time. */
export type Restarts = Readonly<Static<typeof Restarts>>

const checkExit = compileCheck(Exit)
const checkRestarts = compileCheck(Restarts)

/** Undefined while the container has not ended. A torn or foreign file counts as absent. */
export async function readExit(paths: ContainerPaths): Promise<Exit | undefined> {
  const checked = checkExit(parse(await readIfExists(paths.state)))
  return checked.ok ? checked.value : undefined
}

/** Makes the container's folder where it is missing: what could never start has none. */
export async function writeExit(paths: ContainerPaths, exit: Exit): Promise<void> {
  await mkdir(paths.dir, { recursive: true, mode: 0o700 })
  await writeFileAtomic(paths.state, `${JSON.stringify(exit)}\n`, 0o600)
}

export async function readRestarts(paths: ContainerPaths): Promise<Restarts> {
  const checked = checkRestarts(parse(await readIfExists(paths.restarts)))
  return checked.ok ? checked.value : { count: 0 }
}

export async function writeRestarts(paths: ContainerPaths, restarts: Restarts): Promise<void> {
  await writeFileAtomic(paths.restarts, `${JSON.stringify(restarts)}\n`, 0o600)
}

function parse(text: Buffer | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
