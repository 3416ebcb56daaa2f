/**
 * The health of our kinds in Argo CD, by the Lua code of examples/argocd and its own interpreter, for objects with the
 * conditions that the operator writes. It is here because it needs Go, as the rig of these suites does.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import {
  type ConditionClaim,
  type TaskConditionFacts,
  claimConditions,
  claimTaskConditions,
} from '../../core/conditions.ts'
import { TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import type { TaskState } from '../../core/crd/types.ts'
import { asRecord } from '../../core/json.ts'

const run = promisify(execFile)
const CONFIG_MAP = fileURLToPath(new URL('../../../examples/argocd/argocd-cm.yaml', import.meta.url))
/** As in the go.mod of Argo CD 3.1 and 3.2. */
const INTERPRETER = 'github.com/yuin/gopher-lua/cmd/glua@v1.1.1'

type Health = 'Healthy' | 'Progressing' | 'Suspended' | 'Degraded'

const OF_TASK = {
  PENDING: 'Healthy',
  QUEUED: 'Progressing',
  RUNNING: 'Progressing',
  BLOCKED: 'Suspended',
  READY: 'Healthy',
  COMPLETED: 'Healthy',
  FAILED: 'Degraded',
  TIMED_OUT: 'Degraded',
  BUDGET_EXCEEDED: 'Degraded',
  CANCELLED: 'Degraded',
} as const satisfies Record<TaskState, Health>

/** An object of Argo CD, what it is called here, and the health that it is to have. */
type Case = readonly [string, object, Health]

const metadata = { name: 'a', generation: 2 }
const claimed = (kind: string, claims: readonly ConditionClaim[]): object => ({
  kind,
  metadata,
  status: claimConditions({ metadata }, claims, new Date('2026-01-01T00:00:00Z')),
})
const task = (facts: TaskConditionFacts): object => claimed('Task', claimTaskConditions(facts))
const ready = (status: 'True' | 'False'): ConditionClaim => ({ type: 'Ready', status, reason: 'Why', message: 'why' })

const CASES: readonly Case[] = [
  ...TASK_STATE_VALUES.map((state): Case => [`a ${state} task`, task({ state }), OF_TASK[state]]),
  ['a failed task that is tried again', task({ state: 'FAILED', retryAt: '2026-01-01T01:00:00Z' }), 'Progressing'],
  ['a task without a status', { kind: 'Task', metadata }, 'Progressing'],
  ['a task not seen yet', { kind: 'Task', metadata, status: { observedGeneration: -1 } }, 'Progressing'],
  ['an edited task', { ...task({ state: 'READY' }), metadata: { ...metadata, generation: 3 } }, 'Progressing'],
  ['a Project that can be cloned', claimed('Project', [ready('True')]), 'Healthy'],
  ['a Project that cannot', claimed('Project', [ready('False')]), 'Degraded'],
  ['a drained Agent', claimed('Agent', [ready('False')]), 'Degraded'],
  ['a Story', claimed('Story', [ready('True')]), 'Healthy'],
  ['a StoryEvent', { kind: 'StoryEvent', metadata }, 'Healthy'],
]

describe('in Argo CD', function () {
  let found: string[]
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-lua-'))
    const code = await readHealthCode()
    const calls = CASES.map(([, object]) => `print(health(${toLua(object)}).status)`)
    const file = join(folder, 'cases.lua')
    await writeFile(file, `local function health(obj)\n${code}\nend\n${calls.join('\n')}\n`)
    found = (await run('go', ['run', INTERPRETER, file])).stdout.trim().split('\n')
    await rm(folder, { recursive: true })
  })

  for (const [i, [name, , health]] of CASES.entries()) {
    it(`${name} is ${health}`, () => assert.equal(found[i], health))
  }
})

async function readHealthCode(): Promise<string> {
  const { data } = asRecord(parse(await readFile(CONFIG_MAP, 'utf8')))
  const customizations = asRecord(parse(String(asRecord(data)['resource.customizations'])))
  return String(asRecord(customizations['slipway.dev/*'])['health.lua'])
}

/** A value as Lua writes it. Escapes of JSON and Lua are the same for the texts of the cases. */
function toLua(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(toLua).join(', ')}}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, field]) => `[${JSON.stringify(key)}] = ${toLua(field)}`)
  return `{${fields.join(', ')}}`
}
