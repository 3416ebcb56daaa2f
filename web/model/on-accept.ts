/** What becomes of accepted work, in words: pure. */
import type { OnAcceptWord } from '../../core/rest/enum-values.ts'

export const ON_ACCEPT_CHOICES: readonly {
  readonly value: OnAcceptWord
  readonly label: string
  readonly consequence: string
}[] = [
  {
    value: 'none',
    label: 'Leave it on its branch',
    consequence: 'Accept changes nothing in the repository: the work stays on its branch, and you merge it yourself.',
  },
  {
    value: 'merge',
    label: 'Merge it',
    consequence:
      'Accept merges the work into the default branch, as a fast-forward or else with a merge commit. What cannot be merged is ready for review again and says why.',
  },
  {
    value: 'pull_request',
    label: 'Open a pull request',
    consequence: 'Accept opens a pull request at the host of the repository, with the token of the project’s Secret.',
  },
]
