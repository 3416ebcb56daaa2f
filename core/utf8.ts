/** Length of a text in bytes of UTF-8, which file systems, kernels and message formats count. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}
