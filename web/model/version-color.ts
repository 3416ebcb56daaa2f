/** The colour of a build: the first six digits of its commit; none where that is not known. */
export function versionColor(commit: string): string | undefined {
  const digits = /^[0-9a-f]{6}/i.exec(commit)?.[0]
  return digits === undefined ? undefined : `#${digits}`
}
