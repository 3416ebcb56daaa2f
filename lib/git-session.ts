/** What git of a person on their own machine is found by: their ssh agent, key ring and configuration. */

const SESSION_VARIABLES = ['SSH_AUTH_SOCK', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']

/** The variables of `env` that lead to the person's own credentials. */
export function userSession(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const found = SESSION_VARIABLES.flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}

/** Options of an ssh that never asks and takes no host that is not known already. */
export const STRICT_SSH = ['-o', 'BatchMode=yes', '-o', 'StrictHostKeyChecking=yes'] as const
