/**
 * Forms of texts that become path segments or arguments of programs, apart from the schemas: whoever needs one of them
 * need not load the library that the schemas are made with.
 */

/** A `metadata.name` of Kubernetes; it becomes a path segment. */
export const RESOURCE_NAME_PATTERN = '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$'

/** The full hash of a commit; it becomes an argument of git. */
export const COMMIT_PATTERN = '^[0-9a-f]{40,64}$'

/** A SHA-256 in hex; it becomes a part of a file's name. */
export const DIGEST_PATTERN = '^[0-9a-f]{64}$'

/** A folder of an environment on the data volume (layout.ts): metadata.uid of a Project, and the name of an Execution. */
export const ENVIRONMENT_PATTERN = '^environments/[0-9a-zA-Z-]{1,64}/[a-z0-9]([a-z0-9.-]*[a-z0-9])?$'

/** The name of a repository's folder on the data volume (layout.ts). */
export const MIRROR_KEY_PATTERN = '^[0-9a-f]{32}$'

/**
 * What a CLI may call its session. It comes back as an argument when the session is resumed, and the file that it is
 * read from can be forged: no option, no path, no blank.
 */
export const SESSION_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.:-]*$'

/** Ids of messages to an agent, as the CRD has them; they become names of files. */
export const MESSAGE_ID_PATTERN = '^[a-z0-9]{8,20}$'
