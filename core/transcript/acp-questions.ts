/** What a program asks a person by the Agent Client Protocol. Source: agentclientprotocol.com, elicitation/create. */
import { RESULT_LIMITS } from '../execution/result-limits.ts'
import type { Question } from '../execution/result.ts'
import { isJsonObject } from '../json.ts'
import { clip } from '../text.ts'
import { type Fields, eventText, fieldsIn, listIn, textIn } from './fields.ts'

/** The questions in the parameters of a request; none in one that would have a person open a page. */
export function readQuestions(params: Fields): Question[] {
  if (params['mode'] === 'url') return []
  const message = textIn(params, 'message') ?? ''
  const properties = Object.values(fieldsIn(fieldsIn(params, 'requestedSchema'), 'properties')).filter(isJsonObject)
  const [first = {}, ...others] = properties
  if (others.length === 0) return toQuestion(message, first)
  return properties.slice(0, RESULT_LIMITS.questions).flatMap((property) => {
    const text = textIn(property, 'description') ?? textIn(property, 'title') ?? message
    return toQuestion(text, property)
  })
}

function toQuestion(text: string, property: Fields): Question[] {
  if (text.trim() === '') return []
  const items = fieldsIn(property, 'items')
  const titled = [...listIn(property, 'oneOf'), ...listIn(items, 'anyOf')].flatMap((one) => textIn(one, 'title') ?? [])
  const plain = [...textsIn(property, 'enum'), ...textsIn(items, 'enum')]
  const labels = [...titled, ...plain]
    .slice(0, RESULT_LIMITS.questionOptions)
    .map((label) => clip(label, RESULT_LIMITS.questionOptionLength))
  return [
    {
      text: eventText(text),
      ...(labels.length === 0 ? {} : { options: labels }),
      ...(property['type'] === 'array' ? { multiple: true } : {}),
    },
  ]
}

function textsIn(of: Fields, name: string): string[] {
  const list = of[name]
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}
