import { homedir } from 'node:os'
import process from 'node:process'
import { systemClock } from '../../lib/clock.ts'
import { styleOf } from '../client/style.ts'
import { escaped } from '../client/text.ts'
import type { Command, Invocation } from '../command.ts'
import { type Finding, findingsOf, formatFindings } from '../doctor/finding.ts'
import { checkGit } from '../doctor/git.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Look for what Slipway needs here, and say what mends what is missing',
  details: [
    'Looks at Node, git, the sandbox and tools that it does not show, the agents’ programs and logins,',
    'the data folder, its store and what clones and mirrors take of it, the server, its port and the',
    'clock; with --kubeconfig, --context or -n at the server in that cluster and your rights there.',
    '--project also says what that project prepares for its agents, what that takes, or what it could.',
    'Changes nothing, and prints no secret. Ends with 0, or with 1 when a line says fail.',
  ].join('\n'),
  examples: ['slipway doctor', 'slipway doctor --json', 'slipway doctor --project shop'],
  flags: [
    { name: 'json', description: 'Print {ok, findings[{topic, status, text, remedy}]}' },
    { name: 'server', value: 'url', description: 'Server to ask [SLIPWAY_SERVER]; default that of this machine' },
    { name: 'project', value: 'name', description: 'Project of that server to look at, too' },
    { name: 'context', value: 'name', description: 'Context of the kubeconfig, for the server in a cluster' },
    { name: 'namespace', short: 'n', value: 'name', description: 'Namespace of the server in a cluster' },
  ],
  run: async (invocation) => {
    const { terminal, switches } = invocation
    const findings = await lookAround(invocation)
    const ok = findings.every(({ status }) => status !== 'fail')
    terminal.out(
      switches.has('json')
        ? `${escaped(JSON.stringify({ ok, findings }, undefined, 2))}\n`
        : formatFindings(findings, styleOf('auto', process.stdout).width),
    )
    return ok ? 0 : 1
  },
}

async function lookAround(invocation: Invocation): Promise<Finding[]> {
  const { config, configFile, chosen, values, signal } = invocation
  // These load most of the program, which other commands do not need.
  const [
    { checkAgents, checkNode },
    { checkDataFolder },
    { checkCluster, checkPort, checkServer, usualServer },
    { checkEnvironment },
  ] = await Promise.all([
    import('../doctor/machine.ts'),
    import('../doctor/data-folder.ts'),
    import('../doctor/server.ts'),
    import('../doctor/environment.ts'),
  ])
  const { env } = process
  // A folder with a configuration may be somebody else's repository: no program of its kubeconfig runs, and no token goes
  // to its server.
  const usual = usualServer(config, chosen.has('listen'))
  // A server of this data folder may have its token there.
  const asked = {
    server: values.get('server') ?? env['SLIPWAY_SERVER'],
    env: { ...env, SLIPWAY_DATA_DIR: config.dataDir },
  }
  const server = await findingsOf('server', () => checkServer({ ...asked, usual, clock: systemClock }))
  const isServed =
    (asked.server ?? usual) === usual && server.some(({ topic, status }) => topic === 'server' && status === 'ok')
  const { context, namespace, project } = Object.fromEntries(values)
  const kubeconfig = chosen.has('kubeconfig') ? config.kubeconfig : undefined
  const choice = { path: kubeconfig, context, namespace: config.namespace }
  const hasCluster = [kubeconfig, context, namespace].some((given) => given !== undefined)
  return [
    checkNode(process.versions.node),
    ...(await findingsOf('git', () => checkGit())),
    ...(await findingsOf('sandbox', () => checkAgents(config, configFile, { env, home: homedir() }))),
    ...(await findingsOf('data', () => checkDataFolder(config, systemClock.now()))),
    ...server,
    ...(project === undefined
      ? []
      : await findingsOf('project', () => checkEnvironment({ ...asked, server: asked.server ?? usual }, project))),
    ...(await findingsOf('port', () => checkPort(config, isServed))),
    ...(hasCluster ? await findingsOf('cluster', () => checkCluster(choice, env, signal)) : []),
  ]
}
