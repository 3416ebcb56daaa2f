import { Document, Scalar, visit } from 'yaml'

/**
 * What YAML 1.2 allows nowhere but escaped (§5.1), and the line breaks that readers of YAML 1.1 see where 1.2 has none.
 * The library writes them as they are.
 */
const TO_ESCAPE = /[^\t\n\r\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/gu

/** A value as YAML that every reader takes back as it was, whatever characters its texts hold. */
export function toYaml(value: object): string {
  const document = new Document(value)
  visit(document, {
    Scalar(_, scalar) {
      // Only in double quotes does an escape mean anything.
      if (typeof scalar.value === 'string' && scalar.value.search(TO_ESCAPE) >= 0) scalar.type = Scalar.QUOTE_DOUBLE
    },
  })
  return escapeUnprintable(document.toString())
}

/** Text for a comment: without what would make the whole unreadable. */
export function escapeUnprintable(text: string): string {
  return text.replaceAll(TO_ESCAPE, (character) => {
    const code = character.charCodeAt(0)
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}
