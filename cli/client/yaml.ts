import { Document, Scalar, visit } from 'yaml'
import { escaped, printable } from './text.ts'

/** @param lineWidth where long texts are folded; 0: nowhere */
export function toYaml(answer: object, lineWidth = 80): string {
  const document = new Document(answer)
  visit(document, {
    Scalar(_, scalar) {
      // Escapes have a meaning in double quotes alone.
      if (typeof scalar.value === 'string' && printable(scalar.value) !== scalar.value)
        scalar.type = Scalar.QUOTE_DOUBLE
    },
  })
  return escaped(document.toString({ lineWidth }))
}
