import type { ApiClient } from './client.ts'
import { createApiClient } from './client.ts'
import type { ClientOptions } from './call.ts'
import { createTransport } from './call.ts'

/** A typed client of the API of one server; nothing is sent until a method is called. */
export function connectApi(options: ClientOptions): ApiClient {
  return createApiClient(createTransport(options))
}
