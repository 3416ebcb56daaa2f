import type { Content, Route } from '../../../core/rest/route.ts'
import { compileCheck, formatProblemsMessage } from '../../../lib/validate.ts'
import type { AnyReply } from '../../handlers/handler.ts'

/** An answer that the route table does not allow: a mistake in a handler. */
export class UndeclaredResponse extends Error {
  override readonly name = 'UndeclaredResponse'
}

/** Compares answers with their row: the status must be declared, and JSON must fit its schema. */
export function createResponseCheck(route: Route): (reply: AnyReply) => void {
  const checks = new Map(Object.entries(route.responses).map(([status, content]) => [Number(status), checkOf(content)]))
  return ({ status, body }) => {
    const check = checks.get(status)
    if (check === undefined) throw new UndeclaredResponse(`${route.id} answered ${status}, which its row does not list`)
    const problem = check(body)
    if (problem !== undefined) throw new UndeclaredResponse(`${route.id} answered ${status} with ${problem}`)
  }
}

function checkOf(content: Content): (body: AnyReply['body']) => string | undefined {
  if (content.kind !== 'json') return () => undefined
  const check = compileCheck(content.schema)
  return (body) => {
    if (typeof body !== 'object' || !('json' in body)) return 'no JSON'
    const checked = check(JSON.parse(String(body.json)))
    return checked.ok ? undefined : formatProblemsMessage(checked.problems)
  }
}
