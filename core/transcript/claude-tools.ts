/** Tools of Claude Code whose calls say more than their names: edits of files and the list of steps. */
import type { ConversationEvent, TodoItem } from './events.ts'
import { type Fields, eventText, optionalField, listIn, textIn } from './fields.ts'

interface Call {
  readonly call_id: string
  readonly tool: string
}

/** The changes of files that a call asks for; none when the tool is no editor. */
export function toEdit({ call_id, tool }: Call, input: Fields): ConversationEvent[] {
  const path = textIn(input, 'file_path') ?? textIn(input, 'notebook_path')
  if (path === undefined) return []
  const edit = (before: string | undefined, after: string | undefined): ConversationEvent => ({
    kind: 'edit',
    call_id,
    path,
    ...optionalField('before', before && eventText(before)),
    ...optionalField('after', after === undefined ? undefined : eventText(after)),
  })
  switch (tool) {
    case 'Write':
      return [edit(undefined, textIn(input, 'content'))]
    case 'Edit':
      return [edit(textIn(input, 'old_string'), textIn(input, 'new_string'))]
    case 'MultiEdit':
      return listIn(input, 'edits').map((one) => edit(textIn(one, 'old_string'), textIn(one, 'new_string')))
    case 'NotebookEdit':
      return [edit(undefined, textIn(input, 'new_source'))]
    default:
      return []
  }
}

const TODO_STATES: readonly TodoItem['state'][] = ['pending', 'in_progress', 'completed']

/** The list of steps that a call writes. */
export function toTodo(tool: string, input: Fields): ConversationEvent[] {
  if (tool !== 'TodoWrite') return []
  const items = listIn(input, 'todos').flatMap((item) => {
    const text = textIn(item, 'content')
    const state = TODO_STATES.find((known) => known === item['status']) ?? 'pending'
    return text === undefined ? [] : [{ text: eventText(text), state }]
  })
  return [{ kind: 'todo', items }]
}
