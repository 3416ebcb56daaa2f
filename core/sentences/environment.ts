/** What people read of what setups prepare. */

/** Why no setup runs where executions are plain processes. */
export const NO_ENVIRONMENTS =
  'executions run as plain processes here, which have no environments: nothing would keep one task from changing what the next one gets'
