/**
 * What a person says to each of the real CLIs in pods, and what comes of it: a message while a tool runs, an interrupt, changes
 * asked for, and one more thing after the work was accepted. Which of these a program takes: docs/adr/0014 and 0017.
 */
import assert from 'node:assert/strict'
import { ApiFailure } from '../../../core/rest/client/call.ts'
import { CLAUDE, CODEX, GEMINI, OPENCODE, type Words } from '../../agents/programs.ts'
import { codexConfig, exampleConfig, exampleSpec } from '../../agents/rig.ts'
import { until } from '../../helpers/until.ts'
import { type PodAgent, addAgent, KEY, modelIn, startModel, titleOf, toldIn as askModel } from '../agents.ts'
import {
  api,
  GIT_SERVER,
  gitOnServer,
  heldUntil,
  IMAGE,
  kubectl,
  letGo,
  makeProject,
  MINUTE,
  NAMESPACE,
  records,
  required,
  untilState,
} from '../cluster.ts'
import type { Scripts, ScriptedTurn } from '../model.ts'

const MODEL = modelIn(NAMESPACE)
const says = (text: string): ScriptedTurn => ({ kind: 'say', text })

interface Row {
  readonly words: Words
  readonly agent: PodAgent
  /** The model runs a command that may take long. */
  readonly runs: (command: string) => ScriptedTurn
  /** A message can end what its tool does. */
  readonly takesInterrupts?: true
  /** A session can be gone on with in a copy. */
  readonly copiesSessions?: true
}

const OPENCODE_SPEC = exampleSpec('opencode')

const ROWS: readonly Row[] = [
  {
    words: CLAUDE,
    agent: {
      adapter: 'claude',
      image: required('SLIPWAY_E2E_CLAUDE_IMAGE'),
      login: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: MODEL },
    },
    runs: (command) => ({ kind: 'use', tool: 'Bash', input: { command, timeout: 600_000 } }),
    takesInterrupts: true,
    copiesSessions: true,
  },
  {
    words: CODEX,
    agent: {
      adapter: 'codex',
      image: required('SLIPWAY_E2E_CODEX_IMAGE'),
      login: { OPENAI_API_KEY: KEY },
      files: { '.codex/config.toml': codexConfig(MODEL) },
    },
    runs: (cmd) => ({ kind: 'use', tool: 'exec_command', input: { cmd, yield_time_ms: 30_000 } }),
    copiesSessions: true,
  },
  {
    words: GEMINI,
    agent: {
      adapter: 'gemini',
      image: required('SLIPWAY_E2E_GEMINI_IMAGE'),
      login: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: MODEL },
    },
    runs: (command) => ({ kind: 'use', tool: 'run_shell_command', input: { command } }),
  },
  {
    words: OPENCODE,
    agent: {
      adapter: 'acp',
      image: required('SLIPWAY_E2E_OPENCODE_IMAGE'),
      login: { ANTHROPIC_API_KEY: KEY },
      files: { '.config/opencode/opencode.json': exampleConfig('opencode', MODEL) },
      more: { command: OPENCODE_SPEC['command'], acp: OPENCODE_SPEC['acp'] },
    },
    runs: (command) => ({ kind: 'use', tool: 'bash', input: { command, description: 'Run it', timeout: 600_000 } }),
    takesInterrupts: true,
  },
]

/** Tasks of a program; the model knows the first by its own title, though its conversation begins with that of another. */
const idsOf = ({ words: { program } }: Row) => ({
  more: `${program}-more`,
  told: `${program}-told`,
  stopped: `${program}-stopped`,
})

function scriptsOf(row: Row): Scripts {
  const { more, told, stopped } = idsOf(row)
  const { runs } = row
  return {
    [titleOf(more)]: [runs('echo more > more.txt'), says('Said more.')],
    [titleOf(told)]: [
      runs(`${heldUntil(told)}; echo one > one.txt`),
      says('Said one.'),
      says('Heard it.'),
      runs('echo two > two.txt'),
      says('Said two.'),
    ],
    [titleOf(stopped)]: [runs(heldUntil(stopped)), says('Turned.')],
  }
}

const toldIn = (id: string): Promise<string[]> => askModel(NAMESPACE, id)
const isAsked = (id: string): Promise<void> =>
  until(`the model of ${id} was asked`, async () => (await toldIn(id)).length === 1, 4 * MINUTE)
const executionsOf = async (id: string) => records(await api.listExecutions({ query: { task_id: id } })).toReversed()

describe('the real CLIs in pods', function () {
  this.timeout(8 * MINUTE)

  before(async () => {
    const scripts: Scripts = Object.assign({}, ...ROWS.map(scriptsOf))
    await Promise.all([
      makeProject('agents', { remote_url: `http://${GIT_SERVER}/sample.git` }),
      startModel(NAMESPACE, IMAGE, scripts),
    ])
    const resources = { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '2Gi' } }
    for (const { words, agent } of ROWS)
      await addAgent(NAMESPACE, `e2e-${words.program}`, {
        ...agent,
        more: { maxConcurrent: 2, podTemplate: { resources }, ...agent.more },
      })
    const names = ROWS.map(({ words }) => `agent.slipway.dev/e2e-${words.program}`)
    await kubectl('wait', '--for=condition=Ready', ...names, '--timeout=90s')
  })
  after(async () => {
    const names = ROWS.map(({ words }) => `e2e-${words.program}`)
    await kubectl('delete', 'agent.slipway.dev', ...names)
    await kubectl('delete', 'secret', ...names)
    await kubectl('delete', 'pod/model-server', 'service/model-server', 'configmap/model-server', '--wait=false')
  })

  for (const row of ROWS)
    describe(row.words.program, () => {
      const { takesInterrupts = false, copiesSessions = false } = row
      const { program, sessionId } = row.words
      const { more, told, stopped } = idsOf(row)

      async function start(id: string, fields: object = {}): Promise<void> {
        const agent = { type: `e2e-${program}`, ...row.words.agent }
        const description = `Do ${id}.`
        await api.createTask({ body: { id, name: titleOf(id), description, project: 'agents', agent, ...fields } })
        await api.runTask({ params: { id } })
      }
      before(() => Promise.all([start(told), start(stopped)]))

      it('hears a message that was sent while its tool ran when its turn has ended, in the same pod', async () => {
        await isAsked(told)
        await api.messageTask({ params: { id: told }, body: { text: 'Mind the gap', mode: 'queue' } })
        await letGo(told)
        const task = await untilState(told, 'READY', 4 * MINUTE)
        assert.equal(task['summary'], 'Heard it.')
        const [execution, ...others] = await executionsOf(told)
        assert.deepEqual(others, [])
        assert.match(String(execution?.['session_id']), sessionId)
        assert.ok(records(execution?.['messages'])[0]?.['delivered_at'], JSON.stringify(execution))
        const requests = await toldIn(told)
        assert.equal(requests.length, 3)
        assert.match(requests.at(-1) ?? '', /Said one\..*Mind the gap/s)
        assert.equal(await gitOnServer('sample', 'show', `slipway/${told}:one.txt`), 'one\n')
      })

      it(`is ${takesInterrupts ? '' : 'not '}stopped in a tool that does not end`, async () => {
        await isAsked(stopped)
        const sent = api.messageTask({ params: { id: stopped }, body: { text: 'Leave that', mode: 'interrupt' } })
        if (takesInterrupts) await sent
        else {
          const isRefused = (error: unknown): boolean =>
            error instanceof ApiFailure &&
            error.status === 409 &&
            error.message.includes('takes messages in mode queue alone')
          await assert.rejects(sent, isRefused)
          await letGo(stopped)
        }
        const task = await untilState(stopped, 'READY', 4 * MINUTE)
        assert.equal(task['summary'], 'Turned.')
        const requests = await toldIn(stopped)
        assert.equal(requests.length, 2)
        assert.equal(requests[1]?.includes('Leave that'), takesInterrupts)
      })

      it('makes changes in the session and the clone of its READY work', async () => {
        const [first] = await executionsOf(told)
        await api.reviseTask({ params: { id: told }, body: { comment: 'Say two as well' } })
        await kubectl('wait', '--for=create', `execution.slipway.dev/${told}-2`, '--timeout=60s')
        const task = await untilState(told, 'READY', 4 * MINUTE)
        assert.equal(task['summary'], 'Said two.')
        const [, second] = await executionsOf(told)
        assert.equal(second?.['session_id'], first?.['session_id'])
        const requests = await toldIn(told)
        assert.equal(requests.length, 5, 'one for each answer of the model')
        assert.match(requests[3] ?? '', /Mind the gap.*Heard it\..*Say two as well/s)
        const files = await gitOnServer('sample', 'ls-tree', '--name-only', `slipway/${told}`)
        for (const file of ['one.txt', 'two.txt']) assert.ok(files.split('\n').includes(file), files)
      })

      it(`begins one more thing ${copiesSessions ? 'with the session of accepted work' : 'told what accepted work was'}`, async () => {
        await api.acceptTask({ params: { id: told } })
        await untilState(told, 'COMPLETED')
        const left = ['exec', 'deployment/slipway-operator', '--', 'ls', '/slipway/sandboxes']
        await until('its workspace is gone', async () => !(await kubectl(...left)).split('\n').includes(told), MINUTE)
        const [, second] = await executionsOf(told)
        await start(more, { continues: told })
        const task = await untilState(more, 'READY', 4 * MINUTE)
        assert.equal(task['summary'], 'Said more.')
        const [execution] = await executionsOf(more)
        const [request = ''] = await toldIn(more)
        assert.equal(execution?.['session_id'] === second?.['session_id'], copiesSessions)
        assert.equal(request.includes('Heard it.'), copiesSessions)
        assert.match(request, /Said two\./)
      })
    })
})
