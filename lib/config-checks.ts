/** Checks of the configuration that a schema cannot express. */
import { UNPROVEN_NAMES } from '../core/decision.ts'
import { ownBranch } from '../core/names.ts'
import { findBranchNameProblem } from '../core/story/branch-name.ts'
import { storyBranch } from '../core/story/branch.ts'
import type { Config } from './config-schema.ts'
import { ConfigError } from './config-place.ts'

/** @throws ConfigError for a token with two texts or none, or with a name that is taken */
export function checkTokens({ tokens }: Config): void {
  for (const [index, { name, token, tokenFile }] of tokens.entries()) {
    const where = `configuration: tokens[${index}]`
    if ((token === undefined) === (tokenFile === undefined))
      throw new ConfigError(`${where}: give either token or tokenFile`)
    const isTaken = UNPROVEN_NAMES.includes(name) || tokens.findIndex((other) => other.name === name) !== index
    if (isTaken) throw new ConfigError(`${where}.name: ${name} is taken; each token needs a name of its own`)
  }
}

/** @throws ConfigError for a prefix that git refuses, or that stories' branches have */
export function checkBranchPrefix({ branchPrefix }: Config): void {
  const stories = storyBranch('', undefined)
  const isOfStories = branchPrefix.startsWith(stories) || stories.startsWith(branchPrefix)
  const problem = isOfStories
    ? `must not be ${branchPrefix}: branches of stories begin with ${stories}`
    : findBranchNameProblem(ownBranch('task', branchPrefix))
  if (problem !== undefined) throw new ConfigError(`configuration: branchPrefix: ${problem}`)
}
