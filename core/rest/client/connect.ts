import type { ApiClient } from './api.ts'
import { createApiClient } from './api.ts'
import type { ClientOptions } from './call.ts'
import { createTransport } from './call.ts'

/** A typed client of the API of one server; nothing is sent until a method is called. */
export function connectApi(options: ClientOptions): ApiClient {
  return createApiClient(createTransport(options))
}
