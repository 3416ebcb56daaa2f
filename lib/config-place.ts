/** What is known of the configuration before it is read: most commands need no more, and read no YAML and no schema for it. */

/** Of everything that Slipway keeps on this machine, unless a setting names another folder. */
export const DEFAULT_DATA_DIR = '.slipway'

/** In the data folder. */
export const CONFIG_FILE = 'config.yaml'

/** A setting that cannot be used; the message names the key and where it came from. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
