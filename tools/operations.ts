import { format } from 'prettier'
import { type Content, type Route, BYTES } from '../core/rest/route.ts'
import { STYLE } from './crd-data.ts'

const HEADER = '// Generated from the route table by tools/generate.ts; do not edit.\n'

/**
 * core/rest/client/operations.ts: all that a client needs of the route table at run time. A client that imported the
 * table itself would load every schema. A route without a body of ours (the WebSocket) is no operation.
 */
export async function renderOperations(routes: readonly Route[]): Promise<string> {
  const rows = routes.flatMap((route) => {
    const receive = receiveOf(route)
    return receive === undefined
      ? []
      : [`${route.id}: { method: '${route.method}', path: '${route.path}', receive: '${receive}' },`]
  })
  const source = `${HEADER}
/** How each operation is called, and which method of a Transport receives its answer. */
export const OPERATIONS = {\n${rows.join('\n')}\n} as const\n`
  return format(source, STYLE)
}

function receiveOf({ responses }: Route): string | undefined {
  // What only leads a browser elsewhere is nothing to call.
  const [, success] = Object.entries(responses).find(([status]) => Number(status) < 300) ?? []
  return success === undefined ? undefined : receiverOf(success)
}

function receiverOf(content: Content): string {
  switch (content.kind) {
    case 'json':
      return 'json'
    case 'none':
      return 'nothing'
    case 'eventStream':
      return 'events'
    case 'text':
      return 'text'
    case 'file':
      return content.contentType === BYTES ? 'bytes' : 'text'
    default:
      return content satisfies never
  }
}
