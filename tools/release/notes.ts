import { ReleaseError } from './commands.ts'

/** What the notes of a release are made for. */
export interface NotesInput {
  readonly version: string
  /** "" for a trial, whose changes may stand under "Unreleased". */
  readonly tag: string
  readonly commit: string
  /** URL of the repository; "" leaves links as they are. */
  readonly source: string
}

/**
 * The section of a version in CHANGELOG.md, as a text of its own: links of the repository lead to the released commit.
 *
 * @throws ReleaseError if the section is missing or empty, or if the tag is of another version
 */
export function releaseNotes(changelog: string, { version, tag, commit, source }: NotesInput): string {
  if (tag !== '' && tag !== `v${version}`)
    throw new ReleaseError(`the tag is ${tag} and package.json has version ${version}: the tag must be v${version}`)
  const own = findSection(changelog, version)
  const section = own ?? (tag === '' ? findSection(changelog, 'Unreleased') : undefined)
  if (section === undefined)
    throw new ReleaseError(`CHANGELOG.md has no section "## ${version}": give "Unreleased" its version and date`)
  if (section === '') throw new ReleaseError(`CHANGELOG.md says nothing about version ${version}`)
  const heading = `# Slipway ${version}${own === undefined ? ', not released' : ''}`
  const links = source === '' ? section : section.replaceAll(/\]\((?!https?:|#)/g, `](${source}/blob/${commit}/`)
  return `${heading}\n\n${links}\n\nCommit ${commit}.\n`
}

/** The text below `## <name>` or `## <name> (date)`, up to the next such heading. */
function findSection(changelog: string, name: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1)
  const found = sections.find((section) => /^\S+/.exec(section)?.[0] === name)
  return found?.slice(found.indexOf('\n')).trim()
}
