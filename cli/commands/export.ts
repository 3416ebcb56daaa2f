import { type Command, CLUSTER_FLAG, UsageError } from '../command.ts'
import { BACKUP_SETTINGS } from '../settings.ts'

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write a backup of everything: resources, logs, diffs, the archive, clones',
  details: [
    'Of the data folder of this machine, whether its server runs or not; or, with --cluster or --kubeconfig, of a cluster',
    'whose data volume is mounted at --volume-root. It refuses while agents are at work. The backup holds prompts, logs',
    'and clones: only you can read the file. Secrets and config.yaml are not in it.',
  ].join('\n'),
  examples: [
    'slipway export --file backup.jsonl.gz',
    'slipway export --file backup.jsonl.gz --data-dir .slipway --with-secrets --no-workspaces',
  ],
  flags: [
    { name: 'file', value: 'path', description: 'Where to; -: to stdout. It is replaced once the new one is whole' },
    { name: 'with-secrets', description: 'Also the Secrets that agents and git may use, unencrypted' },
    { name: 'no-workspaces', description: 'Without clones and sessions: a resume begins with new ones' },
    {
      name: 'running',
      description: 'Also while agents are at work: in the backup their executions are lost, without their clones',
    },
    {
      name: 'max-file-size',
      value: 'size',
      description: 'Leave out files that are larger, and name each in a warning; default 4Gi',
    },
    CLUSTER_FLAG,
  ],
  settings: BACKUP_SETTINGS,
  run: async (invocation) => {
    const { runExport } = await import('../backup/run.ts')
    return runExport(invocation, requireFile('export', invocation.values.get('file')))
  },
}

export const importCommand: Command = {
  name: 'import',
  summary: 'Bring a backup of slipway export into a data folder or a cluster',
  details: [
    'No operator may work meanwhile: stop the server of the data folder, or scale the operator of the cluster to 0. The',
    'whole file is checked before anything is written. An import that was interrupted is finished by the same command.',
    'Import only a backup that you trust: its agents and tasks run with the images, commands and Secrets that they name.',
    'Tasks that were QUEUED start as soon as the operator does: do not let two copies of them run.',
  ].join('\n'),
  examples: [
    'slipway import --file backup.jsonl.gz --data-dir restored',
    'slipway import --file backup.jsonl.gz --data-dir restored --skip-existing',
  ],
  flags: [
    { name: 'file', value: 'path', description: 'The backup' },
    { name: 'skip-existing', description: 'Keep what is there and differs, in place of refusing' },
    CLUSTER_FLAG,
  ],
  settings: BACKUP_SETTINGS,
  run: async (invocation) => {
    const { runImport } = await import('../backup/run.ts')
    return runImport(invocation, requireFile('import', invocation.values.get('file')))
  },
}

function requireFile(command: string, file: string | undefined): string {
  if (file === undefined || file === '')
    throw new UsageError(`${command}: --file is missing\nSee: slipway ${command} --help`)
  return file
}
