import { randomBytes } from 'node:crypto'
import type { ApiClient } from '../../core/rest/client/client.ts'
import { ApiFailure } from '../../core/rest/client/call.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { followTask } from '../client/follow.ts'

export const selfTestCommand: ClientCommand = {
  kind: 'client',
  name: 'self-test',
  summary: 'Run one script task through a server, from its creation to the accept',
  details: [
    'Serves a repository of its own for as long as that takes, so no code host is needed: executions must reach this',
    'machine at --host. The chart runs this as `helm test`. The task is deleted afterwards.',
  ].join('\n'),
  examples: ['slipway self-test', 'slipway self-test --server https://slipway.example.com --host 192.0.2.7'],
  words: [],
  flags: [
    { name: 'host', value: 'address', description: 'Address of this machine that executions reach; default 127.0.0.1' },
    { name: 'agent', short: 'a', value: 'name', description: 'Agent with adapter script; default script' },
  ],
  async run(invocation) {
    const { values } = invocation
    const secret = randomBytes(8).toString('hex')
    const { serveRepository } = await import('../self-test/git-server.ts')
    const remote = await serveRepository(values.get('host') ?? '127.0.0.1', secret)
    try {
      return await runTask(invocation, remote.url, `self-test-${secret}`)
    } finally {
      await remote.stop()
    }
  },
}

async function runTask(
  { session, terminal, signal, values }: ClientInvocation,
  url: string,
  id: string,
): Promise<number> {
  const { api } = session
  const agent = {
    type: values.get('agent') ?? 'script',
    instructions: 'echo "it works" > it-works.txt\necho it works\n',
  }
  const task = { id, name: 'Self-test of the installation', repository_url: url, agent, timeout_seconds: 120 }
  await api.createTask({ body: task }, { signal })
  await api.runTask({ params: { id } })
  const code = await followTask({ session, terminal, signal, clock: systemClock }, id)
  if (code !== 0) return code
  terminal.out(`${id}: ${await accept(api, id)}\n`)
  await api.deleteTask({ params: { id } })
  return 0
}

/** Where four eyes are asked for, who made the task may not accept it: that is a refusal as it should be. */
async function accept(api: ApiClient, id: string): Promise<string> {
  try {
    return (await api.acceptTask({ params: { id } })).message
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'second_person_needed') return error.message
    throw error
  }
}
