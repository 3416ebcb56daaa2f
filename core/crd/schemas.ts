// Generated from crds/ by tools/generate.ts; do not edit.

/** The openAPIV3Schema of each kind; look fields up with crdField. */
export const CRD_SCHEMAS = {
  Task: {
    description:
      'A unit of work for a coding agent: what to do, in which repository. Slipway runs it as a Job, and a person accepts or rejects the result.',
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { description: 'Always slipway.dev/v1alpha1.', type: 'string' },
      kind: { description: 'Name of the kind.', type: 'string' },
      metadata: { type: 'object' },
      spec: {
        description: 'The desired state. Only people and their tools write it; Slipway writes status.',
        type: 'object',
        required: ['title'],
        properties: {
          title: {
            description:
              'Name of the task for people, one line. Also the subject of the commit of uncommitted changes. The only required field. At most 200 characters.',
            type: 'string',
            minLength: 1,
            maxLength: 200,
            pattern: '^ *[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$',
          },
          description: {
            description:
              'What to do, in free text (Markdown). The agent gets it; a change counts from the next execution on. At most 128 KiB.',
            type: 'string',
            maxLength: 131072,
            pattern: '^[^\\x00]*$',
          },
          project: {
            description:
              'Name of the Project in this namespace that gives the repository, the image and the git credentials. While no such project exists, the task is Stalled.',
            type: 'string',
            maxLength: 50,
          },
          elaborationInput: {
            description: 'The prompt that the task was elaborated from, kept for the record. At most 128 KiB.',
            type: 'string',
            maxLength: 131072,
            pattern: '^[^\\x00]*$',
          },
          baseBranch: {
            description:
              "Branch that the work of a task without a story starts from, is compared with and, once accepted, is delivered to; it must exist in the repository. Default: defaultBranch of the project, else the remote's HEAD.",
            type: 'string',
            minLength: 1,
            maxLength: 250,
          },
          repositoryUrl: {
            description:
              'URL that is cloned and pushed to: https, http, ssh or the form user@host:path. Absolute paths and file: URLs are honoured by the embedded control plane only. Default: remoteUrl of the project.',
            type: 'string',
            minLength: 1,
            maxLength: 2048,
          },
          containerImage: {
            description:
              "Image of the container that the agent runs in; it needs glibc, libstdc++, bash and git. Default: the project's image, else the agent's.",
            type: 'string',
            maxLength: 512,
            pattern: '^[^\\x00-\\x20\\x7f]*$',
          },
          agent: {
            description: 'Which agent works on the task, and how. Absent means that Slipway chooses one.',
            type: 'object',
            properties: {
              type: {
                description:
                  'Name of the Agent to use, such as claude, gemini or script. The first run uses it. A later run by a person chooses anew, with it as a hint, unless that run names an agent (annotation slipway.dev/agent). script is always used. Absent: Slipway chooses.',
                type: 'string',
                maxLength: 50,
              },
              model: {
                description: "Model that the agent uses. Default: the agent's default model.",
                type: 'string',
                maxLength: 200,
                pattern: '^([^\\x00-\\x20\\x7f-][^\\x00-\\x1f\\x7f]*)?$',
              },
              instructions: {
                description:
                  'Further instructions for the agent; for the script agent the script itself. At most 128 KiB.',
                type: 'string',
                maxLength: 131072,
                pattern: '^[^\\x00]*$',
              },
              allowedTools: {
                description:
                  "Tools that the agent may use, such as Read, Write, Edit, Bash, Grep or Glob. Default: the agent's own list.",
                type: 'array',
                maxItems: 100,
                items: { description: 'Name of a tool.', type: 'string', minLength: 1, maxLength: 200 },
              },
            },
          },
          claude: {
            description:
              'Deprecated: the older name of `agent`, read as `agent`. An edit of `agent` over REST replaces it; other edits leave it. Give one of the two.',
            type: 'object',
            properties: {
              type: {
                description:
                  'Name of the Agent to use, such as claude, gemini or script. The first run uses it. A later run by a person chooses anew, with it as a hint, unless that run names an agent (annotation slipway.dev/agent). script is always used. Absent: Slipway chooses.',
                type: 'string',
                maxLength: 50,
              },
              model: {
                description: "Model that the agent uses. Default: the agent's default model.",
                type: 'string',
                maxLength: 200,
                pattern: '^([^\\x00-\\x20\\x7f-][^\\x00-\\x1f\\x7f]*)?$',
              },
              instructions: {
                description:
                  'Further instructions for the agent; for the script agent the script itself. At most 128 KiB.',
                type: 'string',
                maxLength: 131072,
                pattern: '^[^\\x00]*$',
              },
              allowedTools: {
                description:
                  "Tools that the agent may use, such as Read, Write, Edit, Bash, Grep or Glob. Default: the agent's own list.",
                type: 'array',
                maxItems: 100,
                items: { description: 'Name of a tool.', type: 'string', minLength: 1, maxLength: 200 },
              },
            },
          },
          dependsOn: {
            description:
              'Names of the tasks in this namespace that must be READY or COMPLETED before this one starts. The task waits without a slot. At most 100. A name that does not exist, or a cycle, makes the task Stalled until it is corrected.',
            type: 'array',
            maxItems: 100,
            items: { description: 'Name of a task.', type: 'string', minLength: 1, maxLength: 50 },
          },
          parentTaskId: {
            description:
              'Name of the parent task. A parent that succeeds while subtasks are unfinished is BLOCKED until they are READY or COMPLETED.',
            type: 'string',
            maxLength: 50,
          },
          storyId: {
            description: "Name of the Story that the task belongs to. The task then works on the story's branch.",
            type: 'string',
            maxLength: 50,
          },
          priority: {
            description:
              'Order among the queued tasks of an agent: lower first, then the time of queueing. Absent counts as 0. A change counts at once for queued tasks.',
            type: 'integer',
            format: 'int32',
          },
          runPolicy: {
            description:
              'Manual (default): the task waits until a person runs it. Auto: it is queued once, as soon as it exists; after a reject it waits for a person as well.',
            type: 'string',
            enum: ['Manual', 'Auto'],
            default: 'Manual',
          },
          timeout: {
            description:
              "Time limit of the agent's step, from its first instruction, as a Go duration such as 90s or 1h30m. Default: the agent's timeout, else 30m. A task that exceeds it is TIMED_OUT.",
            type: 'string',
            maxLength: 32,
            pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$',
          },
          maxAttempts: {
            description:
              'Most automatic attempts (after a limit or a lost pod) since the last run, resume or answer by a person. People may run a task without limit. Default 3.',
            type: 'integer',
            format: 'int32',
            minimum: 1,
            maximum: 100,
            default: 3,
          },
          budgetUSD: {
            description:
              'Limit of the cost of all executions of the task together, in US dollars, for claude and for agents with spec.prices. A task that exceeds it is BUDGET_EXCEEDED and never retried by itself. Default: no limit.',
            type: 'number',
            minimum: 0,
          },
          suspend: {
            description:
              'True: the task is neither started nor resumed by itself, and stays queued when a person runs it. A running execution continues. Default false.',
            type: 'boolean',
          },
        },
      },
      status: {
        description: 'State of the task. Written through the status subresource only.',
        type: 'object',
        default: { observedGeneration: -1 },
        properties: {
          state: {
            description:
              'State of the task; absent means PENDING. Moves that docs/states.md does not list are refused.',
            type: 'string',
            enum: [
              'PENDING',
              'QUEUED',
              'RUNNING',
              'READY',
              'COMPLETED',
              'FAILED',
              'TIMED_OUT',
              'CANCELLED',
              'BUDGET_EXCEEDED',
              'BLOCKED',
            ],
          },
          observedGeneration: {
            description:
              'metadata.generation that this status describes; if it is older than metadata.generation, the spec has changed since.',
            type: 'integer',
            format: 'int64',
          },
          agent: {
            description: 'The agent that was chosen. Cleared by `run`, so that the task is classified again.',
            type: 'object',
            properties: {
              type: { description: 'Name of the Agent in this namespace.', type: 'string', maxLength: 50 },
              model: {
                description: "Model that the agent uses; absent means the agent's default.",
                type: 'string',
                maxLength: 200,
              },
              chosenBy: {
                description:
                  "Request (named when the task was run), Spec (spec.agent.type), Rules (classified by Slipway's rules) or Model (classified by a model).",
                type: 'string',
                enum: ['Request', 'Spec', 'Rules', 'Model'],
              },
              reason: { description: 'Why this agent was chosen, for people.', type: 'string', maxLength: 1024 },
            },
          },
          question: {
            description:
              "What a person must answer or decide: an agent's questions while the task is BLOCKED, or the question that a drain set on a FAILED task.",
            type: 'object',
            required: ['items'],
            properties: {
              items: {
                description: 'The questions, in the order to be asked; at most 20.',
                type: 'array',
                maxItems: 20,
                items: {
                  description: 'One question.',
                  type: 'object',
                  required: ['text'],
                  properties: {
                    text: { description: 'The question itself.', type: 'string', maxLength: 65536 },
                    header: { description: 'A word or two that name its subject.', type: 'string', maxLength: 200 },
                    options: {
                      description: 'Answers to choose from; another answer is allowed. At most 50.',
                      type: 'array',
                      maxItems: 50,
                      items: { description: 'One answer.', type: 'string', maxLength: 4096 },
                    },
                    multiple: { description: 'True: more than one option may be chosen.', type: 'boolean' },
                  },
                },
              },
              askedAt: {
                description: 'When the question was asked (RFC 3339, UTC).',
                type: 'string',
                format: 'date-time',
              },
            },
          },
          classification: {
            description: 'Present while a model is asked which agent suits the task (classifier.judges of an Agent).',
            type: 'object',
            required: ['execution', 'agent', 'askedAt'],
            properties: {
              execution: { description: 'Name of the Execution that asks.', type: 'string', maxLength: 56 },
              agent: { description: 'Name of the Agent that is asked.', type: 'string', maxLength: 50 },
              askedAt: {
                description: 'When it was asked (RFC 3339, UTC); after 10 seconds the rules choose.',
                type: 'string',
                format: 'date-time',
              },
            },
          },
          waitingFor: {
            description:
              'Why a task waits, for people: a slot, its dependencies, its subtasks, an answer, the time of the next attempt, or an invalid reference; while it is RUNNING, what its pod waits for. Absent while it waits for nothing. The REST API computes the place in the queue.',
            type: 'string',
            maxLength: 32768,
          },
          rejectionComment: {
            description: 'Comment of the last reject; the agent gets it at the next run. At most 64 KiB.',
            type: 'string',
            maxLength: 65536,
            pattern: '^[^\\x00]*$',
          },
          answer: {
            description:
              'Answer to the last question; the agent gets it at the next resume, a script in the file $SERVICE_ANSWER_FILE. At most 65,536 characters.',
            type: 'string',
            maxLength: 65536,
            pattern: '^[^\\x00]*$',
          },
          resume: {
            description:
              'True: the queued start resumes the kept clone and session. False or absent: it starts from a fresh clone.',
            type: 'boolean',
          },
          attempts: {
            description: 'Automatic starts since the last run, resume or answer by a person.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
          },
          execution: { description: 'Name of the latest Execution.', type: 'string', maxLength: 56 },
          executions: {
            description:
              'How many executions were ever made; never reset. The next one is named `<task>-<executions+1>`.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
          },
          queuedAt: {
            description: 'When the task was queued last; the order within a priority (RFC 3339, UTC).',
            type: 'string',
            format: 'date-time',
          },
          startedAt: {
            description: 'When the latest execution started (RFC 3339, UTC).',
            type: 'string',
            format: 'date-time',
          },
          finishedAt: {
            description: 'When the latest execution ended (RFC 3339, UTC).',
            type: 'string',
            format: 'date-time',
          },
          resumeAfter: {
            description:
              'When a FAILED or BUDGET_EXCEEDED task is resumed by itself if attempts are left; absent means that it waits for a person (RFC 3339, UTC).',
            type: 'string',
            format: 'date-time',
          },
          cancelRequestedAt: {
            description: 'When a person asked to cancel the RUNNING task (RFC 3339, UTC).',
            type: 'string',
            format: 'date-time',
          },
          summary: {
            description: "What the agent says it did. At most 16 KiB; the whole text is in the execution's files.",
            type: 'string',
            maxLength: 16384,
          },
          error: {
            description: 'Why it did not succeed; absent otherwise.',
            type: 'object',
            required: ['category', 'message'],
            properties: {
              category: {
                description:
                  'Kind of failure, for programs: quota, budget, rate_limit, timeout, git, auth, credentials, no_repository, cancelled, lost (the pod vanished), unavailable (the agent cannot run here) or failed (anything else).',
                type: 'string',
                enum: [
                  'quota',
                  'budget',
                  'rate_limit',
                  'timeout',
                  'git',
                  'auth',
                  'credentials',
                  'no_repository',
                  'cancelled',
                  'lost',
                  'unavailable',
                  'failed',
                ],
              },
              message: {
                description: 'What happened and the way out, for people. At most 4 KiB.',
                type: 'string',
                maxLength: 4096,
              },
            },
          },
          workspace: {
            description: 'Path of the kept clone and agent home on the data volume; absent once it was removed.',
            type: 'string',
            maxLength: 4096,
          },
          branch: { description: 'Branch that the work is pushed to.', type: 'string', maxLength: 250 },
          head: {
            description:
              'The commit that the branch was last brought to: a person reviews it, and accept delivers it. Absent until something was pushed.',
            type: 'object',
            required: ['commit', 'at'],
            properties: {
              commit: { description: 'Full hash.', type: 'string', maxLength: 64 },
              at: {
                description: 'When the execution that pushed or found this commit ended (RFC 3339, UTC).',
                type: 'string',
                format: 'date-time',
              },
            },
          },
          pushes: {
            description:
              "Pushes of Slipway to the task's branch, oldest first, the last 50. A commit counts as Slipway's when a `head` reaches it and neither `found` nor `base` of that push does; all others are listed in foreignCommits.",
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One push.',
              type: 'object',
              required: ['head', 'at'],
              properties: {
                found: {
                  description: 'Commit that the branch was at. Absent if the branch did not exist.',
                  type: 'string',
                  maxLength: 64,
                },
                base: {
                  description:
                    "Commit of the default branch that the work knew. Commits that it reaches are not Slipway's, also once the default branch has lost them.",
                  type: 'string',
                  maxLength: 64,
                },
                head: { description: 'Commit that the push brought it to.', type: 'string', maxLength: 64 },
                at: {
                  description: 'When the execution that pushed ended (RFC 3339, UTC).',
                  type: 'string',
                  format: 'date-time',
                },
              },
            },
          },
          foreignCommits: {
            description:
              'Commits of the reviewed work that no push of Slipway brought, newest first: somebody else pushed them to the branch. Accepting adds them too. At most 50; foreignCommitCount has their number.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One commit.',
              type: 'object',
              required: ['commit', 'author', 'subject'],
              properties: {
                commit: { description: 'Full hash.', type: 'string', maxLength: 64 },
                author: {
                  description: 'Name and address of its author, as the commit has them; cut after 200 characters.',
                  type: 'string',
                  maxLength: 200,
                },
                subject: {
                  description: 'First line of its message; cut after 200 characters.',
                  type: 'string',
                  maxLength: 200,
                },
              },
            },
          },
          foreignCommitCount: {
            description: 'Number of commits that no push of Slipway brought. Absent if there are none.',
            type: 'integer',
            format: 'int32',
            minimum: 1,
          },
          hiddenCommits: {
            description:
              'Commits with content that the diff does not show, because a later commit takes it back: a file, or lines of one. Accepting adds them to the history with all that they hold. At most 50, newest first.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One commit.',
              type: 'object',
              required: ['commit', 'author', 'subject'],
              properties: {
                commit: { description: 'Full hash.', type: 'string', maxLength: 64 },
                author: {
                  description: 'Name and address of its author, as the commit has them; cut after 200 characters.',
                  type: 'string',
                  maxLength: 200,
                },
                subject: {
                  description: 'First line of its message; cut after 200 characters.',
                  type: 'string',
                  maxLength: 200,
                },
                path: {
                  description: 'The first such file; cut after 1000 characters.',
                  type: 'string',
                  maxLength: 1000,
                },
              },
            },
          },
          bulk: {
            description:
              'What the work adds that a repository is rarely meant to hold: new folders with 1,000 files or more, and files of 50 MiB or more. At most 5.',
            type: 'array',
            maxItems: 5,
            items: {
              description: 'One folder or file.',
              type: 'object',
              required: ['path'],
              properties: {
                path: {
                  description: 'Path in the repository; cut after 1000 characters.',
                  type: 'string',
                  maxLength: 1000,
                },
                files: {
                  description: 'How many new files the folder has. Absent for a file.',
                  type: 'integer',
                  format: 'int32',
                  minimum: 1,
                },
                bytes: {
                  description: 'Size of the file. Absent for a folder.',
                  type: 'integer',
                  format: 'int64',
                  minimum: 1,
                },
              },
            },
          },
          baseCommit: {
            description:
              "Commit that diff and changes are against: the merge base with the default branch, or for a task of a story what the branch held before the task's first execution.",
            type: 'string',
            maxLength: 64,
          },
          changes: {
            description: 'What git counts between the base commit and the work.',
            type: 'object',
            required: ['files', 'insertions', 'deletions'],
            properties: {
              files: { description: 'Files changed.', type: 'integer', format: 'int32', minimum: 0 },
              insertions: { description: 'Lines added.', type: 'integer', format: 'int32', minimum: 0 },
              deletions: { description: 'Lines removed.', type: 'integer', format: 'int32', minimum: 0 },
            },
          },
          rebase: {
            description:
              'Result of comparing the work with its branch, or with its base while that branch was not on the remote, at the delivery. Absent when nothing was delivered.',
            type: 'object',
            required: ['result'],
            properties: {
              result: {
                description:
                  'UpToDate (nothing to do), Rebased (the commits were rebased onto `onto`), Conflict (they conflict with `onto`; see `files`) or Behind (`onto` has more commits, and the work was not rebased; `message` says why).',
                type: 'string',
                enum: ['UpToDate', 'Rebased', 'Conflict', 'Behind'],
              },
              onto: {
                description: 'The commit that the work was compared with, or rebased onto.',
                type: 'string',
                maxLength: 64,
              },
              files: {
                description: 'The files that conflict; at most 200.',
                type: 'array',
                maxItems: 200,
                items: { description: 'Path in the repository.', type: 'string', maxLength: 4096 },
              },
              message: { description: 'Reason for people.', type: 'string', maxLength: 4096 },
            },
          },
          delivery: {
            description:
              "Delivery of the accepted work by the project's `onAccept`; the last task of a story's chain shows that of the story. Absent if nothing is to be delivered.",
            type: 'object',
            required: ['state'],
            properties: {
              kind: {
                description: 'How it is delivered. Absent until the operator has read the project.',
                type: 'string',
                enum: ['Merge', 'PullRequest'],
              },
              state: {
                description:
                  'Pending, Delivered, Failed (after three further tries), Conflict (see `files`) or Moved (the branch is not at the reviewed commit; see `reviewed`). After the last three the task is READY again: accept delivers again, reject asks for other work.',
                type: 'string',
                enum: ['Pending', 'Delivered', 'Failed', 'Conflict', 'Moved'],
              },
              reviewed: {
                description:
                  'The only commit that is delivered: the one that the branch was at when the work was accepted. After Moved, the commit that the branch was found at; the next accept delivers it.',
                type: 'string',
                maxLength: 64,
              },
              requestedAt: {
                description: 'When a person accepted the work (RFC 3339, UTC).',
                type: 'string',
                format: 'date-time',
              },
              execution: { description: 'The Execution of the latest delivery.', type: 'string', maxLength: 56 },
              retries: { description: 'Number of retries.', type: 'integer', format: 'int32', minimum: 0 },
              retryAt: { description: 'Time of the next try (RFC 3339, UTC).', type: 'string', format: 'date-time' },
              at: { description: 'When it ended (RFC 3339, UTC).', type: 'string', format: 'date-time' },
              commit: {
                description: 'Commit of the base after the delivery, or of the pull request.',
                type: 'string',
                maxLength: 64,
              },
              url: { description: 'Page of the pull request.', type: 'string', maxLength: 2048 },
              message: { description: 'Why it failed, and the way out.', type: 'string', maxLength: 4096 },
              files: {
                description: 'The files that conflict; at most 100.',
                type: 'array',
                maxItems: 100,
                items: { description: 'Path in the repository.', type: 'string', maxLength: 4096 },
              },
            },
          },
          deliveries: {
            description:
              'How many deliveries were ever made; never reset. The next one is named `<task>-d<deliveries+1>`.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
          },
          costUSD: {
            description: 'What all executions of the task cost together, in US dollars.',
            type: 'number',
            minimum: 0,
          },
          decisions: {
            description: 'What people decided, oldest first; the last 50.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One decision.',
              type: 'object',
              required: ['action', 'at'],
              properties: {
                action: {
                  description: 'What was decided.',
                  type: 'string',
                  enum: ['run', 'accept', 'reject', 'cancel', 'resume', 'answer'],
                },
                by: {
                  description: "Who decided, as far as known, such as a token's name or `kubectl (annotation)`.",
                  type: 'string',
                  maxLength: 200,
                },
                at: { description: 'When (RFC 3339, UTC).', type: 'string', format: 'date-time' },
                comment: {
                  description: "The person's comment, cut at 4096 characters.",
                  type: 'string',
                  maxLength: 4096,
                },
              },
            },
          },
          lastAction: {
            description: 'The last action taken from the annotation slipway.dev/action.',
            type: 'object',
            required: ['action', 'at'],
            properties: {
              id: {
                description: 'Value of the annotation slipway.dev/action-id; absent when none was given.',
                type: 'string',
                maxLength: 253,
              },
              action: { description: 'The action.', type: 'string', maxLength: 63 },
              at: { description: 'When it was taken or refused (RFC 3339, UTC).', type: 'string', format: 'date-time' },
              refused: {
                description: 'Why it was refused, for people; absent when it was taken.',
                type: 'string',
                maxLength: 1024,
              },
            },
          },
          spentActions: {
            description:
              'The actions with an id (annotation slipway.dev/action-id) that were taken or refused, oldest first; the last 50. None of them is taken again.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One action, by its name and its id.',
              type: 'object',
              required: ['action', 'id'],
              properties: {
                action: { description: 'Value of the annotation slipway.dev/action.', type: 'string', maxLength: 63 },
                id: {
                  description:
                    'Value of the annotation slipway.dev/action-id; one of more than 253 characters as `sha256:` and its SHA-256 digest.',
                  type: 'string',
                  maxLength: 253,
                },
              },
            },
          },
          conditions: {
            description:
              'Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand; a type that does not apply is absent.',
            type: 'array',
            maxItems: 10,
            items: {
              description: 'One condition.',
              type: 'object',
              required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
              properties: {
                type: { description: 'Ready, Reconciling or Stalled.', type: 'string', maxLength: 316 },
                status: {
                  description: 'Whether the condition holds.',
                  type: 'string',
                  enum: ['True', 'False', 'Unknown'],
                },
                observedGeneration: {
                  description: 'metadata.generation that the condition describes.',
                  type: 'integer',
                  format: 'int64',
                  minimum: 0,
                },
                lastTransitionTime: {
                  description: 'When status last changed (RFC 3339, UTC).',
                  type: 'string',
                  format: 'date-time',
                },
                reason: {
                  description: 'Reason for programs, one CamelCase word.',
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
                },
                message: { description: 'Reason for people.', type: 'string', maxLength: 32768 },
              },
            },
          },
        },
      },
    },
  },
  Execution: {
    description:
      'One run of an agent, made by the operator for a task or for a query such as an elaboration. It records what happened. Its Job is named `<execution>-run`.',
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { description: 'Always slipway.dev/v1alpha1.', type: 'string' },
      kind: { description: 'Name of the kind.', type: 'string' },
      metadata: { type: 'object' },
      spec: {
        description: 'What to run. It cannot be changed.',
        type: 'object',
        required: ['purpose'],
        properties: {
          taskRef: {
            description: 'The task that the execution is about; absent for elaborations and evaluations.',
            type: 'object',
            required: ['name'],
            properties: {
              name: { description: 'Name of a Task in this namespace.', type: 'string', minLength: 1, maxLength: 50 },
            },
          },
          agent: {
            description: 'Name of the Agent in this namespace that runs; absent for deliveries, which run no agent.',
            type: 'string',
            minLength: 1,
            maxLength: 50,
          },
          model: {
            description: "Model that the agent uses; absent means the agent's default.",
            type: 'string',
            maxLength: 200,
          },
          attempt: {
            description: 'Number of this automatic start of the task, counted from 1.',
            type: 'integer',
            format: 'int32',
            minimum: 1,
          },
          purpose: {
            description:
              'Run (fresh start of a task), Resume (in the kept clone and session), Elaborate, Validate, Classify or Evaluate (queries: without a slot, on a throw-away clone, for an answer), Deliver (no agent; works on branches of the remote).',
            type: 'string',
            enum: ['Run', 'Resume', 'Elaborate', 'Validate', 'Classify', 'Evaluate', 'Deliver'],
          },
          resumes: {
            description: 'Name of the execution whose clone and session are resumed.',
            type: 'string',
            maxLength: 56,
          },
          answer: {
            description:
              'What a person answered to the questions of the execution that is resumed; absent if nobody was asked.',
            type: 'object',
            required: ['text', 'at'],
            properties: {
              text: { description: 'The answer. At most 64 KiB.', type: 'string', maxLength: 65536 },
              by: {
                description: "Who answered, as far as known, such as a token's name or `kubectl (annotation)`.",
                type: 'string',
                maxLength: 200,
              },
              at: { description: 'When (RFC 3339, UTC).', type: 'string', format: 'date-time' },
            },
          },
          storyRef: {
            description: 'The story that the execution is about.',
            type: 'object',
            required: ['name'],
            properties: {
              name: { description: 'Name of a Story in this namespace.', type: 'string', minLength: 1, maxLength: 50 },
            },
          },
          projectRef: {
            description:
              "The project whose repository and git credentials are used; absent means the task's or story's own.",
            type: 'object',
            required: ['name'],
            properties: {
              name: {
                description: 'Name of a Project in this namespace.',
                type: 'string',
                minLength: 1,
                maxLength: 50,
              },
            },
          },
          localPath: {
            description:
              'Absolute path of a folder on this machine that is cloned and not changed; embedded only. It takes precedence over repositoryUrl and the project.',
            type: 'string',
            minLength: 1,
            maxLength: 4096,
          },
          repositoryUrl: {
            description:
              "Repository that is cloned. Absent means the project's; without one the agent works in an empty folder.",
            type: 'string',
            minLength: 1,
            maxLength: 2048,
          },
          branch: {
            description: 'Branch that is checked out; absent means the default branch.',
            type: 'string',
            minLength: 1,
            maxLength: 250,
          },
          timeout: {
            description:
              'How long the agent may take, such as 90s or 5m, counted from its first instruction; absent means 5m.',
            type: 'string',
            maxLength: 30,
          },
          answerSchema: {
            description:
              "Name of the schema that the agent's answer must match; if it does not, the agent is asked once more.",
            type: 'string',
            enum: ['TaskDraft', 'StoryPlan', 'Validation', 'Classification', 'Evaluation'],
          },
          ttlSecondsAfterFinished: {
            description:
              'How long a query is kept after its end, in seconds; absent means 2678400, which is 31 days, so that the statistics of a month have its costs. Executions of tasks are kept with their tasks.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
          },
          delivery: {
            description: 'What a delivery does on the remote.',
            type: 'object',
            required: ['kind', 'branch'],
            properties: {
              kind: {
                description:
                  'CreateBranch makes the branch from the base; Merge merges the branch into the base; PullRequest opens a pull request at the host.',
                type: 'string',
                enum: ['CreateBranch', 'Merge', 'PullRequest'],
              },
              branch: {
                description: 'The branch that is made or delivered.',
                type: 'string',
                minLength: 1,
                maxLength: 250,
              },
              base: {
                description:
                  "The branch that it is made from or merged into; absent means the remote's default branch.",
                type: 'string',
                minLength: 1,
                maxLength: 250,
              },
              commit: {
                description:
                  'Full hash of the reviewed commit. Merge and PullRequest deliver nothing if the branch is at another commit, or if this field is absent.',
                type: 'string',
                maxLength: 64,
                pattern: '^[0-9a-f]{40,64}$',
              },
              title: {
                description: 'One line for the merge commit or the pull request.',
                type: 'string',
                maxLength: 200,
              },
              text: { description: 'Text of the pull request.', type: 'string', maxLength: 32768 },
              host: {
                description:
                  'The service that hosts the repository, for pull requests. Derived from the remote for github.com, gitlab.com and codeberg.org.',
                type: 'object',
                properties: {
                  type: {
                    description: 'Type of its API; Gitea is also for Forgejo.',
                    type: 'string',
                    enum: ['GitHub', 'GitLab', 'Gitea'],
                  },
                  apiUrl: {
                    description:
                      "URL of its API, such as https://git.example.com/api/v4. Default: the usual path on the remote's host. The token of the git Secret is sent there only if the Secret names that host.",
                    type: 'string',
                    maxLength: 2048,
                  },
                },
              },
            },
          },
        },
      },
      status: {
        description: 'What happened. Written by the operator through the status subresource only.',
        type: 'object',
        default: { observedGeneration: -1 },
        properties: {
          state: {
            description: 'State of the execution; absent means PENDING. BLOCKED means that the agent asked a question.',
            type: 'string',
            enum: ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED', 'BUDGET_EXCEEDED', 'BLOCKED'],
          },
          observedGeneration: {
            description: 'metadata.generation that this status describes.',
            type: 'integer',
            format: 'int64',
          },
          startedAt: {
            description: 'When the execution became RUNNING (RFC 3339, UTC).',
            type: 'string',
            format: 'date-time',
          },
          finishedAt: { description: 'When it ended (RFC 3339, UTC).', type: 'string', format: 'date-time' },
          phases: {
            description: 'The steps and their times, in order.',
            type: 'array',
            maxItems: 20,
            items: {
              description: 'One step.',
              type: 'object',
              required: ['name'],
              properties: {
                name: {
                  description: 'Name of the step, such as prepare, agent or deliver.',
                  type: 'string',
                  maxLength: 63,
                },
                startedAt: { description: 'When it began (RFC 3339, UTC).', type: 'string', format: 'date-time' },
                finishedAt: {
                  description: 'When it ended (RFC 3339, UTC); absent while it runs.',
                  type: 'string',
                  format: 'date-time',
                },
              },
            },
          },
          jobs: {
            description:
              'How many Jobs were made for the execution; a vanished pod or renewed credentials need a further one.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
          },
          jobName: { description: 'Name of the latest Job.', type: 'string', maxLength: 63 },
          waitingFor: {
            description:
              'Why none of its steps runs yet, for people: a full quota, no node, an image that cannot be had, a queue. Its task says the same. Absent once a step runs.',
            type: 'string',
            maxLength: 4096,
          },
          pod: {
            description: 'The latest pod, as last observed.',
            type: 'object',
            properties: {
              name: { description: 'Name of the Pod.', type: 'string', maxLength: 253 },
              phase: {
                description: 'Its phase. Pending until the last step starts, as for any pod with init containers.',
                type: 'string',
                maxLength: 63,
              },
              reason: {
                description:
                  "Kubernetes' reason why it does not run or did not succeed, such as ErrImagePull or OOMKilled.",
                type: 'string',
                maxLength: 1024,
              },
            },
          },
          sandboxDir: {
            description:
              "Folder with the clone and the agent's home, on the data volume. Kept while the work is not delivered.",
            type: 'string',
            maxLength: 4096,
          },
          stdoutPath: {
            description:
              "File with the agent's standard output, on the data volume. At most 1 GiB, then cut with a marker.",
            type: 'string',
            maxLength: 4096,
          },
          stderrPath: {
            description:
              "File with the agent's standard error, on the data volume. At most 1 GiB, then cut with a marker.",
            type: 'string',
            maxLength: 4096,
          },
          artifactDir: {
            description: 'Folder with the files that the agent kept for people, on the data volume.',
            type: 'string',
            maxLength: 4096,
          },
          exitCode: { description: "Exit code of the agent's program.", type: 'integer', format: 'int32' },
          sessionId: {
            description: "The agent's id of its session; a resume continues this session.",
            type: 'string',
            maxLength: 200,
          },
          failedServers: {
            description:
              'Names of MCP servers of the Agent or Project that did not start, so that the agent worked without their tools.',
            type: 'array',
            maxItems: 50,
            items: { description: 'Name of a server.', type: 'string', maxLength: 200 },
          },
          agentOutcome: {
            description:
              "How the agent's step says that it ended. After `succeeded` a resume repeats only the delivery.",
            type: 'string',
            enum: ['succeeded', 'failed', 'timed_out', 'cancelled', 'blocked', 'budget_exceeded'],
          },
          questions: {
            description: 'What the agent asked, in order; at most 20.',
            type: 'array',
            maxItems: 20,
            items: {
              description: 'One question.',
              type: 'object',
              required: ['text'],
              properties: {
                text: { description: 'The question itself.', type: 'string', maxLength: 65536 },
                header: { description: 'A word or two that name its subject.', type: 'string', maxLength: 200 },
                options: {
                  description: 'Answers to choose from; another answer is allowed. At most 50.',
                  type: 'array',
                  maxItems: 50,
                  items: { description: 'One answer.', type: 'string', maxLength: 4096 },
                },
                multiple: { description: 'True: more than one option may be chosen.', type: 'boolean' },
              },
            },
          },
          costUSD: {
            description: 'What the execution cost, in US dollars, when the agent reports it.',
            type: 'number',
            minimum: 0,
          },
          tokens: {
            description: 'Tokens used, when the agent reports them.',
            type: 'object',
            required: ['input', 'output', 'cacheRead', 'cacheWrite'],
            properties: {
              input: { description: 'Tokens read, not from a cache.', type: 'integer', format: 'int64', minimum: 0 },
              output: { description: 'Tokens written.', type: 'integer', format: 'int64', minimum: 0 },
              cacheRead: {
                description: "Tokens read from the provider's cache.",
                type: 'integer',
                format: 'int64',
                minimum: 0,
              },
              cacheWrite: {
                description: "Tokens written to the provider's cache.",
                type: 'integer',
                format: 'int64',
                minimum: 0,
              },
            },
          },
          turns: {
            description: 'Turns of the conversation between agent and model.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
          },
          summary: {
            description:
              'What the agent says it did. At most 16 KiB here; the whole text is a file on the data volume.',
            type: 'string',
            maxLength: 16384,
          },
          error: {
            description: 'Why it did not succeed; absent otherwise.',
            type: 'object',
            required: ['category', 'message'],
            properties: {
              category: {
                description:
                  'Kind of failure, for programs: quota, budget, rate_limit, timeout, git, auth, credentials, no_repository, cancelled, lost (the pod vanished), unavailable (the agent cannot run here) or failed (anything else).',
                type: 'string',
                enum: [
                  'quota',
                  'budget',
                  'rate_limit',
                  'timeout',
                  'git',
                  'auth',
                  'credentials',
                  'no_repository',
                  'cancelled',
                  'lost',
                  'unavailable',
                  'failed',
                ],
              },
              message: {
                description: 'What happened and the way out, for people. At most 4 KiB.',
                type: 'string',
                maxLength: 4096,
              },
            },
          },
          resumeAfter: {
            description:
              'Known end of the limit that ended the execution, or when a git remote that failed for a while is tried again (RFC 3339, UTC).',
            type: 'string',
            format: 'date-time',
          },
          baseCommit: {
            description:
              "Commit that diff and changes are against: the merge base with the default branch, or for a task of a story what the branch held before the task's first execution.",
            type: 'string',
            maxLength: 64,
          },
          commits: {
            description: 'Full hashes of the commits that were delivered, newest first; at most 200.',
            type: 'array',
            maxItems: 200,
            items: { description: 'Hash of a commit.', type: 'string', maxLength: 64 },
          },
          push: {
            description:
              'The push of this execution. `found` is `head` if the branch had the work already. Absent if it has no work.',
            type: 'object',
            required: ['head'],
            properties: {
              found: {
                description: 'Commit that the branch was at. Absent if the branch did not exist.',
                type: 'string',
                maxLength: 64,
              },
              base: {
                description:
                  "Commit of the default branch that the work knew. Commits that it reaches are not Slipway's, also once the default branch has lost them.",
                type: 'string',
                maxLength: 64,
              },
              head: { description: 'Commit that the push brought it to.', type: 'string', maxLength: 64 },
            },
          },
          foreignCommits: {
            description:
              'Commits of the reviewed work that no push of Slipway brought, newest first: somebody else pushed them to the branch. Accepting adds them too. At most 50; foreignCommitCount has their number.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One commit.',
              type: 'object',
              required: ['commit', 'author', 'subject'],
              properties: {
                commit: { description: 'Full hash.', type: 'string', maxLength: 64 },
                author: {
                  description: 'Name and address of its author, as the commit has them; cut after 200 characters.',
                  type: 'string',
                  maxLength: 200,
                },
                subject: {
                  description: 'First line of its message; cut after 200 characters.',
                  type: 'string',
                  maxLength: 200,
                },
              },
            },
          },
          foreignCommitCount: {
            description: 'Number of commits that no push of Slipway brought. Absent if there are none.',
            type: 'integer',
            format: 'int32',
            minimum: 1,
          },
          hiddenCommits: {
            description:
              'Commits with content that the diff does not show, because a later commit takes it back: a file, or lines of one. Accepting adds them to the history with all that they hold. At most 50, newest first.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One commit.',
              type: 'object',
              required: ['commit', 'author', 'subject'],
              properties: {
                commit: { description: 'Full hash.', type: 'string', maxLength: 64 },
                author: {
                  description: 'Name and address of its author, as the commit has them; cut after 200 characters.',
                  type: 'string',
                  maxLength: 200,
                },
                subject: {
                  description: 'First line of its message; cut after 200 characters.',
                  type: 'string',
                  maxLength: 200,
                },
                path: {
                  description: 'The first such file; cut after 1000 characters.',
                  type: 'string',
                  maxLength: 1000,
                },
              },
            },
          },
          bulk: {
            description:
              'What the work adds that a repository is rarely meant to hold: new folders with 1,000 files or more, and files of 50 MiB or more. At most 5.',
            type: 'array',
            maxItems: 5,
            items: {
              description: 'One folder or file.',
              type: 'object',
              required: ['path'],
              properties: {
                path: {
                  description: 'Path in the repository; cut after 1000 characters.',
                  type: 'string',
                  maxLength: 1000,
                },
                files: {
                  description: 'How many new files the folder has. Absent for a file.',
                  type: 'integer',
                  format: 'int32',
                  minimum: 1,
                },
                bytes: {
                  description: 'Size of the file. Absent for a folder.',
                  type: 'integer',
                  format: 'int64',
                  minimum: 1,
                },
              },
            },
          },
          branchReview: {
            description:
              "What accepting the story adds to the default branch; only for work on a story's branch. Its diff is branch.diff of the execution's folder on the data volume.",
            type: 'object',
            required: ['baseCommit', 'head'],
            properties: {
              baseCommit: {
                description: 'Merge base of the branch with the default branch; diff and changes are against it.',
                type: 'string',
                maxLength: 64,
              },
              head: { description: 'Commit of the branch that is reviewed.', type: 'string', maxLength: 64 },
              commits: {
                description: 'Full hashes of the commits that accepting adds, newest first; at most 200.',
                type: 'array',
                maxItems: 200,
                items: { description: 'Hash of a commit.', type: 'string', maxLength: 64 },
              },
              changes: {
                description: 'What git counts between the base commit and the work.',
                type: 'object',
                required: ['files', 'insertions', 'deletions'],
                properties: {
                  files: { description: 'Files changed.', type: 'integer', format: 'int32', minimum: 0 },
                  insertions: { description: 'Lines added.', type: 'integer', format: 'int32', minimum: 0 },
                  deletions: { description: 'Lines removed.', type: 'integer', format: 'int32', minimum: 0 },
                },
              },
              foreignCommits: {
                description:
                  'Commits of the reviewed work that no push of Slipway brought, newest first: somebody else pushed them to the branch. Accepting adds them too. At most 50; foreignCommitCount has their number.',
                type: 'array',
                maxItems: 50,
                items: {
                  description: 'One commit.',
                  type: 'object',
                  required: ['commit', 'author', 'subject'],
                  properties: {
                    commit: { description: 'Full hash.', type: 'string', maxLength: 64 },
                    author: {
                      description: 'Name and address of its author, as the commit has them; cut after 200 characters.',
                      type: 'string',
                      maxLength: 200,
                    },
                    subject: {
                      description: 'First line of its message; cut after 200 characters.',
                      type: 'string',
                      maxLength: 200,
                    },
                  },
                },
              },
              foreignCommitCount: {
                description: 'Number of commits that no push of Slipway brought. Absent if there are none.',
                type: 'integer',
                format: 'int32',
                minimum: 1,
              },
              hiddenCommits: {
                description:
                  'Commits with content that the diff does not show, because a later commit takes it back: a file, or lines of one. Accepting adds them to the history with all that they hold. At most 50, newest first.',
                type: 'array',
                maxItems: 50,
                items: {
                  description: 'One commit.',
                  type: 'object',
                  required: ['commit', 'author', 'subject'],
                  properties: {
                    commit: { description: 'Full hash.', type: 'string', maxLength: 64 },
                    author: {
                      description: 'Name and address of its author, as the commit has them; cut after 200 characters.',
                      type: 'string',
                      maxLength: 200,
                    },
                    subject: {
                      description: 'First line of its message; cut after 200 characters.',
                      type: 'string',
                      maxLength: 200,
                    },
                    path: {
                      description: 'The first such file; cut after 1000 characters.',
                      type: 'string',
                      maxLength: 1000,
                    },
                  },
                },
              },
              bulk: {
                description:
                  'What the work adds that a repository is rarely meant to hold: new folders with 1,000 files or more, and files of 50 MiB or more. At most 5.',
                type: 'array',
                maxItems: 5,
                items: {
                  description: 'One folder or file.',
                  type: 'object',
                  required: ['path'],
                  properties: {
                    path: {
                      description: 'Path in the repository; cut after 1000 characters.',
                      type: 'string',
                      maxLength: 1000,
                    },
                    files: {
                      description: 'How many new files the folder has. Absent for a file.',
                      type: 'integer',
                      format: 'int32',
                      minimum: 1,
                    },
                    bytes: {
                      description: 'Size of the file. Absent for a folder.',
                      type: 'integer',
                      format: 'int64',
                      minimum: 1,
                    },
                  },
                },
              },
            },
          },
          branch: { description: 'Branch that the commits were pushed to.', type: 'string', maxLength: 250 },
          pushed: { description: 'True once the branch is on the remote.', type: 'boolean' },
          head: {
            description:
              'Full hash of the commit that the branch was brought to. If a delivery failed because the branch had moved, the commit that it found instead of the reviewed one.',
            type: 'string',
            maxLength: 64,
          },
          rebase: {
            description:
              'Result of comparing the work with its branch, or with its base while that branch was not on the remote, at the delivery. Absent when nothing was delivered.',
            type: 'object',
            required: ['result'],
            properties: {
              result: {
                description:
                  'UpToDate (nothing to do), Rebased (the commits were rebased onto `onto`), Conflict (they conflict with `onto`; see `files`) or Behind (`onto` has more commits, and the work was not rebased; `message` says why).',
                type: 'string',
                enum: ['UpToDate', 'Rebased', 'Conflict', 'Behind'],
              },
              onto: {
                description: 'The commit that the work was compared with, or rebased onto.',
                type: 'string',
                maxLength: 64,
              },
              files: {
                description: 'The files that conflict; at most 200.',
                type: 'array',
                maxItems: 200,
                items: { description: 'Path in the repository.', type: 'string', maxLength: 4096 },
              },
              message: { description: 'Reason for people.', type: 'string', maxLength: 4096 },
            },
          },
          changes: {
            description: 'What git counts between the base commit and the work.',
            type: 'object',
            required: ['files', 'insertions', 'deletions'],
            properties: {
              files: { description: 'Files changed.', type: 'integer', format: 'int32', minimum: 0 },
              insertions: { description: 'Lines added.', type: 'integer', format: 'int32', minimum: 0 },
              deletions: { description: 'Lines removed.', type: 'integer', format: 'int32', minimum: 0 },
            },
          },
          cancelRequestedAt: {
            description:
              "When somebody cancelled a query (RFC 3339, UTC); it ends as CANCELLED. A task's execution is cancelled through its task.",
            type: 'string',
            format: 'date-time',
          },
          answer: {
            description:
              "Whether the agent's answer matches answerSchema. A usable answer is in agent/answer.json of the execution's folder on the data volume.",
            type: 'string',
            enum: ['Usable', 'Unusable'],
          },
          delivered: {
            description: 'Result of a delivery.',
            type: 'object',
            properties: {
              commit: {
                description: "Full hash of the branch's commit, or of the base's commit after a merge.",
                type: 'string',
                maxLength: 64,
              },
              url: { description: 'Page of the pull request.', type: 'string', maxLength: 2048 },
            },
          },
          conflicts: {
            description: 'Files that conflict between the work and its base, relative to the root; at most 100.',
            type: 'array',
            maxItems: 100,
            items: { description: 'Path of a file.', type: 'string', maxLength: 4096 },
          },
          undelivered: {
            description:
              'Work of the agent that is not on the branch, and why; at most 50. A READY task keeps its clone until COMPLETED while its execution has any.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One path, branch or worktree.',
              type: 'object',
              required: ['path', 'reason'],
              properties: {
                path: { description: 'Path in the clone, or the name of a branch.', type: 'string', maxLength: 512 },
                reason: { description: 'Why it is not delivered, for people.', type: 'string', maxLength: 512 },
              },
            },
          },
          undeliveredCount: {
            description: 'How many there are in all; undelivered holds the first 50.',
            type: 'integer',
            format: 'int32',
            minimum: 0,
          },
          authRetried: {
            description: 'True when credentials were copied again after an authentication error; that happens once.',
            type: 'boolean',
          },
          conditions: {
            description:
              'Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand, and ServersStarted, False where MCP servers did not start. A type that does not apply is absent.',
            type: 'array',
            maxItems: 10,
            items: {
              description: 'One condition.',
              type: 'object',
              required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
              properties: {
                type: { description: 'Ready, Reconciling, Stalled or ServersStarted.', type: 'string', maxLength: 316 },
                status: {
                  description: 'Whether the condition holds.',
                  type: 'string',
                  enum: ['True', 'False', 'Unknown'],
                },
                observedGeneration: {
                  description: 'metadata.generation that the condition describes.',
                  type: 'integer',
                  format: 'int64',
                  minimum: 0,
                },
                lastTransitionTime: {
                  description: 'When status last changed (RFC 3339, UTC).',
                  type: 'string',
                  format: 'date-time',
                },
                reason: {
                  description: 'Reason for programs, one CamelCase word.',
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
                },
                message: { description: 'Reason for people.', type: 'string', maxLength: 32768 },
              },
            },
          },
        },
      },
    },
  },
  Story: {
    description: "A goal that several tasks reach together on one branch of a project's repository.",
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { description: 'Always slipway.dev/v1alpha1.', type: 'string' },
      kind: { description: 'Name of the kind.', type: 'string' },
      metadata: { type: 'object' },
      spec: {
        description: 'The desired state, written by people.',
        type: 'object',
        required: ['title'],
        properties: {
          title: {
            description: 'Name of the story for people, one line. At most 200 characters.',
            type: 'string',
            minLength: 1,
            maxLength: 200,
            pattern: '^ *[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$',
          },
          branchName: {
            description:
              'Branch that all tasks of the story clone and push. Default `story/<name of the story>`. It cannot be renamed once an execution has worked on it, because later work would not find the commits on the old branch.',
            type: 'string',
            maxLength: 250,
          },
          projectId: {
            description: 'Name of the Project in this namespace whose repository holds the branch.',
            type: 'string',
            maxLength: 50,
          },
          epicId: {
            description:
              'Name of the Epic in this namespace that the story belongs to; absent puts it into the Unassigned lane.',
            type: 'string',
            maxLength: 50,
          },
          priority: {
            description: 'Order within a column of the board, lower first. Absent counts as 0.',
            type: 'integer',
            format: 'int32',
          },
          spec: {
            description: 'Goal of the story, in free text (Markdown). At most 128 KiB.',
            type: 'string',
            maxLength: 131072,
            pattern: '^[^\\x00]*$',
          },
          acceptanceCriteria: {
            description: 'What must hold for the story to be accepted, one sentence each; at most 50.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One criterion.',
              type: 'string',
              minLength: 1,
              maxLength: 4096,
              pattern: '^[^\\x00]*$',
            },
          },
          validation: {
            description: 'How the finished story is checked.',
            type: 'object',
            properties: {
              type: {
                description: 'Kind of check, in a word, such as build, test, smoke or manual.',
                type: 'string',
                maxLength: 63,
              },
              steps: {
                description: 'The steps of the check, in order; at most 50.',
                type: 'array',
                maxItems: 50,
                items: { description: 'One step.', type: 'string', maxLength: 4096 },
              },
              successCriteria: { description: 'What a passed check looks like.', type: 'string', maxLength: 16384 },
            },
          },
        },
      },
      status: {
        description: 'State of the story. Written through the status subresource only.',
        type: 'object',
        default: { observedGeneration: -1 },
        properties: {
          status: {
            description:
              'Status of the story; absent means DISCOVERY. Moves that docs/states.md does not list are refused.',
            type: 'string',
            enum: [
              'DISCOVERY',
              'FRAMING',
              'BACKLOG',
              'PRIORITIZED',
              'IN_PROGRESS',
              'VALIDATING',
              'REVIEW_READY',
              'DONE',
              'SHIPPABLE',
            ],
          },
          movedFrom: {
            description:
              'The status before the present one; absent until the story moves. Only a story that moved from SHIPPABLE to VALIDATING is evaluated.',
            type: 'string',
            enum: [
              'DISCOVERY',
              'FRAMING',
              'BACKLOG',
              'PRIORITIZED',
              'IN_PROGRESS',
              'VALIDATING',
              'REVIEW_READY',
              'DONE',
              'SHIPPABLE',
            ],
          },
          statusChangedAt: {
            description: 'When the status last changed (RFC 3339, UTC).',
            type: 'string',
            format: 'date-time',
          },
          countedEvents: {
            description:
              'Events of tasks that were known when the status changed, the last 200. They do not move the story again, whatever the clocks say.',
            type: 'array',
            maxItems: 200,
            items: { description: 'One event, as kind, task and time.', type: 'string', maxLength: 120 },
          },
          countedFrom: {
            description:
              'Events before this time are counted although they are not listed in countedEvents (RFC 3339, UTC); absent in what earlier versions wrote, which listed only those that are not before statusChangedAt.',
            type: 'string',
            format: 'date-time',
          },
          accepted: {
            description: 'Who accepted the story; absent until somebody does.',
            type: 'object',
            required: ['at'],
            properties: {
              commit: {
                description:
                  "Full hash of the accepted commit: the last one that the story's tasks brought its branch to. Absent if none of them has pushed.",
                type: 'string',
                maxLength: 64,
              },
              by: { description: 'Who, as far as known.', type: 'string', maxLength: 200 },
              at: { description: 'When (RFC 3339, UTC).', type: 'string', format: 'date-time' },
            },
          },
          observedGeneration: {
            description: 'metadata.generation that this status describes.',
            type: 'integer',
            format: 'int64',
          },
          rootTaskId: { description: "First task of the story's chain.", type: 'string', maxLength: 50 },
          tasks: {
            description: "Counts of the story's tasks, without CANCELLED ones.",
            type: 'object',
            required: ['total', 'done'],
            properties: {
              total: { description: 'How many there are.', type: 'integer', format: 'int32', minimum: 0 },
              done: { description: 'How many are READY or COMPLETED.', type: 'integer', format: 'int32', minimum: 0 },
            },
          },
          evaluation: {
            description:
              "Verdicts on the acceptance criteria, counted from the story's events. A round begins each time the story moves from SHIPPABLE to VALIDATING; verdicts of an earlier round do not count.",
            type: 'object',
            required: ['total', 'passed', 'failed', 'pending'],
            properties: {
              total: { description: 'Criteria in all.', type: 'integer', format: 'int32', minimum: 0 },
              passed: { description: 'Criteria that hold.', type: 'integer', format: 'int32', minimum: 0 },
              failed: { description: 'Criteria that do not hold.', type: 'integer', format: 'int32', minimum: 0 },
              pending: {
                description: 'Criteria without a verdict, or with one that is still disputed.',
                type: 'integer',
                format: 'int32',
                minimum: 0,
              },
              round: {
                description: 'Number of this evaluation, counted from 1; absent before the first one.',
                type: 'integer',
                format: 'int32',
                minimum: 1,
              },
              startedAt: {
                description: 'When the round began; verdicts of people count from then on (RFC 3339, UTC).',
                type: 'string',
                format: 'date-time',
              },
              runs: {
                description:
                  'The runs of this round, oldest first. Kept here because executions of queries are deleted 31 days after they end.',
                type: 'array',
                maxItems: 20,
                items: {
                  description: 'One execution.',
                  type: 'object',
                  required: ['execution', 'role', 'agent'],
                  properties: {
                    execution: { description: 'Name of the Execution.', type: 'string', maxLength: 56 },
                    role: {
                      description:
                        'First evaluates every criterion, Second evaluates those that the first one failed, Arbiter decides if the two differ.',
                      type: 'string',
                      enum: ['First', 'Second', 'Arbiter'],
                    },
                    agent: { description: 'Name of the Agent.', type: 'string', maxLength: 50 },
                    criteria: {
                      description:
                        'Ids of the criteria of this run, made from their texts. A criterion that is added meanwhile gets a further run. At most 50.',
                      type: 'array',
                      maxItems: 50,
                      items: { description: 'Id of a criterion.', type: 'string', maxLength: 9 },
                    },
                    outcome: {
                      description:
                        'Answered, Failed (tried again, three times at most) or Cancelled; absent while it runs.',
                      type: 'string',
                      enum: ['Answered', 'Failed', 'Cancelled'],
                    },
                    message: { description: 'Why it failed, for people.', type: 'string', maxLength: 1024 },
                    finishedAt: { description: 'When it ended (RFC 3339, UTC).', type: 'string', format: 'date-time' },
                    retryAfter: {
                      description: 'When the next run of this role may begin, after one that failed (RFC 3339, UTC).',
                      type: 'string',
                      format: 'date-time',
                    },
                  },
                },
              },
              followUp: {
                description:
                  'Further work that the evaluating agent proposes; recorded as an epic_proposed event when the story is accepted.',
                type: 'object',
                required: ['title'],
                properties: {
                  title: { description: 'Title, one line.', type: 'string', maxLength: 200 },
                  description: { description: 'Description of the work.', type: 'string', maxLength: 8192 },
                  agent: { description: 'Name of the Agent that proposes it.', type: 'string', maxLength: 50 },
                },
              },
              verdicts: {
                description: 'The verdict per criterion, in the order of the criteria; at most 50.',
                type: 'array',
                maxItems: 50,
                items: {
                  description: 'One verdict.',
                  type: 'object',
                  required: ['criterion', 'verdict'],
                  properties: {
                    criterion: { description: 'Text of the criterion.', type: 'string', maxLength: 4096 },
                    verdict: {
                      description: 'Whether it holds.',
                      type: 'string',
                      enum: ['passed', 'failed', 'pending'],
                    },
                    comment: { description: 'Reason for people.', type: 'string', maxLength: 4096 },
                    by: {
                      description: 'The agent or the person whose verdict counts.',
                      type: 'string',
                      maxLength: 200,
                    },
                    at: { description: 'When (RFC 3339, UTC).', type: 'string', format: 'date-time' },
                  },
                },
              },
            },
          },
          authors: {
            description:
              "Who authored tasks whose work is on the story's branch, or told their agents what to do. Four eyes ask for somebody else, also once such a task is cancelled, deleted or in another story.",
            type: 'array',
            maxItems: 200,
            items: { description: 'A name, cut if it is long.', type: 'string', maxLength: 200 },
          },
          pushes: {
            description:
              "Pushes of Slipway to the story's branch, oldest first, the last 50. A commit counts as Slipway's when a `head` reaches it and neither `found` nor `base` of that push does; all others are listed in foreignCommits.",
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One push.',
              type: 'object',
              required: ['head', 'at'],
              properties: {
                found: {
                  description: 'Commit that the branch was at. Absent if the branch did not exist.',
                  type: 'string',
                  maxLength: 64,
                },
                base: {
                  description:
                    "Commit of the default branch that the work knew. Commits that it reaches are not Slipway's, also once the default branch has lost them.",
                  type: 'string',
                  maxLength: 64,
                },
                head: { description: 'Commit that the push brought it to.', type: 'string', maxLength: 64 },
                at: {
                  description: 'When the execution that pushed ended (RFC 3339, UTC).',
                  type: 'string',
                  format: 'date-time',
                },
              },
            },
          },
          review: {
            description:
              'What accepting the story adds to the default branch. Absent until a task has pushed, and for work that was pushed before Slipway recorded it.',
            type: 'object',
            required: ['execution', 'baseCommit', 'head'],
            properties: {
              execution: {
                description: 'The Execution that found it; it has the diff.',
                type: 'string',
                maxLength: 56,
              },
              baseCommit: {
                description: 'Merge base of the branch with the default branch; diff and changes are against it.',
                type: 'string',
                maxLength: 64,
              },
              head: { description: 'Commit of the branch that is reviewed.', type: 'string', maxLength: 64 },
              commits: {
                description: 'Full hashes of the commits that accepting adds, newest first; at most 200.',
                type: 'array',
                maxItems: 200,
                items: { description: 'Hash of a commit.', type: 'string', maxLength: 64 },
              },
              changes: {
                description: 'What git counts between the base commit and the work.',
                type: 'object',
                required: ['files', 'insertions', 'deletions'],
                properties: {
                  files: { description: 'Files changed.', type: 'integer', format: 'int32', minimum: 0 },
                  insertions: { description: 'Lines added.', type: 'integer', format: 'int32', minimum: 0 },
                  deletions: { description: 'Lines removed.', type: 'integer', format: 'int32', minimum: 0 },
                },
              },
              foreignCommits: {
                description:
                  'Commits of the reviewed work that no push of Slipway brought, newest first: somebody else pushed them to the branch. Accepting adds them too. At most 50; foreignCommitCount has their number.',
                type: 'array',
                maxItems: 50,
                items: {
                  description: 'One commit.',
                  type: 'object',
                  required: ['commit', 'author', 'subject'],
                  properties: {
                    commit: { description: 'Full hash.', type: 'string', maxLength: 64 },
                    author: {
                      description: 'Name and address of its author, as the commit has them; cut after 200 characters.',
                      type: 'string',
                      maxLength: 200,
                    },
                    subject: {
                      description: 'First line of its message; cut after 200 characters.',
                      type: 'string',
                      maxLength: 200,
                    },
                  },
                },
              },
              foreignCommitCount: {
                description: 'Number of commits that no push of Slipway brought. Absent if there are none.',
                type: 'integer',
                format: 'int32',
                minimum: 1,
              },
              hiddenCommits: {
                description:
                  'Commits with content that the diff does not show, because a later commit takes it back: a file, or lines of one. Accepting adds them to the history with all that they hold. At most 50, newest first.',
                type: 'array',
                maxItems: 50,
                items: {
                  description: 'One commit.',
                  type: 'object',
                  required: ['commit', 'author', 'subject'],
                  properties: {
                    commit: { description: 'Full hash.', type: 'string', maxLength: 64 },
                    author: {
                      description: 'Name and address of its author, as the commit has them; cut after 200 characters.',
                      type: 'string',
                      maxLength: 200,
                    },
                    subject: {
                      description: 'First line of its message; cut after 200 characters.',
                      type: 'string',
                      maxLength: 200,
                    },
                    path: {
                      description: 'The first such file; cut after 1000 characters.',
                      type: 'string',
                      maxLength: 1000,
                    },
                  },
                },
              },
              bulk: {
                description:
                  'What the work adds that a repository is rarely meant to hold: new folders with 1,000 files or more, and files of 50 MiB or more. At most 5.',
                type: 'array',
                maxItems: 5,
                items: {
                  description: 'One folder or file.',
                  type: 'object',
                  required: ['path'],
                  properties: {
                    path: {
                      description: 'Path in the repository; cut after 1000 characters.',
                      type: 'string',
                      maxLength: 1000,
                    },
                    files: {
                      description: 'How many new files the folder has. Absent for a file.',
                      type: 'integer',
                      format: 'int32',
                      minimum: 1,
                    },
                    bytes: {
                      description: 'Size of the file. Absent for a folder.',
                      type: 'integer',
                      format: 'int64',
                      minimum: 1,
                    },
                  },
                },
              },
            },
          },
          branch: {
            description: 'The story branch on the remote.',
            type: 'object',
            properties: {
              name: {
                description: 'Its name when the first execution worked on it; afterwards it cannot be renamed.',
                type: 'string',
                maxLength: 250,
              },
              created: { description: 'True once the branch is on the remote.', type: 'boolean' },
              head: { description: 'Commit at its head, as last observed.', type: 'string', maxLength: 64 },
            },
          },
          decisions: {
            description: 'What people decided about the story, oldest first; the last 50.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One decision.',
              type: 'object',
              required: ['action', 'at'],
              properties: {
                action: {
                  description: 'The decision; approve means that a plan became the story.',
                  type: 'string',
                  enum: ['accept', 'move', 'approve'],
                },
                status: {
                  description: 'Status to which the decision moved the story.',
                  type: 'string',
                  enum: [
                    'DISCOVERY',
                    'FRAMING',
                    'BACKLOG',
                    'PRIORITIZED',
                    'IN_PROGRESS',
                    'VALIDATING',
                    'REVIEW_READY',
                    'DONE',
                    'SHIPPABLE',
                  ],
                },
                by: {
                  description: "Who decided, as far as known, such as a token's name or `kubectl (annotation)`.",
                  type: 'string',
                  maxLength: 200,
                },
                at: { description: 'When (RFC 3339, UTC).', type: 'string', format: 'date-time' },
              },
            },
          },
          lastAction: {
            description: 'The last action taken from the annotation slipway.dev/action.',
            type: 'object',
            required: ['action', 'at'],
            properties: {
              id: {
                description: 'Value of the annotation slipway.dev/action-id; absent when none was given.',
                type: 'string',
                maxLength: 253,
              },
              action: { description: 'The action.', type: 'string', maxLength: 63 },
              at: { description: 'When it was taken or refused (RFC 3339, UTC).', type: 'string', format: 'date-time' },
              refused: {
                description: 'Why it was refused, for people; absent when it was taken.',
                type: 'string',
                maxLength: 1024,
              },
            },
          },
          spentActions: {
            description:
              'The actions with an id (annotation slipway.dev/action-id) that were taken or refused, oldest first; the last 50. None of them is taken again.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One action, by its name and its id.',
              type: 'object',
              required: ['action', 'id'],
              properties: {
                action: { description: 'Value of the annotation slipway.dev/action.', type: 'string', maxLength: 63 },
                id: {
                  description:
                    'Value of the annotation slipway.dev/action-id; one of more than 253 characters as `sha256:` and its SHA-256 digest.',
                  type: 'string',
                  maxLength: 253,
                },
              },
            },
          },
          conditions: {
            description:
              'Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand; a type that does not apply is absent.',
            type: 'array',
            maxItems: 10,
            items: {
              description: 'One condition.',
              type: 'object',
              required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
              properties: {
                type: { description: 'Ready, Reconciling or Stalled.', type: 'string', maxLength: 316 },
                status: {
                  description: 'Whether the condition holds.',
                  type: 'string',
                  enum: ['True', 'False', 'Unknown'],
                },
                observedGeneration: {
                  description: 'metadata.generation that the condition describes.',
                  type: 'integer',
                  format: 'int64',
                  minimum: 0,
                },
                lastTransitionTime: {
                  description: 'When status last changed (RFC 3339, UTC).',
                  type: 'string',
                  format: 'date-time',
                },
                reason: {
                  description: 'Reason for programs, one CamelCase word.',
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
                },
                message: { description: 'Reason for people.', type: 'string', maxLength: 32768 },
              },
            },
          },
        },
      },
    },
  },
  StoryEvent: {
    description: 'Something that happened to a story. Created once and never changed.',
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { description: 'Always slipway.dev/v1alpha1.', type: 'string' },
      kind: { description: 'Name of the kind.', type: 'string' },
      metadata: { type: 'object' },
      spec: {
        description: 'What happened. It cannot be changed.',
        type: 'object',
        required: ['storyId', 'kind', 'at'],
        properties: {
          storyId: { description: 'Name of the Story in this namespace.', type: 'string', minLength: 1, maxLength: 50 },
          kind: {
            description:
              'Kind of the event: eval_verdict (a criterion was evaluated), arbitration_decided, human_accepted (made only by the server, when a person accepts), retro_captured or epic_proposed.',
            type: 'string',
            enum: ['eval_verdict', 'arbitration_decided', 'human_accepted', 'retro_captured', 'epic_proposed'],
          },
          payload: { description: 'Details; their form depends on the kind of event.', type: 'object' },
          at: { description: 'When it happened (RFC 3339, UTC).', type: 'string', format: 'date-time' },
          by: { description: 'Who did it, as far as known.', type: 'string', maxLength: 200 },
        },
      },
    },
  },
  Epic: {
    description: 'A group of stories that belong together; a lane of the board.',
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { description: 'Always slipway.dev/v1alpha1.', type: 'string' },
      kind: { description: 'Name of the kind.', type: 'string' },
      metadata: { type: 'object' },
      spec: {
        description: 'The desired state, written by people.',
        type: 'object',
        required: ['title'],
        properties: {
          title: {
            description: 'Name of the epic for people, one line. At most 200 characters.',
            type: 'string',
            minLength: 1,
            maxLength: 200,
            pattern: '^ *[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$',
          },
          description: {
            description: 'What the epic is about, in free text (Markdown). At most 128 KiB.',
            type: 'string',
            maxLength: 131072,
            pattern: '^[^\\x00]*$',
          },
          priority: {
            description: 'Order of the lanes, lower first. Absent counts as 0.',
            type: 'integer',
            format: 'int32',
          },
          color: {
            description: 'Colour of the lane, as # and six hexadecimal digits. Default: chosen by the UI.',
            type: 'string',
            maxLength: 7,
            pattern: '^#[0-9a-fA-F]{6}$',
          },
        },
      },
      status: {
        description: 'Observed state. Written through the status subresource only.',
        type: 'object',
        default: { observedGeneration: -1 },
        properties: {
          observedGeneration: {
            description: 'metadata.generation that this status describes.',
            type: 'integer',
            format: 'int64',
          },
          conditions: {
            description:
              'Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand; a type that does not apply is absent.',
            type: 'array',
            maxItems: 10,
            items: {
              description: 'One condition.',
              type: 'object',
              required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
              properties: {
                type: { description: 'Ready, Reconciling or Stalled.', type: 'string', maxLength: 316 },
                status: {
                  description: 'Whether the condition holds.',
                  type: 'string',
                  enum: ['True', 'False', 'Unknown'],
                },
                observedGeneration: {
                  description: 'metadata.generation that the condition describes.',
                  type: 'integer',
                  format: 'int64',
                  minimum: 0,
                },
                lastTransitionTime: {
                  description: 'When status last changed (RFC 3339, UTC).',
                  type: 'string',
                  format: 'date-time',
                },
                reason: {
                  description: 'Reason for programs, one CamelCase word.',
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
                },
                message: { description: 'Reason for people.', type: 'string', maxLength: 32768 },
              },
            },
          },
        },
      },
    },
  },
  Project: {
    description: 'A repository that tasks and stories work in, with the settings to reach and check it.',
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { description: 'Always slipway.dev/v1alpha1.', type: 'string' },
      kind: { description: 'Name of the kind.', type: 'string' },
      metadata: { type: 'object' },
      spec: {
        description: 'The desired state, written by people. A change counts from the next execution on.',
        type: 'object',
        required: ['title', 'remoteUrl'],
        properties: {
          title: {
            description: 'Name of the project for people, one line. At most 200 characters.',
            type: 'string',
            minLength: 1,
            maxLength: 200,
            pattern: '^ *[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$',
          },
          remoteUrl: {
            description:
              'URL that is cloned and pushed to: https, http, ssh or the form user@host:path. Absolute paths and file: URLs are honoured by the embedded control plane only.',
            type: 'string',
            minLength: 1,
            maxLength: 2048,
          },
          localPath: {
            description:
              'Folder with a checkout of the project on the server, below the workspace root (embedded: any folder). Elaboration reads it; failures reported by a webhook are matched by its last segment.',
            type: 'string',
            maxLength: 4096,
          },
          defaultBranch: {
            description:
              "Branch that work starts from. Executions never push to it; only delivery by onAccept Merge does. Default: the remote's HEAD.",
            type: 'string',
            maxLength: 250,
          },
          containerImage: {
            description: "Image of the container that agents run in for this project. Default: the agent's image.",
            type: 'string',
            maxLength: 512,
            pattern: '^[^\\x00-\\x20\\x7f]*$',
          },
          testCommand: {
            description: 'Command line that checks the project, such as npm test; agents get it in their prompt.',
            type: 'string',
            maxLength: 4096,
            pattern: '^[^\\x00]*$',
          },
          instructions: {
            description:
              "Standing instructions for every agent in the project, as Markdown. They are put where the program looks for its user's instructions (CLAUDE.md, GEMINI.md, AGENTS.md in its home), never into the repository. They follow those of the Agent. At most 32 KiB.",
            type: 'string',
            maxLength: 32768,
          },
          mcpServers: {
            description:
              "Servers of the Model Context Protocol whose tools the agent may use, in executions that do a task's work. A Project may name others; if two have the same name, the one of the Project is used. With allowedTools, name them there too (mcp__<server>).",
            type: 'array',
            maxItems: 20,
            items: {
              description: "One server: a program in the agent's container, or a URL.",
              type: 'object',
              required: ['name'],
              properties: {
                name: {
                  description: "Name of the server for the agent; part of its tools' names.",
                  type: 'string',
                  minLength: 1,
                  maxLength: 50,
                  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                },
                command: {
                  description: "Program that is started in the agent's container and communicates on stdin and stdout.",
                  type: 'string',
                  minLength: 1,
                  maxLength: 4096,
                  pattern: '^[^\\x00]*$',
                },
                args: {
                  description: 'Its arguments. Every process of the machine can read them, so none may be secret.',
                  type: 'array',
                  maxItems: 50,
                  items: { description: 'One argument.', type: 'string', maxLength: 4096, pattern: '^[^\\x00]*$' },
                },
                env: {
                  description: 'Its environment variables, in addition to those of the agent.',
                  type: 'array',
                  maxItems: 50,
                  items: {
                    description: 'One variable.',
                    type: 'object',
                    required: ['name'],
                    properties: {
                      name: {
                        description: 'Name of the variable.',
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
                      },
                      value: {
                        description: 'Its value, if it is not secret; everybody who may read this resource sees it.',
                        type: 'string',
                        maxLength: 4096,
                        pattern: '^[^\\x00-\\x1f]*$',
                      },
                      key: {
                        description: "Key of the agent's Secret (credentials.secretName) that holds its value.",
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                      },
                    },
                  },
                },
                url: {
                  description: 'URL of a server for streamable HTTP.',
                  type: 'string',
                  maxLength: 2048,
                  pattern: '^https?://[^\\s$"\\\\]+$',
                },
                headers: {
                  description: 'Headers of the requests to it, such as Authorization.',
                  type: 'array',
                  maxItems: 20,
                  items: {
                    description: 'One header.',
                    type: 'object',
                    required: ['name'],
                    properties: {
                      name: {
                        description: 'Name of the header.',
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                        pattern: '^[A-Za-z0-9-]+$',
                      },
                      value: {
                        description: 'Its value, if it is not secret; everybody who may read this resource sees it.',
                        type: 'string',
                        maxLength: 4096,
                        pattern: '^[^\\x00-\\x1f]*$',
                      },
                      key: {
                        description: "Key of the agent's Secret (credentials.secretName) that holds its value.",
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                      },
                    },
                  },
                },
              },
            },
          },
          runPolicy: {
            description:
              'For tasks that the webhook makes from failures: Manual (default) waits until a person runs them, Auto queues them at once.',
            type: 'string',
            enum: ['Manual', 'Auto'],
            default: 'Manual',
          },
          evaluation: {
            description:
              'What Slipway does by itself when a story of the project is moved to VALIDATING and when it is accepted.',
            type: 'object',
            properties: {
              enabled: {
                description:
                  'Agents evaluate the acceptance criteria of a story in VALIDATING. If all hold, it becomes REVIEW_READY. False: people decide. Default true.',
                type: 'boolean',
                default: true,
              },
              arbitration: {
                description:
                  'A second agent evaluates a criterion that the first one failed; if they differ, a third run decides. False: the first verdict counts. Default true.',
                type: 'boolean',
                default: true,
              },
              retro: {
                description:
                  'Attempts, time, cost and rejections of the story are recorded when it is accepted. Default true.',
                type: 'boolean',
                default: true,
              },
              proposeEpics: {
                description:
                  'The follow-up that the evaluating agent proposes is recorded when a story is accepted. Default true.',
                type: 'boolean',
                default: true,
              },
            },
          },
          deployment: {
            description: "How to find the commit of the project's running deployment.",
            type: 'object',
            properties: {
              commitUrl: {
                description:
                  'http or https URL that answers with the deployed commit, as plain text or as JSON {"commit": …}. Read at most once a minute.',
                type: 'string',
                maxLength: 2048,
              },
            },
          },
          onAccept: {
            description:
              'What is done with accepted work: None (default: it stays on its branch), Merge (into the default branch: fast-forward, else a merge commit) or PullRequest (opened at the host). A story is delivered once, when it is accepted. Work that cannot be delivered is READY again and says why. A change counts for work that is accepted afterwards.',
            type: 'string',
            enum: ['None', 'Merge', 'PullRequest'],
          },
          host: {
            description:
              'The service that hosts the repository, for pull requests. Derived from the remote for github.com, gitlab.com and codeberg.org.',
            type: 'object',
            properties: {
              type: {
                description: 'Type of its API; Gitea is also for Forgejo.',
                type: 'string',
                enum: ['GitHub', 'GitLab', 'Gitea'],
              },
              apiUrl: {
                description:
                  "URL of its API, such as https://git.example.com/api/v4. Default: the usual path on the remote's host. The token of the git Secret is sent there only if the Secret names that host.",
                type: 'string',
                maxLength: 2048,
              },
            },
          },
          git: {
            description:
              'Credentials of git for the remote, which the steps that clone and push use and never the agent, and who commits.',
            type: 'object',
            properties: {
              secretName: {
                description:
                  "Secret in this namespace of type kubernetes.io/basic-auth or kubernetes.io/ssh-auth (with known_hosts), labelled slipway.dev/usable-by: git. It is sent only to the host in the Secret's annotation slipway.dev/git-host (host or host:port; no port means the one of the URL's scheme: 443 of https, 80 of http, 22 of ssh).",
                type: 'string',
                maxLength: 253,
              },
              caBundle: {
                description:
                  "Further certificate authorities (PEM) to trust at the remote's host for clone and push over https.",
                type: 'string',
                maxLength: 65536,
              },
              identity: {
                description:
                  'Author and committer of commits. Agents commit with it unless the repository or the agent sets user.name and user.email itself. Default: that of the Agent, else, on one machine, that of your own git, else Slipway.',
                type: 'object',
                required: ['name', 'email'],
                properties: {
                  name: {
                    description: 'Name of the author.',
                    type: 'string',
                    minLength: 1,
                    maxLength: 200,
                    pattern: '^[^\\x00-\\x1f\\x7f<>]*$',
                  },
                  email: {
                    description: 'E-mail address of the author.',
                    type: 'string',
                    minLength: 1,
                    maxLength: 254,
                    pattern: '^[^\\x00-\\x20\\x7f<>]*$',
                  },
                },
              },
            },
          },
        },
      },
      status: {
        description: 'Observed state. Written through the status subresource only.',
        type: 'object',
        default: { observedGeneration: -1 },
        properties: {
          observedGeneration: {
            description: 'metadata.generation that this status describes.',
            type: 'integer',
            format: 'int64',
          },
          conditions: {
            description:
              'Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand; a type that does not apply is absent.',
            type: 'array',
            maxItems: 10,
            items: {
              description: 'One condition.',
              type: 'object',
              required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
              properties: {
                type: { description: 'Ready, Reconciling or Stalled.', type: 'string', maxLength: 316 },
                status: {
                  description: 'Whether the condition holds.',
                  type: 'string',
                  enum: ['True', 'False', 'Unknown'],
                },
                observedGeneration: {
                  description: 'metadata.generation that the condition describes.',
                  type: 'integer',
                  format: 'int64',
                  minimum: 0,
                },
                lastTransitionTime: {
                  description: 'When status last changed (RFC 3339, UTC).',
                  type: 'string',
                  format: 'date-time',
                },
                reason: {
                  description: 'Reason for programs, one CamelCase word.',
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
                },
                message: { description: 'Reason for people.', type: 'string', maxLength: 32768 },
              },
            },
          },
        },
      },
    },
  },
  Agent: {
    description: 'A kind of coding agent that can get tasks, and what it needs to run.',
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { description: 'Always slipway.dev/v1alpha1.', type: 'string' },
      kind: { description: 'Name of the kind.', type: 'string' },
      metadata: { type: 'object' },
      spec: {
        description: 'How the agent is run. A change counts from the next execution on.',
        type: 'object',
        required: ['adapter'],
        properties: {
          adapter: {
            description:
              "Which program Slipway drives: script (runs the task's instructions with bash), claude, codex or gemini (command line tools of that name).",
            type: 'string',
            enum: ['claude', 'codex', 'gemini', 'script'],
          },
          image: {
            description:
              "Image with the agent's program. Default: Slipway's own image. Projects and tasks may name another one.",
            type: 'string',
            maxLength: 512,
            pattern: '^[^\\x00-\\x20\\x7f]*$',
          },
          command: {
            description: 'Program and first arguments. Default: the command of the adapter.',
            type: 'array',
            maxItems: 50,
            items: { description: 'Program or argument.', type: 'string', maxLength: 4096 },
          },
          models: {
            description: 'Models that tasks may ask for; absent means any.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'Name of a model, as the program understands it.',
              type: 'string',
              minLength: 1,
              maxLength: 200,
              pattern: '^([^\\x00-\\x20\\x7f-][^\\x00-\\x1f\\x7f]*)?$',
            },
          },
          defaultModel: {
            description: "Model of tasks that name none. Default: the program's own default.",
            type: 'string',
            maxLength: 200,
            pattern: '^([^\\x00-\\x20\\x7f-][^\\x00-\\x1f\\x7f]*)?$',
          },
          maxConcurrent: {
            description:
              'How many executions of this agent run at the same time. Default 1. Lowering it does not stop running executions.',
            type: 'integer',
            format: 'int32',
            minimum: 1,
            maximum: 100,
            default: 1,
          },
          timeout: {
            description:
              "Time limit of the agent's step for tasks that name none, as a Go duration such as 90s or 1h30m. Default 30m.",
            type: 'string',
            maxLength: 32,
            pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$',
          },
          allowedTools: {
            description:
              'Tools that the agent may use if the task names none, such as Read, Edit or Bash. Absent: the program decides.',
            type: 'array',
            maxItems: 100,
            items: { description: 'Name of a tool.', type: 'string', minLength: 1, maxLength: 200 },
          },
          autoResume: {
            description:
              'Whether executions of this agent that were lost, or that met a limit, are tried again by themselves. False: such a task fails and waits for a person, and a task with a scheduled attempt waits until this is true again. Default true. A single task is switched off by its own suspend.',
            type: 'boolean',
          },
          prices: {
            description:
              'What the provider charges, in US dollars. gemini and codex report no cost: Slipway computes it from their tokens and enforces the budgetUSD of a task with it. For claude it is used only if the program is ended before it reports its cost. Absent: executions of gemini and codex have no cost, and no budget is enforced.',
            type: 'object',
            required: ['inputPerMillion', 'outputPerMillion'],
            properties: {
              inputPerMillion: {
                description: 'Price of a million tokens that the model reads.',
                type: 'number',
                minimum: 0,
                maximum: 1000000,
              },
              outputPerMillion: {
                description: 'Price of a million tokens that the model writes, thoughts included.',
                type: 'number',
                minimum: 0,
                maximum: 1000000,
              },
              cachedInputPerMillion: {
                description:
                  "Price of a million tokens that the model reads from the provider's cache. Default inputPerMillion.",
                type: 'number',
                minimum: 0,
                maximum: 1000000,
              },
            },
          },
          git: {
            description: 'Git in the executions of this agent.',
            type: 'object',
            properties: {
              identity: {
                description:
                  'Author and committer of commits. That of the Project (git.identity) comes first; default as there.',
                type: 'object',
                required: ['name', 'email'],
                properties: {
                  name: {
                    description: 'Name of the author.',
                    type: 'string',
                    minLength: 1,
                    maxLength: 200,
                    pattern: '^[^\\x00-\\x1f\\x7f<>]*$',
                  },
                  email: {
                    description: 'E-mail address of the author.',
                    type: 'string',
                    minLength: 1,
                    maxLength: 254,
                    pattern: '^[^\\x00-\\x20\\x7f<>]*$',
                  },
                },
              },
            },
          },
          allowedImages: {
            description:
              "Images that tasks and projects may name for this agent (containerImage), because its credentials are given to the image. Patterns such as registry.example.com/team/* or docker.io/library/node:24: a star stands for any text within one part, ** for any number of parts, and a pattern without a tag takes every tag and digest; one with a tag takes no digest. A first part without dot and colon belongs to docker.io; end a registry with a whole name, as example.com* would take example.com.evil.org. Absent: every image. Empty: only the agent's own image, which is always allowed. A change counts from the next pod that runs the agent.",
            type: 'array',
            maxItems: 50,
            items: {
              description: "Pattern of an image's name, tag or digest.",
              type: 'string',
              minLength: 1,
              maxLength: 500,
            },
          },
          dropsAccess: {
            description: 'Access of the agent to the drop directory: readWrite (default), readOnly or none.',
            type: 'string',
            enum: ['readWrite', 'readOnly', 'none'],
            default: 'readWrite',
          },
          instructions: {
            description:
              "Standing instructions for every task, as Markdown. They are put where the program looks for its user's instructions (CLAUDE.md, GEMINI.md, AGENTS.md in its home), never into the repository. The instructions of a Project follow them. At most 32 KiB.",
            type: 'string',
            maxLength: 32768,
          },
          mcpServers: {
            description:
              "Servers of the Model Context Protocol whose tools the agent may use, in executions that do a task's work. A Project may name others; if two have the same name, the one of the Project is used. With allowedTools, name them there too (mcp__<server>).",
            type: 'array',
            maxItems: 20,
            items: {
              description: "One server: a program in the agent's container, or a URL.",
              type: 'object',
              required: ['name'],
              properties: {
                name: {
                  description: "Name of the server for the agent; part of its tools' names.",
                  type: 'string',
                  minLength: 1,
                  maxLength: 50,
                  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
                },
                command: {
                  description: "Program that is started in the agent's container and communicates on stdin and stdout.",
                  type: 'string',
                  minLength: 1,
                  maxLength: 4096,
                  pattern: '^[^\\x00]*$',
                },
                args: {
                  description: 'Its arguments. Every process of the machine can read them, so none may be secret.',
                  type: 'array',
                  maxItems: 50,
                  items: { description: 'One argument.', type: 'string', maxLength: 4096, pattern: '^[^\\x00]*$' },
                },
                env: {
                  description: 'Its environment variables, in addition to those of the agent.',
                  type: 'array',
                  maxItems: 50,
                  items: {
                    description: 'One variable.',
                    type: 'object',
                    required: ['name'],
                    properties: {
                      name: {
                        description: 'Name of the variable.',
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
                      },
                      value: {
                        description: 'Its value, if it is not secret; everybody who may read this resource sees it.',
                        type: 'string',
                        maxLength: 4096,
                        pattern: '^[^\\x00-\\x1f]*$',
                      },
                      key: {
                        description: "Key of the agent's Secret (credentials.secretName) that holds its value.",
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                      },
                    },
                  },
                },
                url: {
                  description: 'URL of a server for streamable HTTP.',
                  type: 'string',
                  maxLength: 2048,
                  pattern: '^https?://[^\\s$"\\\\]+$',
                },
                headers: {
                  description: 'Headers of the requests to it, such as Authorization.',
                  type: 'array',
                  maxItems: 20,
                  items: {
                    description: 'One header.',
                    type: 'object',
                    required: ['name'],
                    properties: {
                      name: {
                        description: 'Name of the header.',
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                        pattern: '^[A-Za-z0-9-]+$',
                      },
                      value: {
                        description: 'Its value, if it is not secret; everybody who may read this resource sees it.',
                        type: 'string',
                        maxLength: 4096,
                        pattern: '^[^\\x00-\\x1f]*$',
                      },
                      key: {
                        description: "Key of the agent's Secret (credentials.secretName) that holds its value.",
                        type: 'string',
                        minLength: 1,
                        maxLength: 253,
                      },
                    },
                  },
                },
              },
            },
          },
          prompts: {
            description:
              "Templates (Mustache) that replace Slipway's own prompts. docs/prompts.md lists the values that they may use; {{> task}} includes Slipway's own. An unusable template makes the Agent Stalled; the message names the field and the line.",
            type: 'object',
            properties: {
              task: {
                description: 'Prompt of a fresh start. At most 32 KiB.',
                type: 'string',
                minLength: 1,
                maxLength: 32768,
              },
              resume: {
                description: 'Prompt of a resumed session; it depends on how the session stopped. At most 32 KiB.',
                type: 'string',
                minLength: 1,
                maxLength: 32768,
              },
              elaborate: {
                description: 'Prompt that asks for a task. At most 32 KiB.',
                type: 'string',
                minLength: 1,
                maxLength: 32768,
              },
              plan: {
                description: 'Prompt that asks for the plan of a story. At most 32 KiB.',
                type: 'string',
                minLength: 1,
                maxLength: 32768,
              },
              validate: {
                description: 'Prompt that asks for a check of a task before it is run. At most 32 KiB.',
                type: 'string',
                minLength: 1,
                maxLength: 32768,
              },
              evaluate: {
                description: "Prompt that asks for a verdict on a story's acceptance criteria. At most 32 KiB.",
                type: 'string',
                minLength: 1,
                maxLength: 32768,
              },
              classify: {
                description: 'Prompt that asks which agent suits a task. At most 32 KiB.',
                type: 'string',
                minLength: 1,
                maxLength: 32768,
              },
            },
          },
          classifier: {
            description: 'Whether this agent gets tasks that name no agent, and which ones.',
            type: 'object',
            properties: {
              enabled: {
                description: 'False: the agent gets only tasks that name it. Default true.',
                type: 'boolean',
                default: true,
              },
              hint: { description: 'What the agent is good at, as a text.', type: 'string', maxLength: 4096 },
              judges: {
                description:
                  'True: this agent is asked which agent suits a task that names none, if more than one could take it. Without a usable answer within 10 seconds the rules choose. Default false.',
                type: 'boolean',
              },
              judgeModel: {
                description: "Model for that question, a cheap one. Default the agent's default model.",
                type: 'string',
                maxLength: 200,
              },
            },
          },
          credentials: {
            description:
              'What the program needs to log in. Checked before a container starts: a missing or empty key, or no login at all, fails the execution at once (category credentials). Scripts need none, nor does an Agent with a command; {} says that the image brings a login.',
            type: 'object',
            properties: {
              secretName: {
                description: 'Secret in this namespace, labelled slipway.dev/usable-by: agent.',
                type: 'string',
                maxLength: 253,
              },
              files: {
                description: "Files that are put into the agent's home; at most 20.",
                type: 'array',
                maxItems: 20,
                items: {
                  description: 'One file, from a key of the Secret or from the machine.',
                  type: 'object',
                  required: ['path'],
                  properties: {
                    key: { description: 'Key of the Secret that holds the file.', type: 'string', maxLength: 253 },
                    path: {
                      description: 'Path at which the program expects the file, relative to its home.',
                      type: 'string',
                      minLength: 1,
                      maxLength: 1024,
                    },
                    hostPath: {
                      description:
                        'Absolute path of a file on this machine, honoured by the embedded control plane only; in a cluster it makes the Agent Stalled.',
                      type: 'string',
                      maxLength: 4096,
                    },
                  },
                },
              },
              env: {
                description: 'Environment variables of the program; at most 50.',
                type: 'array',
                maxItems: 50,
                items: {
                  description: 'One variable.',
                  type: 'object',
                  required: ['name', 'key'],
                  properties: {
                    name: {
                      description: 'Name of the variable.',
                      type: 'string',
                      maxLength: 253,
                      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
                    },
                    key: {
                      description: 'Key of the Secret that holds its value.',
                      type: 'string',
                      minLength: 1,
                      maxLength: 253,
                    },
                  },
                },
              },
              writeBack: {
                description:
                  'True: a file that the program changed (a renewed token) is stored while the slot is still held. Default false.',
                type: 'boolean',
              },
            },
          },
          podTemplate: {
            description:
              "Settings of the agent's pods. Only fields that give no access to the node, another account or another Secret exist here.",
            type: 'object',
            properties: {
              labels: {
                description:
                  'Labels added to the pods, but for those that pods are selected by: slipway.dev/…, those of the Job controller, and name, instance and component of app.kubernetes.io.',
                type: 'object',
                maxProperties: 50,
                additionalProperties: { type: 'string', maxLength: 63 },
              },
              annotations: {
                description: 'Annotations added to the pods.',
                type: 'object',
                maxProperties: 50,
                additionalProperties: { type: 'string', maxLength: 4096 },
              },
              resources: {
                description: "Processor time, memory and the like of the agent's container.",
                type: 'object',
                properties: {
                  requests: {
                    description: 'Resources that are reserved, such as cpu 500m or memory 1Gi.',
                    type: 'object',
                    maxProperties: 20,
                    additionalProperties: { anyOf: [{ type: 'integer' }, { type: 'string' }], maxLength: 64 },
                  },
                  limits: {
                    description: 'Upper limits; more memory than that ends the execution (out of memory).',
                    type: 'object',
                    maxProperties: 20,
                    additionalProperties: { anyOf: [{ type: 'integer' }, { type: 'string' }], maxLength: 64 },
                  },
                },
              },
              nodeSelector: {
                description: 'Labels that a node must carry.',
                type: 'object',
                maxProperties: 50,
                additionalProperties: { type: 'string', maxLength: 63 },
              },
              tolerations: {
                description: 'Taints of nodes that are tolerated, as in a pod; at most 20.',
                type: 'array',
                maxItems: 20,
                items: {
                  description: 'One toleration.',
                  type: 'object',
                  properties: {
                    key: {
                      description: 'Key of the taint; absent with operator Exists means all.',
                      type: 'string',
                      maxLength: 317,
                    },
                    operator: { description: 'Equal (default) or Exists.', type: 'string', enum: ['Equal', 'Exists'] },
                    value: { description: 'Value of the taint.', type: 'string', maxLength: 63 },
                    effect: {
                      description: 'Effect that is tolerated; absent means all.',
                      type: 'string',
                      enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
                    },
                    tolerationSeconds: {
                      description: 'How long a NoExecute taint is tolerated, in seconds; absent means for ever.',
                      type: 'integer',
                      format: 'int64',
                    },
                  },
                },
              },
              affinity: {
                description:
                  "Rules for choosing a node, as in a pod's spec.affinity. Of a kind of affinity that the installation sets too, such as podAffinity, the installation's rules count.",
                type: 'object',
              },
              runtimeClassName: {
                description: 'RuntimeClass of the pods, such as one that isolates with gVisor or Kata.',
                type: 'string',
                maxLength: 253,
              },
              priorityClassName: { description: 'PriorityClass of the pods.', type: 'string', maxLength: 253 },
              imagePullSecrets: {
                description: 'Secrets that images are pulled with; at most 10.',
                type: 'array',
                maxItems: 10,
                items: {
                  description: 'One Secret.',
                  type: 'object',
                  required: ['name'],
                  properties: {
                    name: { description: 'Name of the Secret in this namespace.', type: 'string', maxLength: 253 },
                  },
                },
              },
            },
          },
        },
      },
      status: {
        description:
          'State of the agent, written only when it changes. Running and waiting tasks are computed, not stored.',
        type: 'object',
        default: { observedGeneration: -1 },
        properties: {
          observedGeneration: {
            description: 'metadata.generation that this status describes.',
            type: 'integer',
            format: 'int64',
          },
          outcomes: {
            description:
              'How executions ended, the last 50, in the order in which the operator observed it. Three failures in a row drain the agent. A success is listed where it ends a row of failures, or a limit.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One outcome, listed once per execution, so that a crash never counts it twice.',
              type: 'object',
              required: ['execution', 'counted', 'at'],
              properties: {
                execution: { description: 'Name of the execution.', type: 'string', maxLength: 56 },
                uid: {
                  description: 'metadata.uid of the execution; a task that is made again reuses the name.',
                  type: 'string',
                  maxLength: 63,
                },
                counted: {
                  description:
                    'What it means for the drain. Failure counts, Success resets the count, Ignored does neither, Undrained is a failure that no longer counts because a person undrained the agent afterwards.',
                  type: 'string',
                  enum: ['Failure', 'Success', 'Ignored', 'Undrained'],
                },
                at: { description: 'When it ended (RFC 3339, UTC).', type: 'string', format: 'date-time' },
              },
            },
          },
          undrainedAt: {
            description:
              'When a person last undrained the agent; the failures listed by then are Undrained (RFC 3339, UTC).',
            type: 'string',
            format: 'date-time',
          },
          drained: {
            description: 'Present while the agent accepts no work, until a person undrains it.',
            type: 'object',
            required: ['since'],
            properties: {
              since: { description: 'Since when (RFC 3339, UTC).', type: 'string', format: 'date-time' },
              reason: { description: 'Reason for people.', type: 'string', maxLength: 4096 },
              task: {
                description: 'Name of the task whose failure drained the agent; its question says what to decide.',
                type: 'string',
                maxLength: 50,
              },
              execution: {
                description: 'Name of the execution whose failure drained the agent.',
                type: 'string',
                maxLength: 56,
              },
            },
          },
          rateLimitedUntil: {
            description: "End of the provider's limit; until then the agent's tasks stay QUEUED (RFC 3339, UTC).",
            type: 'string',
            format: 'date-time',
          },
          assumedLimit: {
            description:
              'Present after quota or credit was used up without a known end, until an execution has succeeded again or a person has undrained the agent. Until then one execution runs at a time.',
            type: 'object',
            required: ['level', 'since'],
            properties: {
              level: {
                description:
                  'How often in a row executions met the limit. It is assumed to last 1 h, then 4 h, then 24 h.',
                type: 'integer',
                format: 'int32',
                minimum: 1,
                maximum: 3,
              },
              since: {
                description: 'When an execution last met the limit (RFC 3339, UTC).',
                type: 'string',
                format: 'date-time',
              },
            },
          },
          events: {
            description: 'Begin and end of rate limits in the last 24 hours, oldest first; at most 500.',
            type: 'array',
            maxItems: 500,
            items: {
              description: 'One event.',
              type: 'object',
              required: ['kind', 'at'],
              properties: {
                kind: {
                  description: 'What happened.',
                  type: 'string',
                  enum: ['rate_limited', 'recovered', 'drained', 'undrained'],
                },
                at: { description: 'When (RFC 3339, UTC).', type: 'string', format: 'date-time' },
                message: { description: 'Details for people.', type: 'string', maxLength: 1024 },
                execution: {
                  description: 'Name of the execution in which it happened.',
                  type: 'string',
                  maxLength: 56,
                },
              },
            },
          },
          decisions: {
            description: 'What people decided about the agent, oldest first; the last 50.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One decision.',
              type: 'object',
              required: ['action', 'at'],
              properties: {
                action: { description: 'What was decided.', type: 'string', enum: ['undrain'] },
                by: {
                  description: "Who decided, as far as known, such as a token's name or `kubectl (annotation)`.",
                  type: 'string',
                  maxLength: 200,
                },
                at: { description: 'When (RFC 3339, UTC).', type: 'string', format: 'date-time' },
              },
            },
          },
          lastAction: {
            description: 'The last action taken from the annotation slipway.dev/action.',
            type: 'object',
            required: ['action', 'at'],
            properties: {
              id: {
                description: 'Value of the annotation slipway.dev/action-id; absent when none was given.',
                type: 'string',
                maxLength: 253,
              },
              action: { description: 'The action.', type: 'string', maxLength: 63 },
              at: { description: 'When it was taken or refused (RFC 3339, UTC).', type: 'string', format: 'date-time' },
              refused: {
                description: 'Why it was refused, for people; absent when it was taken.',
                type: 'string',
                maxLength: 1024,
              },
            },
          },
          spentActions: {
            description:
              'The actions with an id (annotation slipway.dev/action-id) that were taken or refused, oldest first; the last 50. None of them is taken again.',
            type: 'array',
            maxItems: 50,
            items: {
              description: 'One action, by its name and its id.',
              type: 'object',
              required: ['action', 'id'],
              properties: {
                action: { description: 'Value of the annotation slipway.dev/action.', type: 'string', maxLength: 63 },
                id: {
                  description:
                    'Value of the annotation slipway.dev/action-id; one of more than 253 characters as `sha256:` and its SHA-256 digest.',
                  type: 'string',
                  maxLength: 253,
                },
              },
            },
          },
          conditions: {
            description:
              'Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand, and DecisionsProven, False while the admission policies that the installation asks for are not in force. A type that does not apply is absent.',
            type: 'array',
            maxItems: 10,
            items: {
              description: 'One condition.',
              type: 'object',
              required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
              properties: {
                type: {
                  description: 'Ready, Reconciling, Stalled or DecisionsProven.',
                  type: 'string',
                  maxLength: 316,
                },
                status: {
                  description: 'Whether the condition holds.',
                  type: 'string',
                  enum: ['True', 'False', 'Unknown'],
                },
                observedGeneration: {
                  description: 'metadata.generation that the condition describes.',
                  type: 'integer',
                  format: 'int64',
                  minimum: 0,
                },
                lastTransitionTime: {
                  description: 'When status last changed (RFC 3339, UTC).',
                  type: 'string',
                  format: 'date-time',
                },
                reason: {
                  description: 'Reason for programs, one CamelCase word.',
                  type: 'string',
                  minLength: 1,
                  maxLength: 1024,
                  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
                },
                message: { description: 'Reason for people.', type: 'string', maxLength: 32768 },
              },
            },
          },
        },
      },
    },
  },
}
