/** The variables that name proxies, keyed in small letters. */
export type ProxyVariables = Readonly<Record<string, string>>

const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy']

/** Reads each in small letters, else in capitals. The keys are in small letters, because libcurl ignores HTTP_PROXY. */
export function proxyVariables(env: Readonly<Record<string, string | undefined>>): ProxyVariables {
  const found = PROXY_VARIABLES.flatMap((name) => {
    const value = env[name] ?? env[name.toUpperCase()]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}
