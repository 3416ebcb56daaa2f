import process from 'node:process'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { findEditor, openEditedFile } from '../client/editor.ts'
import { print } from '../client/output.ts'
import { UsageError } from '../command.ts'

/** The descriptions of the kinds are loaded for this command alone. */
const KINDS = {
  task: async () => (await import('../../core/kinds/task.ts')).TASK,
  story: async () => (await import('../../core/kinds/story.ts')).STORY,
  epic: async () => (await import('../../core/kinds/epic.ts')).EPIC,
  project: async () => (await import('../../core/kinds/project.ts')).PROJECT,
  agent: async () => (await import('../../core/kinds/agent.ts')).AGENT,
} as const

const OTHERS = ['story', 'epic', 'project', 'agent'] as const

export const editCommand: ClientCommand = {
  kind: 'client',
  name: 'edit',
  summary: 'Edit a task, or a story, epic, project or agent, in your editor',
  details: [
    'The fields that can be changed are opened as YAML in VISUAL, EDITOR or vi. Only those that you change are sent, and only',
    'if nobody else has changed the record meanwhile. What the server refuses comes back into the editor with the reason.',
  ].join('\n'),
  examples: ['slipway edit add-login', 'slipway edit --project shop'],
  words: [{ name: 'task', isOptional: true, mayBeShort: true }],
  flags: OTHERS.map((name) => ({ name, value: 'id', description: `Edit that ${name}` })),
  async run(invocation) {
    const { session, terminal, signal, style } = invocation
    const { kind, id } = findTarget(invocation)
    const { path, input } = await KINDS[kind]()
    if (terminal.ask === undefined || !style.isTerminal)
      throw new UsageError(
        `edit: there is no terminal for an editor here; send the change itself: slipway api -X PUT ${path}/${id} -F <field>=<value>`,
      )
    const { editRecord } = await import('../client/edit-record.ts')
    const outcome = await editRecord({
      session,
      terminal,
      signal,
      path: `${path}/{id}`,
      id,
      title: `${kind} ${id} of ${session.server}`,
      writable: Object.keys(input.properties),
      open: () => openEditedFile(findEditor(process.env), `${id}.yaml`),
    })
    if (outcome.kind === 'saved')
      print(terminal, session.form, outcome.record, () => `${id}: changed ${outcome.fields.join(', ')}\n`)
    if (outcome.kind === 'unchanged') terminal.err(`${id}: no change\n`)
    return outcome.kind === 'kept' ? 1 : 0
  },
}

function findTarget({ words: [task], values }: ClientInvocation): { kind: keyof typeof KINDS; id: string } {
  const others = OTHERS.flatMap((kind) => {
    const id = values.get(kind)
    return id === undefined ? [] : [{ kind, id }]
  })
  const [target, ...more] = [...(task === undefined ? [] : [{ kind: 'task' as const, id: task }]), ...others]
  if (target !== undefined && more.length === 0) return target
  throw new UsageError(`edit: name one record: a task, or ${OTHERS.map((name) => `--${name}`).join(', ')}`)
}
