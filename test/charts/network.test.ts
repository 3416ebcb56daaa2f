/** The NetworkPolicies of the chart. test/e2e/network.test.ts tries them by traffic. */
import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { LABELS } from '../../core/names.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import { type Rendered, at, find, needHelm, render, TOKEN } from './render.ts'

interface Block {
  readonly ipBlock: { readonly cidr: string; readonly except: readonly string[] }
}

async function policies(networkPolicy: object = {}, more: object = {}): Promise<Rendered[]> {
  const objects = await render({ ...TOKEN, ...more, networkPolicy: { enabled: true, ...networkPolicy } })
  return objects.filter(({ kind }) => kind === 'NetworkPolicy')
}

async function egressOf(executions: object): Promise<unknown[]> {
  return at(find(await policies({ executions }), 'NetworkPolicy', 'slipway-executions'), 'spec', 'egress') as unknown[]
}

/** Whether the blocks allow an address, as an enforcer judges it. */
function allows(blocks: readonly Block[], address: string): boolean {
  const family = address.includes(':') ? 'ipv6' : 'ipv4'
  const holds = (cidr: string): boolean => {
    if (cidr.includes(':') !== address.includes(':')) return false
    const [network = '', prefix] = cidr.split('/')
    const list = new BlockList()
    list.addSubnet(network, Number(prefix), family)
    return list.check(address, family)
  }
  return blocks.some(({ ipBlock: { cidr, except } }) => holds(cidr) && !except.some(holds))
}

describe('the NetworkPolicies of the chart', function () {
  before(function () {
    needHelm(this)
  })

  it('select executions by the label that the operator gives them, and let nothing connect to them', async () => {
    const { spec } = find(await policies(), 'NetworkPolicy', 'slipway-executions')
    assert.deepEqual(at(spec, 'podSelector'), { matchExpressions: [{ key: LABELS.execution, operator: 'Exists' }] })
    assert.deepEqual(at(spec, 'policyTypes'), ['Ingress', 'Egress'])
    assert.equal(at(spec, 'ingress'), undefined)
  })

  const ADDRESSES = [
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.168.1.1 198.19.0.1',
    '168.63.129.16 168.63.129.15 224.0.0.1 240.0.0.1 255.255.255.255 1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.32.0.0 192.169.0.0',
    '::1 fd00:ec2::254 fe80::1 ff02::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1::1 2001::1 2606:4700::1111 2a00:1450::1',
  ].flatMap((line) => line.split(' '))

  it('let executions connect to the addresses that are public, and to no others', async () => {
    const blocks = at((await egressOf({}))[2], 'to') as Block[]
    assert.deepEqual(
      ADDRESSES.filter((address) => allows(blocks, address)),
      ADDRESSES.filter(isPublicAddress),
    )
  })

  it('take ranges of either family out of the public ones where values say so', async () => {
    const egress = await egressOf({ except: ['1.1.1.0/24', '2606:4700::/32'] })
    const blocks = at(egress[2], 'to') as Block[]
    assert.deepEqual(
      ['1.1.1.1', '1.1.2.1', '2606:4700::1', '2a00:1450::1'].map((address) => allows(blocks, address)),
      [false, true, false, true],
    )
  })

  it('leave DNS, the pod of helm test and what values name, where executions have a proxy or no ports', async () => {
    const own = { to: [{ podSelector: { matchLabels: { app: 'git' } } }], ports: [{ port: 3000 }] }
    const proxy = [{ ipBlock: { cidr: '10.0.0.7/32' } }]
    const usual = (await egressOf({})).slice(0, 2)
    assert.deepEqual(await egressOf({ ports: [], egress: [own] }), [...usual, own])
    const proxied = await egressOf({ egress: [own], egressProxy: { to: proxy, port: 8080 } })
    assert.deepEqual(proxied, [...usual, { to: proxy, ports: [{ port: 8080 }] }, own])
  })

  it('let the peers that values name connect to the API server, and always helm test', async () => {
    const from = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }]
    const peersOf = async (values: object): Promise<unknown> =>
      at(find(await policies(values), 'NetworkPolicy', 'slipway-api-server'), 'spec', 'ingress', 0, 'from')
    assert.deepEqual(await peersOf({}), [])
    const test = { 'app.kubernetes.io/name': 'slipway', 'app.kubernetes.io/component': 'self-test' }
    assert.deepEqual(await peersOf({ apiServerFrom: from }), [...from, { podSelector: { matchLabels: test } }])
  })

  it('open no port for metrics where there are none', async () => {
    const ports = (objects: readonly Rendered[]) => JSON.stringify(objects).match(/"port":"\w+"/g)
    assert.deepEqual(ports(await policies()), ['"port":"metrics"', '"port":"http"', '"port":"metrics"'])
    assert.deepEqual(ports(await policies({}, { metrics: { enabled: false } })), ['"port":"http"'])
    const operator = find(await policies({}, { metrics: { enabled: false } }), 'NetworkPolicy', 'slipway-operator')
    assert.deepEqual(at(operator, 'spec', 'ingress'), [])
  })

  it('are made unless a value says otherwise', async () => {
    const count = async (values: object) =>
      (await render({ ...TOKEN, ...values })).filter(({ kind }) => kind === 'NetworkPolicy').length
    assert.deepEqual([await count({}), await count({ networkPolicy: { enabled: false } })], [3, 0])
  })

  const refused: readonly (readonly [string, object, RegExp])[] = [
    ['a rule of egress without peers, which would open everything', { egress: [{}] }, /egress\/0'.*'to'/],
    ['one whose peers are empty', { egress: [{ to: [] }] }, /egress\/0\/to'.*minItems/],
    ['IPv4 in IPv6, which Kubernetes takes for IPv4', { except: ['::ffff:10.0.0.0/104'] }, /except\/0'.*pattern/],
    ['a peer that selects nothing', { egressProxy: { to: [{}] } }, /to\/0'.*minProperties/],
  ]
  for (const [title, executions, message] of refused)
    it(`refuse ${title}`, async () => assert.rejects(policies({ executions }), message))
})
