import { createClient } from '../kube/client.ts'
import { loadKubeConfig } from '../kube/config.ts'
import { STORIES, TASKS } from '../kube/resources.ts'

const WRITERS = 32

type Client = ReturnType<typeof createClient>

/** Writes `count` finished tasks straight to the control plane, as a long-lived installation would hold them. */
export function seedFinishedTasks(kubeconfigPath: string, count: number): Promise<void> {
  return seed(kubeconfigPath, count, seedTask)
}

/** The same with stories in DISCOVERY, each with a spec of some length. */
export function seedStories(kubeconfigPath: string, count: number): Promise<void> {
  return seed(kubeconfigPath, count, seedStory)
}

async function seed(
  kubeconfigPath: string,
  count: number,
  write: (client: Client, n: number) => Promise<void>,
): Promise<void> {
  const config = await loadKubeConfig({ kind: 'file', path: kubeconfigPath })
  const client = createClient(config, {
    userAgent: 'slipway-bench',
    fieldManager: 'slipway-bench',
    requestTimeoutMs: 60_000,
  })
  let next = 0
  const writer = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await write(client, n)
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  await client.close()
}

async function seedStory(client: Client, n: number): Promise<void> {
  await client.create(STORIES, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Story',
    metadata: { name: `seed-${String(n).padStart(6, '0')}`, namespace: 'default' },
    spec: {
      title: `Story ${n}`,
      spec: 'What the story is to achieve. '.repeat(20),
      priority: n % 50,
      acceptanceCriteria: ['It works.', 'It is fast.'],
    },
  })
}

async function seedTask(client: Client, n: number): Promise<void> {
  const created = await client.create(TASKS, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Task',
    metadata: { name: `seed-${String(n).padStart(6, '0')}`, namespace: 'default' },
    spec: {
      title: `Finished task ${n}`,
      description: 'A task of the past. '.repeat(20),
      agent: { type: 'script', instructions: 'true' },
    },
  })
  const at = '2026-01-01T00:00:00Z'
  const status = {
    state: 'CANCELLED' as const,
    executions: 1,
    attempts: 1,
    queuedAt: at,
    startedAt: at,
    finishedAt: at,
    summary: 'No longer needed.',
  }
  // A patch, and a state that can be reached from PENDING: the operator may have written to the new task by now.
  await client.mergePatch(TASKS, created.metadata, { status }, { subresource: 'status' })
}
