/** Why nothing of an execution runs yet, in words (specification §7.4). */
import type { PodFacts, StepFacts } from '../../core/execution/outcome.ts'
import { checkContainer } from '../../core/execution/steps.ts'
import { parseQuantity } from '../../core/quantity.ts'
import { type Text, clip } from '../../core/text.ts'
import { addMs, parseTimestamp } from '../../core/time.ts'
import type { ObservedExecution } from './observe.ts'
import { isRemarkable } from './phases.ts'

/** So long after prepare, a service that runs and is not ready is said to be what the agent waits for: most take seconds. */
const SLOW_SERVICE_MS = 60_000

/** How much of Kubernetes' reason is quoted: registries can be wordy. */
const MAX_WORDS = 1500

/** A quota has no room now, and takes the pod once other work has ended (Kubernetes, ResourceQuota). */
const NO_ROOM = /exceeded quota: (?:[^,:]*, requested: ([^:]*), used: [^:]*, limited: (.*))?/
/** What could not be asked decides nothing, although some of it reads as forbidden. */
const NOT_ASKED = /failed calling webhook|error looking up service account/
/** A limit range, a policy, a webhook or a schema has judged the pod, which stays as it is. */
const JUDGED = /is forbidden: |is invalid: |denied (the )?request/

/** Whether the pod that a Job asks for will never be let in, by the words of its Event. */
export function isFinalRefusal(message: string): boolean {
  return !isForRoom(message) && !NOT_ASKED.test(message) && JUDGED.test(message)
}

/** Whether the Job waits for other pods to end; it goes on asking by itself. No end of theirs makes room for more than all. */
export function isForRoom(message: string): boolean {
  const [found, requested = '', limited = ''] = NO_ROOM.exec(message) ?? []
  const most = new Map(readAmounts(limited))
  return found !== undefined && readAmounts(requested).every(([name, amount]) => amount <= (most.get(name) ?? amount))
}

function readAmounts(list: string): (readonly [name: string, amount: number])[] {
  const pairs = list.split(',').map((pair) => pair.trim().split('='))
  return pairs.flatMap(([name = '', text = '']) => {
    const amount = parseQuantity(text)
    return amount === undefined ? [] : [[name, amount] as const]
  })
}

/** What its pod waits for; undefined once a step runs, and while nothing is known to be wrong. */
export function findPodWait(seen: ObservedExecution): Text<4096> | undefined {
  const words = findWords(seen)
  return words === undefined ? undefined : clip(words, 4096)
}

function findWords(seen: ObservedExecution): string | undefined {
  const { job, pod, podFacts, podRefusal, now } = seen
  if (job?.spec.suspend === true)
    return `Job ${job.metadata.name} is suspended, as a queue does: it starts when that lets it`
  if (podRefusal !== undefined) return formatRefusal(podRefusal)
  if (pod === undefined || podFacts?.steps.some(({ phase }) => phase === 'running') === true) return undefined
  const next = podFacts?.steps.find(isWaiting)
  if (next === undefined || podFacts === undefined) return undefined
  const slowAt = findSlowServiceTime(podFacts)
  const service = findServiceWait(podFacts, slowAt !== undefined && slowAt <= now)
  if (service !== undefined) return service
  const isHeld = isRemarkable(next.reason)
  if (!isHeld && (podFacts.reason === undefined || podFacts.phase !== 'Pending')) return undefined
  return isHeld
    ? formatStepWait(seen)
    : `pod ${pod.metadata.name} waits: ${withWords(podFacts.reason, podFacts.message)}`
}

/** From when the service that an agent waits for is slow; undefined while none runs that is not ready. */
export function findSlowServiceTime({ steps, services = [] }: PodFacts): Date | undefined {
  const preparedAt = steps.find(({ name }) => name === 'prepare')?.finishedAt
  const next = services.find(({ isStarted }) => !isStarted)
  if (preparedAt === undefined || next === undefined || next.reason !== undefined) return undefined
  return addMs(parseTimestamp(preparedAt), SLOW_SERVICE_MS)
}

/** @param isLate whether a service is at fault of which nothing is known to be wrong */
function findServiceWait({ services = [] }: PodFacts, isLate = false): string | undefined {
  const late = services.find(({ isStarted, reason }) => !isStarted && (isLate || isRemarkable(reason)))
  if (late === undefined) return undefined
  const { name, image = '', reason, words } = late
  return reason !== undefined
    ? `service ${name} does not start: ${withWords(`${reason} (image ${image})`, words)}`
    : `service ${name} runs and is not ready, as the project's services[].ready says (image ${image})`
}

/** Which step has not begun, and what Kubernetes says. */
export function formatStepWait({ pod, podFacts }: ObservedExecution, since = 'does not start'): string {
  const service = podFacts && hasPrepared(podFacts) ? findServiceWait(podFacts, true) : undefined
  if (service !== undefined) return service
  const next = podFacts?.steps.find(isWaiting)
  const container = next?.check === undefined ? next?.name : checkContainer(next.check.name)
  const image = pod?.spec.initContainers?.find(({ name }) => name === container)?.image
  const reason = next?.reason ?? podFacts?.reason ?? (pod === undefined ? 'no pod was made' : 'no reason given')
  const said = withWords(
    `${reason}${image === undefined ? '' : ` (image ${image})`}`,
    next?.lastWords ?? podFacts?.message,
  )
  return `${next?.check === undefined ? `step ${next?.name ?? 'prepare'}` : `check ${next.check.name}`} ${since}: ${said}`
}

function hasPrepared({ steps }: PodFacts): boolean {
  return steps.some(({ name, phase }) => name === 'prepare' && phase === 'ended')
}

export function isWaiting({ phase }: StepFacts): boolean {
  return phase === 'waiting'
}

function formatRefusal(message: string): string {
  const what = isForRoom(message)
    ? 'the namespace has no room for the pod, which is tried again'
    : 'the pod is tried again'
  return `${what}: ${message.slice(0, MAX_WORDS)}`
}

function withWords(reason = 'no reason given', words?: string): string {
  return words === undefined ? reason : `${reason}: ${words.slice(0, MAX_WORDS).trim()}`
}
