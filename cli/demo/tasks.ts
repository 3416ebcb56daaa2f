/** What the demo registers, as bodies of REST. Ids are fixed, so that a demo that is started again finds everything. */
import type { TaskCreate } from '../../core/rest/client/client.ts'

export type DemoTask = TaskCreate & { readonly id: string }

export const PROJECT = 'demo-shop'

/** Agents that play recordings (replay.ts): how each is called, and what was recorded. */
export const RECORDED_AGENTS = [
  { id: 'recorded-claude', cli: 'claude', name: 'Claude Code', max_concurrent: 2 },
  // codex tells no cost: Slipway computes it from the tokens.
  { id: 'recorded-codex', cli: 'codex', name: 'Codex', prices: { input_per_million: 1.25, output_per_million: 10 } },
] as const

/** Said wherever one of the agents is named. */
export function saysRecording(name: string): string {
  return `Plays a recording of ${name}. No model is asked; the edits, the tests, the commits and the push are real.`
}

const LIST_PRICES = `#!/usr/bin/env bash
set -euo pipefail
{
  printf '# Prices\\n\\n| product | price |\\n| --- | ---: |\\n'
  sort products.csv | while IFS=, read -r name cents; do
    printf '| %s | %d.%02d € |\\n' "$name" $((cents / 100)) $((cents % 100))
  done
} > PRICES.md
cat PRICES.md
echo 'Wrote PRICES.md from products.csv.' > "$SERVICE_SUMMARY_FILE"
`

export const STORY = {
  id: 'demo-price-list',
  name: 'A price list that customers can read',
  project_id: PROJECT,
  epic_id: 'demo-opening',
  status: 'PRIORITIZED',
  spec: 'The prices stand in `products.csv`, in cents. Customers get a page to read.',
  acceptance_criteria: [
    'Every product of products.csv is on the list',
    'Prices are in euros, with two digits for the cents',
    'The list is linked from the README',
  ],
} as const

/** What is judged of the story; of the last criterion nobody has said anything yet. */
export const VERDICTS = [
  { criterion: STORY.acceptance_criteria[0], verdict: 'pass', evidence: 'Four products, four rows.' },
  { criterion: STORY.acceptance_criteria[1], verdict: 'pass', evidence: 'Coffee is 6.49 €, apples are 2.75 €.' },
] as const

/** The script that the story consists of. */
export const PRICES: DemoTask = {
  id: 'demo-prices',
  name: 'Write the price list',
  description: 'A script: it runs the same commands each time, and shows that the machine has what Slipway needs.',
  project: PROJECT,
  story_id: STORY.id,
  agent: { type: 'script', instructions: LIST_PRICES },
}

const [CLAUDE, CODEX] = RECORDED_AGENTS

function recorded(
  id: string,
  name: string,
  description: string,
  { id: type, name: cli }: typeof CLAUDE | typeof CODEX,
) {
  return { id, name, project: PROJECT, agent: { type }, description: `${description}\n\n(${saysRecording(cli)})` }
}

export const QUESTION: DemoTask = recorded(
  'demo-question',
  'Say in words that a voucher has expired',
  'Customers see “ERROR 17” when their voucher has expired. Tell them in words, in a file below texts/.',
  CLAUDE,
)

export const LIMIT: DemoTask = recorded(
  'demo-limit',
  'Deliver orders from 50 € free of charge',
  'Orders of 50 € and more are delivered without a fee.',
  CLAUDE,
)

export const REVIEW: DemoTask = recorded(
  'demo-review',
  'Round the VAT once per order',
  'The VAT is rounded for each line, so that totals are off by cents. Round it once for the whole basket.',
  CODEX,
)
