// By file, not through the package's index: the index loads every generated API class as well.
export { KubeConfig } from '@kubernetes/client-node/dist/config.js'
