/** How an agent began a task that goes on from another one, in words. */
export function continuesWords({ task, told }: { readonly task: string; readonly told?: string | undefined }): string {
  return told === undefined
    ? `begins with a copy of the session of task ${task}`
    : `goes on from task ${task} in a new session, told what that task did: ${told}`
}
