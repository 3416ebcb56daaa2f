/** A conversation as the runner writes it. */

/** Events as the runner makes them from claude's output (core/transcript/claude.ts), a line each. */
export function conversationOf(events: readonly object[]): string {
  return events.map((event, i) => `${JSON.stringify({ at: instant(i), ...event })}\n`).join('')
}

/** Seconds apart, so that tools take a time that can be read. */
function instant(second: number): string {
  return new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString()
}

/** What no page may believe. */
export const HOSTILE: readonly object[] = [
  {
    kind: 'text',
    text: 'Hostile: <img src=x onerror=alert(1)> and \u202egnp.exe, [this](javascript:alert(1)) ![a picture](https://evil.example/x.png)',
  },
]

export const CONVERSATION: readonly object[] = [
  { kind: 'session', session_id: '7d472076-0000-4000-8000-000000000000', model: 'claude-opus-5-5' },
  { kind: 'thinking', text: 'The counter is read before the transaction begins.' },
  {
    kind: 'text',
    text: 'The voucher is **only** checked in the browser. I will move the check into ',
    is_partial: true,
  },
  {
    kind: 'text',
    text: '`POST /orders`. See [the guide](https://docs.example/guide).',
  },
  {
    kind: 'todo',
    items: [
      { text: 'Read how vouchers are checked today', state: 'completed' },
      { text: 'Lock the voucher while ordering', state: 'in_progress' },
      { text: 'Tests for all refusals', state: 'pending' },
    ],
  },
  { kind: 'tool_call', call_id: 't1', tool: 'Grep', input: { pattern: 'voucher' } },
  { kind: 'tool_result', call_id: 't1', text: 'src/orders/create.ts:14\nsrc/vouchers/check.ts:2', is_error: false },
  {
    kind: 'tool_call',
    call_id: 't2',
    tool: 'Edit',
    input: { file_path: '/data/sandboxes/voucher/repo/src/orders/create.ts' },
  },
  {
    kind: 'edit',
    call_id: 't2',
    path: '/data/sandboxes/voucher/repo/src/orders/create.ts',
    before: '  const order = parse(body)\n  return save(order)\n}',
    after:
      '  const order = parse(body)\n  const voucher = await findVoucher(order.voucher)\n  return save(order, voucher)\n}',
  },
  { kind: 'tool_result', call_id: 't2', text: 'The file was changed.', is_error: false },
  { kind: 'tool_call', call_id: 't3', tool: 'Bash', input: { command: 'npm test -- vouchers' } },
  {
    kind: 'tool_result',
    call_id: 't3',
    text: '  vouchers\n    \u001b[32m✓\u001b[0m accepts a voucher that holds\n    \u001b[31m✗ refuses one that is used up\u001b[0m\n      AssertionError: expected 409, got 200',
    is_error: true,
  },
  {
    kind: 'usage',
    tokens: { input: 8_000, output: 9_000, cache_read: 180_000, cache_write: 0 },
    cost_usd: 0.84,
    turns: 21,
  },
]
