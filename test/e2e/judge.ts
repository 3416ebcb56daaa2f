/**
 * An agent for evaluations, small enough for an argument: it speaks as Claude Code does, and of each criterion the text
 * says how it is judged: HOLDS, or DISPUTED, which the first agent finds broken and all others whole.
 */
const JUDGE = `
const prompt = JSON.parse(require('fs').readFileSync(0, 'utf8').split('\\n')[0]).message.content
const isFirst = prompt.includes('said to be finished')
const judge = (text) => (text.includes('HOLDS') || (text.includes('DISPUTED') && !isFirst) ? 'pass' : 'fail')
const evidence = require('fs').readdirSync('.').filter((name) => name.endsWith('.txt')).sort().join(' ')
const verdicts = [...prompt.matchAll(/^- (c[0-9a-f]{8}): (.*)$/gm)].map(([, criterion, text]) => ({
  criterion, verdict: judge(text), evidence }))
const result = JSON.stringify({ verdicts, follow_up: { title: 'Measure it', description: 'In CI.' } })
console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, num_turns: 1, session_id: 's-1',
  total_cost_usd: 0.01, result }))
`

/** What an Agent with adapter `claude` starts in place of `claude`. */
export const JUDGE_COMMAND: readonly string[] = ['bash', '-c', 'head -n 1 | node -e "$1"', 'claude', JUDGE]

/** Says what Claude Code says at its end; what it was asked it reads from its stdin, as that does. */
export function claudeThatAnswers(answer: object): string[] {
  const result = { type: 'result', subtype: 'success', is_error: false, num_turns: 1, session_id: 's-1' }
  const line = JSON.stringify({ ...result, total_cost_usd: 0.01, result: JSON.stringify(answer) })
  const script = `IFS= read -r prompt; test -f README.md || exit 3; printf '%s\\n' "$1"; cat >/dev/null`
  return ['bash', '-c', script, 'claude', line]
}
