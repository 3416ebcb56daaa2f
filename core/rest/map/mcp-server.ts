import type { McpServer } from '../../crd/types.ts'
import type { McpServerRecord } from '../records/mcp-server.ts'
import { copy, defined } from './fields.ts'

/** Every field is called the same here and there. */
export function toMcpServerRecord({ name, command, url, args, env, headers }: McpServer): McpServerRecord {
  return {
    name,
    ...defined({
      command,
      url,
      args: copy(args),
      env: env?.map((variable) => ({ ...variable })),
      headers: headers?.map((header) => ({ ...header })),
    }),
  }
}
