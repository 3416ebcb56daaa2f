import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { PLANS_PATH, planPath } from '../../core/execution/layout.ts'
import { parseJson } from '../../core/json.ts'
import { closed, Instant, maybe, RecordId } from '../../core/schema/fields.ts'
import { StoryApproval } from '../../core/rest/requests/approve.ts'
import { ifThere, syncFolder, writeFileAtomic } from '../../lib/files.ts'
import { compileCheck } from '../../lib/validate.ts'

/** A plan on its way to a story, with all that its objects are made from: whoever finishes it makes the same. */
const StoredPlan = closed({
  schemaVersion: Type.Literal(1),
  story: RecordId,
  plan: StoryApproval,
  /** As the project said when the plan was approved. */
  remoteUrl: Type.String(),
  defaultBranch: maybe(Type.String()),
  by: Type.String(),
  at: Instant,
})
export type StoredPlan = Static<typeof StoredPlan>

/** Plans that are being approved, on the data volume: they outlive the server. */
export interface PlanFiles {
  /** Durable when it returns. */
  write(plan: StoredPlan): Promise<void>
  /** Undefined when there is none, or none that can be read. */
  read(story: string): Promise<StoredPlan | undefined>
  /** Names of the stories that have one. */
  list(): Promise<string[]>
  remove(story: string): Promise<void>
}

const SUFFIX = '.json'

export function createPlanFiles(volumeRoot: string): PlanFiles {
  const folder = join(volumeRoot, PLANS_PATH)
  const check = compileCheck(StoredPlan)
  return {
    async write(plan) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFileAtomic(join(volumeRoot, planPath(plan.story)), JSON.stringify(plan), 0o600)
    },
    async read(story) {
      const text = await ifThere(readFile(join(volumeRoot, planPath(story)), 'utf8'))
      const checked = text === undefined ? undefined : check(parseJson(text))
      return checked?.ok === true && checked.value.story === story ? checked.value : undefined
    },
    async list() {
      const names = (await ifThere(readdir(folder))) ?? []
      return names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length))
    },
    async remove(story) {
      await rm(join(volumeRoot, planPath(story)), { force: true })
      await ifThere(syncFolder(folder))
    },
  }
}
