/** A namespace with the roles and the admission policies of the charts, as Helm renders them, and objects to try them on. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { JsonValue } from '../../../embedded/schema/json.ts'
import { type Rendered, at, render, TOKEN } from '../../charts/render.ts'
import { connectCluster } from '../../helpers/cluster.ts'
import { type Answer, connectKube } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Person, type Places, bindings, userOf } from './people.ts'

const CRDS = join(import.meta.dirname, '..', '..', '..', '..', 'crds')
const MERGE = 'application/merge-patch+json'
const KINDS = /^(ValidatingAdmissionPolicy|Role|ClusterRole$|ServiceAccount$)/

const REVIEWS = 'authorization.k8s.io/v1'

/** A right of each part that a role has: a controller collects them some time after the roles are made. */
const COLLECTED: readonly (readonly [Person, ...string[]])[] = [
  ['viewer', 'list tasks'],
  ['author', 'list tasks', 'create tasks'],
  ['approver', 'list tasks', 'accept tasks'],
  ['admin', 'list tasks', 'create tasks', 'accept tasks', 'create agents'],
]

/** The letter of each policy in tables. */
const LETTERS: Readonly<Record<string, string>> = {
  annotations: 'N',
  authors: 'A',
  decisions: 'D',
  edits: 'E',
  repositories: 'H',
  images: 'I',
  leases: 'L',
  records: 'R',
  secrets: 'S',
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below the namespace: `tasks/a`. Groups other than ours stand first: `v1/secrets/a`. */
  readonly path: string
  readonly body?: JsonValue
}

export interface RolesRig extends Places {
  /** What the API server answers to a person; nothing is stored unless `isReal`. */
  as(person: Person, request: Request, isReal?: boolean): Promise<Answer>
  /** As the first user of the cluster, for good. */
  apply(...objects: readonly object[]): Promise<void>
  end(): Promise<void>
}

export const SLIPWAY = { apiVersion: 'slipway.dev/v1alpha1' }

/** @param policies values of the chart: of admissionPolicies */
export async function setUpRoles(policies: object = {}): Promise<RolesRig> {
  const cluster = await connectCluster()
  const places: Places = { namespace: await cluster.makeNamespace(), elsewhere: await cluster.makeNamespace() }
  const { namespace } = places
  const http = connectKube(readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8'))
  const made: object[] = []
  const apply = async (...objects: readonly object[]): Promise<void> => {
    await kubectl(objects, 'apply', '--server-side', '--force-conflicts', '-f', '-')
    made.push(...objects)
  }
  const as: RolesRig['as'] = (person, { method, path, body }, isReal = false) => {
    const query = isReal || method === 'GET' ? '' : '?dryRun=All'
    const type = method === 'PATCH' ? MERGE : 'application/json'
    const headers = { 'impersonate-user': userOf(person, places), 'content-type': type }
    return http.send(method, `${pathOf(namespace, path)}${query}`, body, headers)
  }
  const review = (person: Person, right: string): Promise<Answer> => {
    const [verb, resource] = right.split(' ')
    const resourceAttributes = { verb, resource, group: 'slipway.dev', namespace }
    const body = { apiVersion: REVIEWS, kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } } as JsonValue
    const headers = { 'impersonate-user': userOf(person, places), 'content-type': 'application/json' }
    return http.send('POST', `/apis/${REVIEWS}/selfsubjectaccessreviews`, body, headers)
  }
  await kubectl([], 'apply', '--server-side', '--force-conflicts', '-f', CRDS)
  const charts = [
    ...(await render({ ...TOKEN, admissionPolicies: policies }, { namespace })),
    ...(await render({}, { chart: 'slipway-crds' })),
  ]
  await apply(...charts.filter(({ kind }) => KINDS.test(kind)), ...bindings(places))
  const rig: RolesRig = {
    ...places,
    as,
    apply,
    async end() {
      const own = made.filter((object) => (object as Rendered).metadata.namespace !== namespace)
      await kubectl(own.filter(isOfNoNamespace), 'delete', '--ignore-not-found', '-f', '-')
      http.close()
      await cluster.end()
    },
  }
  // The binding of this one comes last.
  await until('the policies are in force', async () => {
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'foreign' } }
    const answer = await as('operator', { method: 'POST', path: 'coordination.k8s.io/v1/leases', body: lease })
    return answer.text.includes('ValidatingAdmissionPolicy')
  })
  await until('the parts of the roles are collected', async () => {
    const reviews = COLLECTED.flatMap(([person, ...rights]) => rights.map((right) => review(person, right)))
    return (await Promise.all(reviews)).every(({ body }) => at(body, 'status', 'allowed') === true)
  })
  return rig
}

/** Of the roles, those stay that another suite may use at the same time. */
function isOfNoNamespace(object: object): boolean {
  return /^(ValidatingAdmissionPolicy|ClusterRoleBinding)/.test((object as Rendered).kind)
}

function pathOf(namespace: string, path: string): string {
  const [, group = 'slipway.dev/v1alpha1', rest = ''] = /^(v1|[a-z.0-9]+\/v1)?\/?(.*)$/.exec(path) ?? []
  return `/${group === 'v1' ? 'api' : 'apis'}/${group}/namespaces/${namespace}/${rest}`
}

/** What a request came to: `+`, `r` for a refusal of roles, the letter of the policy that refused it, else its status. */
export function outcomeOf({ status, text: said }: Answer): string {
  if (status < 300) return '+'
  const [, policy] = /ValidatingAdmissionPolicy 'slipway-.*?-([a-z]+)' with binding/.exec(said) ?? []
  if (policy !== undefined) return LETTERS[policy] ?? policy
  return status === 403 ? 'r' : `${status} ${said}`
}

/** The text of a refusal. */
export function messageOf({ body }: Answer): string {
  const { message } = body
  return (typeof message === 'string' ? message : '').replace(/^.*denied request: /, '')
}

/** @throws Error with what kubectl says if it fails */
async function kubectl(objects: readonly object[], ...args: readonly string[]): Promise<void> {
  const { stderr, code } = await runKubectl(args, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  if (code !== 0) throw new Error(stderr)
}

/** What kubectl prints, whatever it ends with: `kubectl auth can-i` fails after a no. */
export async function answerOf(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runKubectl(args)
  return stdout.trim() || stderr
}

async function runKubectl(
  args: readonly string[],
  input = '',
): Promise<{ stdout: string; stderr: string; code: number | null }> {
  const child = spawn('kubectl', args)
  child.stdin.end(input)
  const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  return { stdout, stderr, code }
}
