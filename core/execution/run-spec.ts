import { type Static, Type } from 'typebox'
import {
  ACP_PERMISSIONS_VALUES,
  ACP_SECOND_PROMPT_VALUES,
  ANSWER_SCHEMA_VALUES,
  DELIVERY_KIND_VALUES,
  HOST_TYPE_VALUES,
  LFS_CHECKOUT_VALUES,
  SUBMODULE_CHECKOUT_VALUES,
} from '../crd/enums.ts'
import { Recipe } from '../environment/recipe.ts'
import {
  COMMIT_PATTERN,
  DIGEST_PATTERN,
  ENVIRONMENT_PATTERN,
  MIRROR_KEY_PATTERN,
  RESOURCE_NAME_PATTERN,
} from './patterns.ts'

/**
 * What the operator tells the runner: one JSON document in the environment variable `SLIPWAY_RUN` of each step's
 * container. It holds nothing secret and nothing long; what the agent is told is a file on the volume (given.ts),
 * credentials are mounts.
 * The operator of version N starts runners of version N-1, so fields are only added.
 */
export { RUN_SPEC_VARIABLE } from './steps.ts'

export const RunSpec = Type.Object({
  /** Of the agent's step 2 where there is `given`: a runner that does not know that file must not begin. */
  schemaVersion: Type.Enum([1, 2]),
  task: Type.String({ pattern: RESOURCE_NAME_PATTERN }),
  /** Name of the folder below sandboxes/ that holds clone and home; absent: the task's name. */
  sandbox: Type.Optional(Type.String({ pattern: RESOURCE_NAME_PATTERN })),
  execution: Type.String({ pattern: RESOURCE_NAME_PATTERN }),
  /** Counted from 1; a step that finds its own outcome of this job number ends at once. */
  jobNumber: Type.Integer({ minimum: 1 }),
  /** Absolute path of the data volume as this container sees it; see layout.ts for what is below. */
  volumeRoot: Type.String(),
  /** Subject line of the commit that keeps what the agent left uncommitted. */
  title: Type.String(),
  /** Empty for an answer that needs no repository. */
  repositoryUrl: Type.String(),
  /** Branch that work starts from and is compared with; absent: the remote's HEAD. */
  baseBranch: Type.Optional(Type.String()),
  /** Branch that work is pushed to, never the default branch. */
  branch: Type.String(),
  /** Whether other tasks push to that branch as well; absent: where its name is not `slipway/<task>`. */
  isShared: Type.Optional(Type.Boolean()),
  /** What the work was last compared with, once known: of a story's task the commit that its first run started from. */
  baseCommit: Type.Optional(Type.String()),
  /** Earlier pushes of ours to the branch, oldest first; a commit that none of them brought is somebody else's. */
  pushes: Type.Optional(
    Type.Array(
      Type.Object({
        found: Type.Optional(Type.String({ pattern: COMMIT_PATTERN })),
        base: Type.Optional(Type.String({ pattern: COMMIT_PATTERN })),
        /** The clone's own commit, where Slipway has rebased it for the push. */
        from: Type.Optional(Type.String({ pattern: COMMIT_PATTERN })),
        head: Type.String({ pattern: COMMIT_PATTERN }),
        /** False: another task of the story made it. Absent: this task, as far as the operator can tell. */
        isOwn: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
  /** Most bytes of one file, and of all that one push sends; absent: the default. */
  maxPushBytes: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Key of the repository (layout.ts) whose mirrors the clone borrows from; absent: it has all its objects itself. */
  mirror: Type.Optional(Type.String({ pattern: MIRROR_KEY_PATTERN })),
  /** What of the repository a fresh clone has, as the Project says; absent: all of it, without submodules and LFS. */
  checkout: Type.Optional(
    Type.Object({
      depth: Type.Optional(Type.Integer({ minimum: 1 })),
      filter: Type.Optional(Type.String()),
      sparse: Type.Optional(Type.Array(Type.String())),
      submodules: Type.Optional(Type.Enum(SUBMODULE_CHECKOUT_VALUES)),
      lfs: Type.Optional(Type.Enum(LFS_CHECKOUT_VALUES)),
      /** False: a fresh clone borrows from none, though a kept one may. */
      borrow: Type.Optional(Type.Boolean()),
    }),
  ),
  /** What the agent is to find installed; absent: nothing is looked for, not even the repository's own file. */
  environment: Type.Optional(
    Type.Object({
      /** Image of the agent's step, a part of the digest; empty on one machine. */
      image: Type.String(),
      /** As the Project says; absent: as ENVIRONMENT_FILE (layout.ts) of the commit does, if it has one. */
      recipe: Type.Optional(Recipe),
      /** Branch whose commits all tasks share the environments of, as the Project says; absent: the remote's HEAD. */
      defaultBranch: Type.Optional(Type.String()),
      /** The one that this Job mounts. */
      mounted: Type.Optional(
        Type.Object({
          folder: Type.String({ pattern: ENVIRONMENT_PATTERN }),
          digest: Type.String({ pattern: DIGEST_PATTERN }),
        }),
      ),
      /** Digests whose setup has failed, or was waited for in vain: nobody waits for them again. */
      failed: Type.Optional(Type.Array(Type.String({ pattern: DIGEST_PATTERN }))),
      /** What the newest of those that failed has said, for people. */
      failure: Type.Optional(Type.String()),
      /** Name of the project, for people. */
      project: Type.Optional(Type.String()),
      /** True: whatever is not mounted is done without, and nobody waits. */
      isOptional: Type.Optional(Type.Boolean()),
    }),
  ),
  /** Of a Prepare, beside `environment`: the agent's step runs the setup, and deliver seals what it leaves. */
  seal: Type.Optional(
    Type.Object({
      folder: Type.String({ pattern: ENVIRONMENT_PATTERN }),
      /** Names of variables whose values must not be in what is sealed: deliver and the setup have them. */
      secrets: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  /** The project's default branch, where it names one: what people have merged. Absent: that of the remote's HEAD. */
  defaultBranch: Type.Optional(Type.String()),
  /** True: use the kept clone and home as they are, running no git in them (resume, revise and answer). */
  keepClone: Type.Boolean(),
  /** True: the agent already succeeded in an earlier execution, only deliver is repeated. */
  deliverOnly: Type.Boolean(),
  /** What a person has pushed to the branch by hand: the kept clone is brought exactly there, whatever it holds. */
  handedBack: Type.Optional(
    Type.Object({
      head: Type.String({ pattern: COMMIT_PATTERN }),
      /** True: no agent runs, and deliver reviews what is there. */
      withoutAgent: Type.Boolean(),
    }),
  ),
  /** With empty names for a delivery. */
  agent: Type.Object({
    name: Type.String(),
    adapter: Type.String(),
    model: Type.Optional(Type.String()),
    command: Type.Optional(Type.Array(Type.String())),
    allowedTools: Type.Optional(Type.Array(Type.String())),
    /** US dollars for a million tokens, by which a run is charged whose CLI tells no cost. */
    prices: Type.Optional(
      Type.Object({
        inputPerMillion: Type.Number({ minimum: 0 }),
        outputPerMillion: Type.Number({ minimum: 0 }),
        cachedInputPerMillion: Type.Optional(Type.Number({ minimum: 0 })),
      }),
    ),
    /** Of adapter `acp`, as the Agent says (Agent.spec.acp). */
    acp: Type.Optional(
      Type.Object({
        permissions: Type.Optional(Type.Enum(ACP_PERMISSIONS_VALUES)),
        mode: Type.Optional(Type.String()),
        secondPrompt: Type.Optional(Type.Enum(ACP_SECOND_PROMPT_VALUES)),
        auth: Type.Optional(Type.Array(Type.String())),
        limit: Type.Optional(Type.Array(Type.String())),
        busy: Type.Optional(Type.Array(Type.String())),
        lostSession: Type.Optional(Type.Array(Type.String())),
        failure: Type.Optional(Type.Array(Type.String())),
      }),
    ),
    /** The session to take up, told what has happened since. */
    sessionId: Type.Optional(Type.String()),
    /** What that session has cost before, in US dollars, for a program that tells the cost of a whole session. */
    sessionCostUSD: Type.Optional(Type.Number({ minimum: 0 })),
  }),
  /** The task that this one goes on from; with a session, a copy of its session is in the execution's folder (layout.ts). */
  continues: Type.Optional(
    Type.Object({
      task: Type.String({ pattern: RESOURCE_NAME_PATTERN }),
      /** Why the agent is told what that task did; absent: it begins with a copy of its session, `agent.sessionId`. */
      told: Type.Optional(Type.String()),
    }),
  ),
  /** What the work must pass before it is pushed, in the order of the project; absent: nothing, and there is no step `stage`. */
  checks: Type.Optional(
    Type.Object({
      /** From 1. */
      round: Type.Integer({ minimum: 1 }),
      list: Type.Array(
        Type.Object({
          name: Type.String({ pattern: RESOURCE_NAME_PATTERN }),
          /** A script, as that of a setup; absent in the steps that do not run it. */
          run: Type.Optional(Type.String()),
          timeoutSeconds: Type.Number({ exclusiveMinimum: 0 }),
          required: Type.Boolean(),
        }),
      ),
    }),
  ),
  /** Patterns of paths, as in .gitignore, of which the review is to name what the work changes. */
  protectedPaths: Type.Optional(Type.Array(Type.String())),
  /** What the execution may still spend, in US dollars; kept by the CLI, or by the prices of its agent. */
  budgetUSD: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  /** Copied into the agent's home before it starts, anew for each Job: absolute path of the mount, path below HOME. */
  credentialFiles: Type.Optional(Type.Array(Type.Object({ from: Type.String(), path: Type.String() }))),
  /** From the agent's first instruction; ends in TIMED_OUT. */
  timeoutSeconds: Type.Number({ exclusiveMinimum: 0 }),
  /** True: messages to the agent may come into the inbox (layout.ts). Absent: nobody writes any. */
  hasInbox: Type.Optional(Type.Boolean()),
  /** SHA-256 of the file that holds what the agent is given (layout.ts), in hex; absent from earlier operators. */
  given: Type.Optional(Type.String({ pattern: DIGEST_PATTERN })),
  /** Without `given`: the answer on a resume after a question. */
  answer: Type.Optional(Type.String()),
  /** Without `given`: whether the answer, which may be too long for a variable, is in a file (layout.ts). */
  hasAnswerFile: Type.Optional(Type.Boolean()),
  /** Largest stdout or stderr kept, in bytes; then cut with a marker. */
  maxLogBytes: Type.Integer({ minimum: 1 }),
  /** Longest termination message in a pod of many containers, in bytes; absent: TERMINATION_MESSAGE_BYTES. */
  messageBytes: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Folder with the git credentials of prepare and deliver (keys of a basic-auth or ssh-auth Secret). */
  gitCredentialsDir: Type.Optional(Type.String()),
  /** The one host (`name[:port]`, over https or ssh; `http://name[:port]` allows http) the credentials are sent to. */
  gitHost: Type.Optional(Type.String()),
  /** PEM certificates of authorities that prepare and deliver trust at the repository's host beside the usual ones. */
  gitCaBundle: Type.Optional(Type.String()),
  /** Home whose git configuration prepare and the push use (the user's own); embedded only. */
  gitHome: Type.Optional(Type.String()),
  /** Author and committer of commits that name none; absent: Slipway. */
  gitIdentity: Type.Optional(Type.Object({ name: Type.String(), email: Type.String() })),
  /**
   * Set for an execution that is to answer and not to work: name of the form of its answer (core/answer). Nothing of
   * what it does in its clone is kept.
   */
  answerSchema: Type.Optional(Type.Enum(ANSWER_SCHEMA_VALUES)),
  /** Set for a delivery: the Job's one step runs no agent, and does this on the remote. */
  delivery: Type.Optional(
    Type.Object({
      kind: Type.Enum(DELIVERY_KIND_VALUES),
      branch: Type.String(),
      /** The one that was reviewed, a full hash: of a branch that is at another one nothing is delivered. */
      commit: Type.Optional(Type.String({ pattern: COMMIT_PATTERN })),
      /** Absent: the remote's default branch. */
      base: Type.Optional(Type.String()),
      /** The title of a merge commit or a pull request, for people. */
      title: Type.Optional(Type.String()),
      text: Type.Optional(Type.String()),
      host: Type.Optional(
        Type.Object({ type: Type.Optional(Type.Enum(HOST_TYPE_VALUES)), apiUrl: Type.Optional(Type.String()) }),
      ),
    }),
  ),
  /** Names of variables of the agent step's container that the CLI sees as well: the Agent's credentials. */
  passEnv: Type.Optional(Type.Array(Type.String())),
})

export type RunSpec = Static<typeof RunSpec>
