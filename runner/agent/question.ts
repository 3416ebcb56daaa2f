import { EXECUTION_FILES, MAX_FILE_BYTES } from '../../core/execution/layout.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import type { Question } from '../../core/execution/result.ts'
import { parseJson } from '../../core/json.ts'
import { clip } from '../../core/text.ts'
import { ifPlain, readStartNoFollow } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { redactStart } from '../redact.ts'

/** Reads the agent's question file; undefined when it is missing or blank. */
export async function readQuestions({ paths, secrets = [] }: StepContext): Promise<Question[] | undefined> {
  const start = await ifPlain(readStartNoFollow(paths.execution, EXECUTION_FILES.question, MAX_FILE_BYTES.question))
  // A file that is cut off is not JSON any more; then its beginning is the question.
  return start && parseQuestions(redactStart(start, MAX_FILE_BYTES.question, secrets))
}

/**
 * Parses a question file: `{text, header, options, multiple}` or a list of them. Anything else becomes the text of one
 * question, because an agent that asks must never look as if it had finished. Undefined for blank text.
 */
function parseQuestions(text: string): Question[] | undefined {
  if (text.trim() === '') return undefined
  const value = parseJson(text)
  const questions = (Array.isArray(value) ? value : [value]).map(toQuestion).filter((item) => item !== undefined)
  return questions.length === 0
    ? [{ text: clip(text.trim(), RESULT_LIMITS.questionLength) }]
    : questions.slice(0, RESULT_LIMITS.questions)
}

function toQuestion(value: unknown): Question | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = new Map<string, unknown>(Object.entries(value))
  const [text, header, options, multiple] = ['text', 'header', 'options', 'multiple'].map((key) => fields.get(key))
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const texts = Array.isArray(options) ? options.filter((option): option is string => typeof option === 'string') : []
  return {
    text: clip(text, RESULT_LIMITS.questionLength),
    ...(typeof header === 'string' ? { header: clip(header, RESULT_LIMITS.questionHeaderLength) } : {}),
    ...(texts.length > 0
      ? {
          options: texts
            .slice(0, RESULT_LIMITS.questionOptions)
            .map((option) => clip(option, RESULT_LIMITS.questionOptionLength)),
        }
      : {}),
    ...(typeof multiple === 'boolean' ? { multiple } : {}),
  }
}
