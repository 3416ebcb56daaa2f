/** What the seeded installation holds: as bodies of REST, beside what is to become of them. */
import type { CiRun } from '../../core/crd/types.ts'

export const EPICS = [
  { id: 'checkout', name: 'Checkout', priority: 1, color: '#3b5bdb' },
  { id: 'faster-search', name: 'Faster search', priority: 2, color: '#2b7a3f' },
  { id: 'accessibility', name: 'Accessibility', priority: 3, color: '#9a5b00' },
]

/** Files by name: what people gave to agents, and what those left. */
export const DROPS: Readonly<Record<string, string>> = {
  'tax-office-rounding-2026.pdf': 'x'.repeat(412_000),
  'vouchers-in-use.csv': 'code,amount\n'.repeat(2_300),
  'Screenshot of the basket on a phone.png': 'x'.repeat(1_900_000),
  'report-of-slow-queries.md': '# Slow queries\n',
}

interface SeedStory {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly epic_id?: string
  readonly project_id?: string
  readonly spec?: string
  readonly acceptance_criteria?: readonly string[]
}

const story = (id: string, name: string, status: string, epic_id?: string, project_id = 'shop'): SeedStory => ({
  id,
  name,
  status,
  project_id,
  ...(epic_id === undefined ? {} : { epic_id }),
})

export const STORIES: readonly SeedStory[] = [
  story('guest-basket', 'Let guests keep a basket for a week', 'DISCOVERY', 'checkout'),
  story('gift-wrap', 'Offer gift wrapping', 'FRAMING', 'checkout'),
  story('split-pay', 'Split the payment between two cards', 'BACKLOG', 'checkout'),
  story('dates-early', 'Show delivery dates before paying', 'BACKLOG', 'checkout'),
  story('store-pickup', 'Pick up in a store', 'BACKLOG', 'checkout'),
  story('expired-vouchers', 'Refuse expired vouchers with a reason people understand', 'PRIORITIZED', 'checkout'),
  {
    ...story('voucher', 'Pay with a voucher', 'IN_PROGRESS', 'checkout'),
    spec: 'A customer types a voucher before paying. It is checked on the **server**, its amount is taken off the total, and it can be used once.\n\nNot part of this: vouchers for shipping, and gift cards with a rest.',
    acceptance_criteria: [
      'An expired voucher is refused with its date',
      'Two orders never use the last voucher',
      'The total shows the voucher as a line of its own',
    ],
  },
  story('rounding', 'Round prices the way the tax office does', 'IN_PROGRESS', 'checkout'),
  story('one-page', 'One page for address and payment', 'REVIEW_READY', 'checkout'),
  story('last-address', 'Remember the last address', 'DONE', 'checkout'),
  story('card-logos', 'Show the logos of the cards that are accepted', 'DONE', 'checkout'),
  story('wallets', 'Pay with a wallet', 'DONE', 'checkout'),
  story('invoice-pdf', 'Send the invoice as PDF', 'DONE', 'checkout'),
  story('zip-check', 'Check the postcode while it is typed', 'DONE', 'checkout'),
  story('as-you-type', 'Search while typing, without flicker', 'BACKLOG', 'faster-search', 'search'),
  story(
    'synonyms',
    'Find products by synonyms and by what people wrongly call them in our three largest languages',
    'DISCOVERY',
    'faster-search',
    'search',
  ),
  story('index-fast', 'Index new products within a minute', 'IN_PROGRESS', 'faster-search', 'search'),
  story('facets', 'Cache the facet counts', 'IN_PROGRESS', 'faster-search', 'search'),
  story('typo', 'Forgive one typing error', 'DONE', 'faster-search', 'search'),
  story('ranking', 'Rank what is in stock first', 'DONE', 'faster-search', 'search'),
  story('contrast', 'Contrast of at least 4.5 to 1 everywhere', 'VALIDATING', 'accessibility', 'media'),
  story('alt-texts', 'Texts for all pictures', 'DONE', 'accessibility', 'media'),
  story('suggest', 'Suggest while typing', 'DONE', 'faster-search', 'search'),
  story('search-empty', 'Say what to do when nothing is found', 'FRAMING', 'faster-search', 'search'),
  story('voice', 'Search by voice', 'DISCOVERY', 'faster-search', 'search'),
  story('filters-url', 'Keep filters in the address', 'REVIEW_READY', 'faster-search', 'search'),
  story('shards', 'Split the index by language', 'PRIORITIZED', 'faster-search', 'search'),
  story('responsive', 'Send images in the size that is shown', 'DONE', 'accessibility', 'media'),
  story('captions', 'Captions for every video', 'DONE', 'accessibility', 'media'),
  story('uploads-resume', 'Go on with an upload after an interruption', 'DONE', 'accessibility', 'media'),
  story('keyboard-only', 'Buy with the keyboard alone', 'IN_PROGRESS', 'accessibility'),
  story('focus-order', 'Focus goes where the eye goes', 'BACKLOG', 'accessibility'),
  story('motion', 'No motion for those who want none', 'BACKLOG', 'accessibility', 'media'),
  story('newsletter', 'Send the newsletter from our own servers', 'DONE'),
  story('returns', 'Print labels for returns', 'DONE'),
  story('gift-cards', 'Sell gift cards', 'VALIDATING', 'checkout'),
  story('audit-log', 'Write down who changed a price', 'BACKLOG'),
  story('image-lib', 'Upgrade the image library', 'BACKLOG', undefined, 'media'),
  story('feature-flags', 'Delete unused feature flags', 'PRIORITIZED'),
  story('price-service', 'Remove the old price service', 'PRIORITIZED'),
]

/** What a running task says meanwhile. */
const TALK = `for i in $(seq 400); do printf '\\033[32m✓\\033[0m image %04d.png → avif (%d ms)\\n' $i $((i % 90)); done; sleep 3600`

export interface SeedTask {
  readonly id: string
  /** Left out: shop. */
  readonly project?: string
  readonly name: string
  readonly script: string
  readonly story_id?: string
  readonly agent?: string
  readonly depends_on?: readonly string[]
  readonly runs: boolean
  /** Waited for; left out: it is still under way. */
  readonly reaches?: string
  /** Given then; what goes on is waited for, to READY. */
  readonly answer?: string
  /** Why its red checks are overruled then, so that it comes to READY. */
  readonly waive?: string
  /** What the CI of its git host says of it, once it is READY. */
  readonly ci?: readonly CiRun[]
}

/** The checks of the project `media`, and how often an agent is asked to mend what is red. */
export const MEDIA_CHECKS = {
  checks: [
    { name: 'lint', run: 'echo "0 problems in 14 files"' },
    {
      name: 'test',
      run: 'cat src/captions.ts; ! grep -n "TODO" src/captions.ts || { echo "Error: 1 of 48 tests fails"; exit 1; }',
    },
    { name: 'size', run: 'echo "Error: 4 KB more than on main" >&2; exit 1', required: false },
  ],
  max_check_rounds: 1,
  protected_paths: ['/test/'],
}

/** Changes that a review has something to look at in: lines that go, come and move, a new file, one that goes. */
const EDIT = `cat > src/totals.ts <<'TS'
import { Decimal } from './decimal.ts'
import type { Line } from './line.ts'

/** What the customer pays, per invoice: VAT is rounded once. */
export function totals(lines: readonly Line[]) {
  const net = lines.reduce((sum, line) => sum.plus(line.net), Decimal.ZERO)
  const vat = roundHalfUp(net.times(TAX))
  const shipping = shippingOf(lines)
  return { net, vat, shipping, gross: net.plus(vat).plus(shipping) }
}

export const TAX = new Decimal('0.19')
TS
sed -i 's/0.19/0.20/; s/export const tax/export const TAX/' src/price.ts
sed -i 's/rounds per line/rounds per invoice/' docs/prices.md
printf 'import { totals } from "../src/totals.ts"\\n\\nit("rounds once", () => {\\n\\tassert.equal(totals(LINES).vat, 3.8)\\n})\\n' > test/totals.test.ts
git rm -q src/old-totals.ts; git mv src/line-item.ts src/line.ts`
const WORK = 'for i in $(seq 12); do echo "export const step$i = $i" >> src/$SERVICE_EXECUTION_ID.ts; done'
const say = (summary: string): string => `${EDIT}
${WORK}; echo '${summary}' > "$SERVICE_SUMMARY_FILE"`
const ask = (question: object): string =>
  `if [ -n "$SERVICE_ANSWER" ]; then ${WORK}; else echo '${JSON.stringify(question)}' > "$SERVICE_QUESTION_FILE"; fi`

export const TASKS: readonly SeedTask[] = [
  {
    id: 'rounding-rule',
    name: 'Round prices the way the tax office does',
    story_id: 'rounding',
    script: ask({
      text: 'VAT is rounded per line in the old code and per invoice in the spec. Which one holds?',
      options: ['Per invoice', 'Per line', 'Per invoice, keep per line behind a flag'],
    }),
    runs: true,
    reaches: 'BLOCKED',
  },
  {
    id: 'slip-language',
    name: 'Print the packing slip in the language of the customer',
    script: ask({
      text: 'Customers from Belgium have **two** languages in their account, and `locale` holds only one of them. Which one is printed?',
      options: ['The one of the order', 'The first of the account', 'Both, one below the other'],
    }),
    runs: true,
    reaches: 'BLOCKED',
    answer:
      'The one of the order.\n\n- Older orders have none: take the first of the account there.\n- Never print both, the slip has no room.',
  },
  {
    id: 'escape-names',
    name: 'Escape names in the packing slip',
    script: say('Names are escaped where the slip is printed; one test shows the slip that broke.'),
    runs: true,
    reaches: 'READY',
  },
  {
    id: 'payment-sdk',
    name: 'Bump the payment SDK to 9.2',
    script: say('The SDK is at 9.2; two calls have new names.'),
    runs: true,
    reaches: 'READY',
  },
  {
    id: 'voucher-form',
    name: 'Form for vouchers',
    story_id: 'voucher',
    script: say('The form takes a voucher and says why it refuses one.'),
    runs: true,
    reaches: 'READY',
  },
  {
    id: 'index-queue',
    name: 'Index new products within a minute',
    story_id: 'index-fast',
    script: 'echo "indexer/queue.test.ts: expected 3 events, saw 2" >&2; exit 1',
    runs: true,
    reaches: 'FAILED',
  },
  {
    id: 'caption-timing',
    name: 'Show captions in time with the words',
    project: 'media',
    script: `if [ -e src/captions.ts ]; then sed -i 's/ms \\/\\/ TODO/ms - OFFSET/' src/captions.ts
else printf 'const OFFSET = 250\\n\\nexport const startOf = (ms: number) => ms // TODO\\n' > src/captions.ts; fi
echo 'it("starts with the word", () => assert.equal(startOf(1000), 750))' >> test/price.test.ts
echo 'Captions begin with the first word; a test holds that.' > "$SERVICE_SUMMARY_FILE"`,
    runs: true,
    reaches: 'READY',
  },
  {
    id: 'caption-colours',
    name: 'Let people choose the colours of captions',
    project: 'media',
    script: "echo 'export const colours = [] // TODO' > src/captions.ts",
    runs: true,
    reaches: 'FAILED',
  },
  {
    id: 'caption-export',
    name: 'Export captions for the archive',
    project: 'media',
    script:
      "echo 'export const archive = [] // TODO' > src/captions.ts; echo 'Captions go into the archive.' > \"$SERVICE_SUMMARY_FILE\"",
    runs: true,
    reaches: 'FAILED',
    waive: 'The archive begins next month; the empty list is right until then',
  },
  { id: 'facet-cache', name: 'Cache the facet counts', story_id: 'facets', script: WORK, runs: false },
  {
    id: 'facet-expiry',
    name: 'Let the cache expire',
    story_id: 'facets',
    script: WORK,
    depends_on: ['facet-cache'],
    runs: false,
  },
  { id: 'flags-1', name: 'Find flags that nobody reads', story_id: 'feature-flags', script: WORK, runs: false },
  { id: 'flags-2', name: 'Delete them', story_id: 'feature-flags', script: WORK, depends_on: ['flags-1'], runs: false },
  {
    id: 'gem-1',
    name: 'Translate the terms',
    agent: 'translator',
    script: 'echo "the login was refused (401)" >&2; exit 1',
    runs: true,
    reaches: 'FAILED',
  },
  {
    id: 'gem-2',
    name: 'Translate the imprint',
    agent: 'translator',
    script: 'echo "the login was refused (401)" >&2; exit 1',
    runs: true,
    reaches: 'FAILED',
  },
  {
    id: 'gem-3',
    name: 'Translate the newsletter',
    agent: 'translator',
    script: 'echo "the login was refused (401)" >&2; exit 1',
    runs: true,
    reaches: 'FAILED',
  },
  {
    id: 'keyboard-basket',
    name: 'Reach every button of the basket with the keyboard',
    story_id: 'keyboard-only',
    script: say('Every button of the basket is reached with Tab, in the order in which it is seen.'),
    runs: true,
    reaches: 'READY',
    ci: [
      { name: 'build', state: 'Passed', url: 'https://ci.shop.example/runs/4117/build' },
      { name: 'unit', state: 'Passed', url: 'https://ci.shop.example/runs/4117/unit' },
      { name: 'browsers', state: 'Failed', url: 'https://ci.shop.example/runs/4117/browsers' },
      { name: 'preview', state: 'Pending', url: 'https://ci.shop.example/runs/4117/preview' },
    ],
  },
  {
    id: 'limit-emails',
    name: 'Translate the mails about orders into the fourteen languages of the shop, with the names of products as they are',
    agent: 'codex',
    script: WORK,
    runs: true,
    reaches: 'QUEUED',
  },
  { id: 'image-batch', name: 'Convert the images of the archive', script: TALK, runs: true },
  { id: 'voucher-refund', name: 'Refund to a voucher', story_id: 'voucher', script: 'sleep 3600', runs: true },
  {
    id: 'one-page-form',
    name: 'One form in place of two',
    story_id: 'voucher',
    script: WORK,
    depends_on: ['voucher-form'],
    runs: false,
  },
  {
    id: 'voucher-support',
    name: 'Tell support how vouchers work',
    story_id: 'voucher',
    script: WORK,
    depends_on: ['one-page-form', 'voucher-refund'],
    runs: false,
  },
]
