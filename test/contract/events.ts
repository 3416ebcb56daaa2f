/** Events of a code-hosting service, cut down to what its documentation says is always there. */

interface Parts {
  readonly id?: number
  /** Name without the owner. */
  readonly repository?: string
}

const SHA = 'b'.repeat(40)

function repositoryOf(name: string) {
  const url = `https://github.com/acme/${name}`
  return {
    name,
    full_name: `acme/${name}`,
    html_url: url,
    clone_url: `${url}.git`,
    ssh_url: `git@github.com:acme/${name}.git`,
  }
}

/** A completed check run; each id fails on a commit of its own. */
export function aCheckRun(conclusion: string, { id = 1, repository = 'shop' }: Parts = {}): object {
  const head_sha = `${id}${SHA}`.slice(0, 40)
  return {
    action: 'completed',
    check_run: {
      id,
      name: 'unit tests',
      head_sha,
      status: 'completed',
      conclusion,
      html_url: `https://github.com/acme/${repository}/runs/${id}`,
      output: { title: 'Tests failed', summary: '1 of 20', text: null },
      check_suite: { id, head_branch: 'main', head_sha },
    },
    repository: repositoryOf(repository),
    sender: { login: 'octocat' },
  }
}

/** A completed workflow run. */
export function aWorkflowRun(conclusion: string, { id = 2, repository = 'shop' }: Parts = {}): object {
  return {
    action: 'completed',
    workflow_run: {
      id,
      name: 'CI',
      head_branch: 'main',
      head_sha: `${id}${SHA}`.slice(0, 40),
      run_number: 7,
      run_attempt: 1,
      event: 'push',
      status: 'completed',
      conclusion,
      html_url: `https://github.com/acme/${repository}/actions/runs/${id}`,
    },
    repository: repositoryOf(repository),
    sender: { login: 'octocat' },
  }
}
