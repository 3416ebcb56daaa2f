/** Lower-case text of each record, made once for each version of it: a filter asks for it at every key. */
export function createTextIndex<R extends object>(
  textsOf: (record: R) => readonly (string | undefined)[],
): (record: R) => string {
  const texts = new WeakMap<R, string>()
  return (record) => {
    const known = texts.get(record)
    if (known !== undefined) return known
    const text = textsOf(record).join('\n').toLowerCase()
    texts.set(record, text)
    return text
  }
}
