/** Repositories of a test's own whose clones and pushes can be held, to meet a pod in the middle of a step. */
import { GIT_SERVER, onGitServer } from './cluster.ts'

/** What prepare asks for, and what deliver pushes to. */
export type GitService = 'git-upload-pack' | 'git-receive-pack'

/** Makes a bare repository beside those of the git server; it counts the pushes to each ref. Answers its URL. */
export async function makeRepository(name: string): Promise<string> {
  const script = `git clone --quiet --bare /repositories/sample.git "/repositories/$1.git" && cd "/repositories/$1.git"
    git config http.receivepack true
    printf '%s\\n' '#!/bin/sh' 'while read -r _ _ ref; do echo "$ref" >> pushes; done' > hooks/post-receive
    chmod +x hooks/post-receive && touch pushes`
  await onGitServer(script, name)
  return `http://${GIT_SERVER}/${name}.git`
}

/** Lets requests for a service wait (git-server.mjs), from now on until {@link release}. */
export async function hold(repository: string, service: GitService): Promise<void> {
  await onGitServer('touch "/repositories/$1.git/held-$2"', repository, service)
}

export async function release(repository: string): Promise<void> {
  await onGitServer('rm -f "/repositories/$1.git"/held-*', repository)
}

/** The refs that were pushed to, each as often as it was. */
export async function pushesTo(repository: string): Promise<string[]> {
  const text = await onGitServer('cat "/repositories/$1.git/pushes"', repository)
  return text.split('\n').filter((ref) => ref !== '')
}
