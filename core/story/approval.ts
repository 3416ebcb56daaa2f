/**
 * A story while its plan is being approved (specification §5.12). A mark on it says so: by whom, and the last sign of
 * life of who does it. The story is shown by the REST API once the mark is gone.
 */
import type { Execution, Story } from '../crd/types.ts'
import { ANNOTATIONS, API_VERSION, LABELS, MANAGED_BY } from '../names.ts'
import { omit } from '../omit.ts'
import { toTimestamp } from '../time.ts'
import { findObstacle } from './branch-name.ts'
import { type BranchedProject, findDefaultBranchProblem, storyBranch } from './branch.ts'
import { storyStatus } from './status.ts'

/** Longer than anybody takes to notice: what was pushed is known as long as the approval may have to be finished. */
const KEPT_SECONDS = 7 * 24 * 3600

interface Marked {
  readonly kind?: string
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> }
}

/** Whether an object is a story whose approval is under way. */
export function isBeingApproved(object: Marked): boolean {
  return object.kind === 'Story' && markOf(object) !== undefined
}

/** The mark as it is written; it changes with every sign of life. */
export function markOf({ metadata }: Marked): string | undefined {
  return metadata.annotations?.[ANNOTATIONS.approving]
}

/** Who carries out the approval, as far as the mark says. */
export function approverOf(story: Marked): string | undefined {
  return markOf(story)?.split('@', 1)[0]
}

/** The story with a sign of life of who carries out its approval. */
export function markStory(story: Story, approver: string, at: Date): Story {
  const annotations = { ...story.metadata.annotations, [ANNOTATIONS.approving]: `${approver}@${toTimestamp(at)}` }
  return { ...story, metadata: { ...story.metadata, annotations } }
}

/** The story as everybody may see it. */
export function unmarkStory(story: Story): Story {
  const { [ANNOTATIONS.approving]: _, ...annotations } = story.metadata.annotations ?? {}
  return { ...story, metadata: { ...omit(story.metadata, ['annotations']), name: story.metadata.name, annotations } }
}

/** Name of the delivery that makes the branch of a story: one story, one name, one delivery. */
export function branchDeliveryName(story: string): string {
  return `deliver-${story}`
}

/** Where the branch of a story is made. */
export interface BranchOrigin {
  /** Name of the project. */
  readonly project: string
  readonly remoteUrl: string
  /** The branch that it begins at; undefined: the remote's default branch. */
  readonly base: string | undefined
}

/** The delivery that makes a story's branch; it goes with the story. */
export function makeBranchDelivery({ metadata, spec }: Story, from: BranchOrigin): Execution {
  const { name: story, namespace, uid = '' } = metadata
  const name = branchDeliveryName(story)
  const labels = { [LABELS.execution]: name, [LABELS.story]: story, [LABELS.project]: from.project }
  return {
    apiVersion: API_VERSION,
    kind: 'Execution',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { [LABELS.managedBy]: MANAGED_BY, ...labels },
      ownerReferences: [{ apiVersion: API_VERSION, kind: 'Story', name: story, uid, controller: true }],
    },
    spec: {
      purpose: 'Deliver',
      storyRef: { name: story },
      projectRef: { name: from.project },
      repositoryUrl: from.remoteUrl,
      ttlSecondsAfterFinished: KEPT_SECONDS,
      delivery: {
        kind: 'CreateBranch',
        branch: storyBranch(story, spec.branchName),
        ...(from.base === undefined ? {} : { base: from.base }),
      },
    },
  }
}

/**
 * Why git could not keep a branch beside that of another open story of the project; undefined when it could.
 *
 * @param stories of the project
 */
export function findBranchObstacle(branch: string, stories: readonly Story[]): string | undefined {
  for (const story of stories) {
    const other = storyBranch(story.metadata.name, story.spec.branchName)
    if (storyStatus(story) !== 'DONE' && findObstacle(branch, [other]) !== undefined)
      return `git cannot keep ${branch} beside ${other}, the branch of story ${story.metadata.name}; name another branch`
  }
  return undefined
}

/**
 * Why a branch cannot be a new story's, as far as the project and its stories say; undefined when it can.
 *
 * @param stories of the project, those included that are being approved
 */
export function findBranchConflict(
  branch: string,
  project: BranchedProject,
  stories: readonly Story[],
): string | undefined {
  const { name } = project.metadata
  const isDefault = findDefaultBranchProblem(branch, project)
  if (isDefault !== undefined) return isDefault
  const rival = stories.find(({ metadata, spec }) => storyBranch(metadata.name, spec.branchName) === branch)
  if (rival === undefined) return findBranchObstacle(branch, stories)
  const what = isBeingApproved(rival) ? 'is being approved as the branch' : 'is the branch'
  return `${branch} ${what} of story ${rival.metadata.name} in project ${name}; name another branch`
}
