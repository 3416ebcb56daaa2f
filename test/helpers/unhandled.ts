/** Rejections that nobody handles, from now on. */
export function watchUnhandled(): { readonly reasons: readonly string[]; readonly stop: () => void } {
  const reasons: string[] = []
  const note = (reason: unknown): void => void reasons.push(String(reason))
  process.on('unhandledRejection', note)
  return { reasons, stop: () => void process.off('unhandledRejection', note) }
}
