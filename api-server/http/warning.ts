/**
 * What a caller should know though the request was carried out, as header `Warning` with code 299, as Kubernetes answers
 * it (RFC 7234, section 5.5; RFC 9111 no longer lists the header, clients still show it). No header without a text.
 */
export function warningHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  return texts.length === 0 ? {} : { Warning: texts.map((text) => `299 - ${quote(text)}`).join(', ') }
}

/** A quoted-string (RFC 9110, section 5.6.4); what no header can hold becomes a question mark. */
function quote(text: string): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/g, '?')
  return `"${printable.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
