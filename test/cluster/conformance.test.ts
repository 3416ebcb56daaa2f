import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describeConformance } from '../conformance/suite.ts'
import { connectKube } from '../helpers/kube-http.ts'

describe('a real kube-apiserver is a Kubernetes API as we rely on it', () => {
  describeConformance(async () => {
    const path = process.env['KUBECONFIG']
    assert.ok(path !== undefined && path !== '', 'KUBECONFIG must name the cluster to test on')
    return connectKube(readFileSync(path, 'utf8'))
  })
})
