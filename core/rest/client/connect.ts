import { type ApiClient, createApiClient } from './client.ts'
import { type ClientOptions, type Transport, createTransport } from './call.ts'

/** A typed client of the API of one server; nothing is sent until a method is called. */
export function connectApi(options: ClientOptions): ApiClient {
  return connect(options).api
}

/** The same with what it sends requests by, for those that it has no method for. */
export function connect(options: ClientOptions): { readonly api: ApiClient; readonly transport: Transport } {
  const transport = createTransport(options)
  return { api: createApiClient(transport), transport }
}
