/** The container cannot be made yet (a Secret is missing, say): it waits, and is tried again. */
export class ContainerConfigError extends Error {
  override readonly name = 'ContainerConfigError'
}

/** The container can never be made as it is written: the pod fails. */
export class ContainerRefused extends Error {
  override readonly name = 'ContainerRefused'
}
