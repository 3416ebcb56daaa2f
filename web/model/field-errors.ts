/** The server's refusal of a form, put to the fields that it names: pure. */

export interface FieldErrors {
  /** By the name of the field in this form. */
  readonly byField: ReadonlyMap<string, string>
  /** What is about none of them. */
  readonly rest: string
}

export const NO_ERRORS: FieldErrors = { byField: new Map(), rest: '' }

const WITH_FIELD = /^([a-z][a-z0-9_]*(?:[.[][\w.[\]]*)?): ([^]+)$/

/** One thing that is wrong: `field` is "" where the whole is meant. */
export interface Problem {
  readonly field: string
  readonly message: string
}

/**
 * Puts a message such as `name: must not be empty; prices.input_per_million: must be a number` to the fields of a form. A
 * field of the form stands for all below it: `agent` also takes what is wrong with `agent.type`, unless the form has
 * that field too.
 */
export function errorsOfMessage(message: string, fields: readonly string[]): FieldErrors {
  return errorsOf(splitProblems(message), fields)
}

/** The same for a list of problems. */
export function errorsOf(problems: readonly Problem[], fields: readonly string[]): FieldErrors {
  const byField = new Map<string, string>()
  const rest: string[] = []
  for (const { field, message } of problems) {
    const own = findField(field, fields)
    if (own === undefined) rest.push(field === '' ? message : `${field}: ${message}`)
    else {
      // Of a list that is one field people need to know which of its items is meant.
      const text = field.startsWith(`${own}[`) ? `${field}: ${message}` : message
      byField.set(own, byField.has(own) ? `${byField.get(own)}; ${text}` : text)
    }
  }
  return { byField, rest: rest.join('; ') }
}

/** A part without a field belongs to the one before it: messages hold semicolons too. */
function splitProblems(message: string): readonly Problem[] {
  const problems: Problem[] = []
  for (const part of message.split('; ')) {
    const [, field = '', text = part] = WITH_FIELD.exec(part) ?? []
    const last = problems.at(-1)
    if (field === '' && last !== undefined) problems.splice(-1, 1, { ...last, message: `${last.message}; ${part}` })
    else problems.push({ field, message: text })
  }
  return problems
}

function findField(path: string, fields: readonly string[]): string | undefined {
  const covers = (field: string): boolean =>
    path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)
  return fields.filter(covers).toSorted((a, b) => b.length - a.length)[0]
}
