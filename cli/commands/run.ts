import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { readableId } from '../../core/ids.ts'
import { withoutAbsent } from '../../core/omit.ts'
import type { Task, TaskCreate } from '../../core/rest/client/client.ts'
import { systemClock } from '../../lib/clock.ts'
import { type ClientCommand, type ClientInvocation, readDurationMs } from '../client-command.ts'
import { followTask, isOfScripts } from '../client/follow.ts'
import { print } from '../client/output.ts'
import { chooseRepository } from '../client/repository.ts'
import { nameOf } from '../client/task-name.ts'
import { UsageError } from '../command.ts'

export const runCommand: ClientCommand = {
  kind: 'client',
  name: 'run',
  summary: 'Give an agent something to do',
  details: [
    'Creates a task from the prompt and runs it. Without --project it works on the git repository of the current folder,',
    'and pushes the work there as a branch of its own; what is not committed the agent does not see. The prompt "-" is',
    'read from standard input. For an agent with the adapter script the prompt is the script.',
    '',
    'One more thing after accepted work: slipway run "And the footer" --continues <task>. It works where that task did, with',
    'claude and codex in a copy of its session.',
    '',
    'With -f it shows what the agent does, asks you what it asks, and ends when the task comes to rest: exit code 0',
    'READY, 1 FAILED, 3 BLOCKED by a question, 4 TIMED_OUT, 5 CANCELLED, 6 BUDGET_EXCEEDED, 7 not started in the time of',
    '--wait-start. Ctrl-C leaves the task alone: its agent goes on, and may go on spending, until the task is cancelled',
    '(slipway cancel <task>).',
  ].join('\n'),
  examples: [
    'slipway run "Add a login page" --project shop --agent claude -f',
    `slipway run 'npm audit fix' --project shop --agent script`,
    'slipway run - --project shop --budget 2.50 < prompt.txt',
  ],
  words: [{ name: 'prompt' }],
  flags: [
    { name: 'follow', short: 'f', description: 'Show what happens, until the task comes to rest' },
    {
      name: 'wait-start',
      value: 'duration',
      description:
        'With -f: end with exit code 7 if the task has not started after that time, such as 2m; it stays queued',
    },
    { name: 'project', short: 'p', value: 'name', description: 'Project to work on' },
    { name: 'repo', value: 'path or URL', description: 'Repository to work on, in place of a project' },
    { name: 'agent', short: 'a', value: 'name', description: 'Agent that does it; default: chosen by rules' },
    { name: 'model', value: 'name', description: 'Model of the agent; default: the agent’s' },
    { name: 'name', value: 'text', description: 'What people call the task; default: the first line of the prompt' },
    { name: 'id', value: 'id', description: 'Id of the task; default: made from its name' },
    {
      name: 'depends-on',
      isRepeated: true,
      value: 'task',
      description: 'Start when that task is done; may be repeated',
    },
    {
      name: 'continues',
      value: 'task',
      description: 'Accepted task that it goes on from, in a copy of its session where there is one; in its project',
    },
    { name: 'story', value: 'id', description: 'Story whose chain the task joins, on its branch' },
    { name: 'timeout', value: 'duration', description: 'How long the agent may take, such as 45m; default 30m' },
    { name: 'budget', value: 'USD', description: 'What the agent may cost, such as 2.50' },
  ],
  async run(invocation) {
    const { session, terminal, switches, signal, values } = invocation
    const isFollowed = switches.has('follow')
    const wait = values.get('wait-start')
    if (wait !== undefined && !isFollowed)
      throw new UsageError('run: --wait-start needs -f: only then the command waits')
    const startWithinMs = wait === undefined ? undefined : readDurationMs('wait-start', wait)
    const task = await createTask(invocation)
    // This ignores the signal: a Ctrl-C between the two calls would leave a task that nobody has started.
    await session.api.runTask({ params: { id: task.id } })
    if (isFollowed) {
      terminal.err(`${task.id} queued\n`)
      return followTask({ session, terminal, signal, clock: systemClock, startWithinMs }, task.id)
    }
    const queued = await session.api.getTask({ params: { id: task.id } }, { signal })
    print(terminal, session.form, queued, () => `${task.id} queued\n`)
    if (session.form === 'table') terminal.err(`Follow it: slipway logs -f ${task.id}\n`)
    return 0
  },
}

async function createTask(invocation: ClientInvocation): Promise<Task> {
  const { session, terminal, signal, values } = invocation
  const body = await toTaskCreate(invocation)
  const story = values.get('story')
  if (story !== undefined && values.get('project') === undefined && values.get('repo') === undefined) {
    return session.api.createStoryTask({ params: { id: story }, body }, { signal })
  }
  const isElsewhere = values.get('project') !== undefined || values.get('repo') !== undefined
  if (body.continues !== undefined && !isElsewhere && story === undefined)
    return session.api.createTask({ body }, { signal })
  const repository = await chooseRepository({
    project: values.get('project'),
    repo: values.get('repo'),
    folder: process.cwd(),
    session,
    terminal,
    signal,
  })
  const whole = { ...body, ...repository }
  return story === undefined
    ? session.api.createTask({ body: whole }, { signal })
    : session.api.createStoryTask({ params: { id: story }, body: whole }, { signal })
}

async function toTaskCreate({ words, values, lists, session, signal }: ClientInvocation): Promise<TaskCreate> {
  const prompt = await readPrompt(words[0] ?? '')
  const name = values.get('name') ?? nameOf(prompt)
  const type = values.get('agent')
  const model = values.get('model')
  const isScript = type !== undefined && (await isOfScripts({ session, signal }, type))
  const agent = withoutAbsent({ type, model, instructions: isScript ? prompt : undefined })
  const timeout = values.get('timeout')
  const budget = values.get('budget')
  return {
    id: values.get('id') ?? readableId(name, 'task', randomBytes(5)),
    name,
    ...withoutAbsent({
      description: isScript || prompt === name ? undefined : prompt,
      agent: Object.keys(agent).length === 0 ? undefined : agent,
      depends_on: lists.get('depends-on'),
      continues: values.get('continues'),
      timeout_seconds: timeout === undefined ? undefined : readDurationMs('timeout', timeout) / 1000,
      budget_usd: budget === undefined ? undefined : readAmount(budget),
    }),
  }
}

async function readPrompt(word: string): Promise<string> {
  const prompt = (word === '-' ? await text(process.stdin) : word).trim()
  if (prompt === '') throw new UsageError('run: the prompt is empty: say what is to be done')
  return prompt
}

function readAmount(budget: string): number {
  const amount = Number(budget)
  if (budget.trim() === '' || !Number.isFinite(amount) || amount <= 0)
    throw new UsageError(`--budget: not an amount of USD such as 2.50: ${JSON.stringify(budget)}`)
  return amount
}
