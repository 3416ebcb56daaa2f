/** What the model says in the demo's recordings. */
import { RECORDED } from '../../cli/demo/recording.ts'
import { type Words, CLAUDE, CODEX } from './programs.ts'
import type { RecordedCase } from './record-cases.ts'
import { secondsAhead, subscriptionUsedUp } from './refusals.ts'
import type { Script, Turn } from './turn.ts'

export interface DemoSession extends Pick<RecordedCase, 'words' | 'name' | 'agent' | 'hasSubscription'> {
  /** The turns of each run of the CLI, the first one first. */
  readonly parts: readonly (readonly Script[])[]
}

const says = (words: Words, text: string): string =>
  `This is a recording: ${words === CLAUDE ? 'Claude Code' : 'Codex'} was driven by a script in place of a model. ${text}`

const tokens = { input: 9_800, output: 410 }
const read = (path: string, text: string): Turn => ({
  kind: 'use',
  says: text,
  tool: 'Read',
  input: { file_path: path },
  tokens,
})
const edit = (path: string, old_string: string, new_string: string, text?: string): Turn => ({
  kind: 'use',
  ...(text === undefined ? {} : { says: text }),
  tool: 'Edit',
  input: { file_path: path, old_string, new_string },
  tokens,
})
const write = (path: string, content: string, text: string): Turn => ({
  kind: 'use',
  says: text,
  tool: 'Write',
  input: { file_path: path, content },
  tokens,
})
const test = (text: string): Turn => ({
  kind: 'use',
  says: text,
  tool: 'Bash',
  input: { command: 'node --test', description: 'Run the tests' },
  tokens,
})
const shell = (cmd: string, text: string): Turn => ({
  kind: 'use',
  says: text,
  tool: 'exec_command',
  input: { cmd },
  tokens,
})
const say = (text: string): Turn => ({ kind: 'say', text, tokens })

const WORDINGS = [
  { label: 'This voucher has expired.', description: 'Short; says what is wrong' },
  {
    label: 'This voucher has expired. Ask us for a new one at the till.',
    description: 'Says what the customer can do as well',
  },
]

/** Printed as the model; claude takes any name. */
const agent = { model: 'a-script-in-place-of-a-model' }

const QUESTION: DemoSession = {
  words: CLAUDE,
  agent,
  name: 'demo-question',
  parts: [
    [
      read('src/voucher.js', says(CLAUDE, 'I look at where the error comes from first.')),
      read(
        'texts/welcome.txt',
        'The error is thrown in redeem(). Texts for customers stand in texts/; I look at their form.',
      ),
      {
        kind: 'use',
        says: 'The code is clear, but the words are yours to choose: customers read them.',
        tool: 'AskUserQuestion',
        input: {
          questions: [
            {
              question: 'What shall the shop say to a customer whose voucher has expired?',
              header: 'Wording',
              options: WORDINGS,
              multiSelect: false,
            },
          ],
        },
        tokens,
      },
    ],
    [
      write('texts/voucher-expired.txt', `${RECORDED.answer}\n`, says(CLAUDE, 'I write down your words as they are.')),
      edit(
        'src/voucher.js',
        '/** Takes a voucher',
        "import { readFileSync } from 'node:fs'\n\nconst EXPIRED = readFileSync(new URL('../texts/voucher-expired.txt', import.meta.url), 'utf8').trim()\n\n/** Takes a voucher",
        'Now redeem() says them.',
      ),
      edit('src/voucher.js', "new Error('ERROR 17')", 'new Error(EXPIRED)'),
      read('test/voucher.test.js', 'A test should hold on to it; I look at the one that is there.'),
      edit(
        'test/voucher.test.js',
        "test('takes a voucher off the price'",
        "test('says in words that a voucher has expired', () => {\n  const redeemed = () => redeem({ cents: 500, validUntil: '2025-12-31' }, 1200, '2026-11-27')\n  assert.throws(redeemed, (error) => error.message !== 'ERROR 17')\n})\n\ntest('takes a voucher off the price'",
      ),
      test('All in place; the tests decide.'),
      say(
        'A voucher that has expired is refused in your words. They stand in `texts/voucher-expired.txt`, so that they can be changed without touching the code, and a test makes sure that no customer sees “ERROR 17” alone again.',
      ),
    ],
  ],
}

const LIMIT: DemoSession = {
  words: CLAUDE,
  agent,
  name: 'demo-limit',
  hasSubscription: true,
  parts: [
    [
      read('src/delivery.js', says(CLAUDE, 'I look at how the fee is computed.')),
      read('test/delivery.test.js', 'One rule so far: who picks up pays nothing. I look at its test.'),
      edit(
        'src/delivery.js',
        'const FEE = 490\n',
        'const FEE = 490\nconst FREE_FROM = 5000\n',
        'The limit becomes a constant beside the fee, in cents as everything here.',
      ),
      () => subscriptionUsedUp(secondsAhead(3600)),
    ],
    [
      read(
        'src/delivery.js',
        says(CLAUDE, 'The limit is over, and I go on in the same session. The constant is there, the rule is not.'),
      ),
      edit(
        'src/delivery.js',
        '  return order.isPickedUp ? 0 : FEE\n',
        '  return order.isPickedUp || order.cents >= FREE_FROM ? 0 : FEE\n',
      ),
      edit(
        'test/delivery.test.js',
        "test('is free for who picks",
        "test('is free from 50 € on, and not a cent before', () => {\n  assert.equal(deliveryFee({ cents: 5000, isPickedUp: false }), 0)\n  assert.equal(deliveryFee({ cents: 4999, isPickedUp: false }), 490)\n})\n\ntest('is free for who picks",
        'A test for both sides of the limit.',
      ),
      test('Now the tests.'),
      say(
        'Orders of 50 € and more are delivered free of charge. A test holds both sides: 50.00 € is free, 49.99 € costs the fee.',
      ),
    ],
  ],
}

const BASKET = `cat > src/basket.js <<'JS'
const VAT = 0.07

/** What a customer pays for the lines of a basket, in cents; the VAT is rounded once. */
export function total(lines) {
  const net = lines.reduce((sum, { cents, count }) => sum + cents * count, 0)
  return Math.round(net * (1 + VAT))
}
JS`

const BASKET_TEST = `grep -q 'rounds the VAT' test/basket.test.js || cat >> test/basket.test.js <<'JS'

test('rounds the VAT once for the whole basket', () => {
  const line = { cents: 107, count: 1 }
  assert.equal(total([line, line, line]), 343)
})
JS`

const REVIEW: DemoSession = {
  words: CODEX,
  name: 'demo-review',
  parts: [
    [
      shell('cat src/basket.js test/basket.test.js', says(CODEX, 'I read the basket and its test.')),
      shell(
        BASKET,
        'Each line is rounded by itself: three lines of 1.07 € come to 3.42 €, and the receipt should say 3.43 €. I add up first and round once.',
      ),
      shell(BASKET_TEST, 'A test with just these three lines, which the old code fails by a cent.'),
      shell('node --test', 'The tests.'),
      say(
        'The VAT is rounded once for the whole basket, no longer for each line. Three lines of 1.07 € now come to 3.43 €; before, 3.42 €. `total()` keeps its name and arguments, and one test holds the rule.',
      ),
    ],
  ],
}

export const DEMO_SESSIONS: readonly DemoSession[] = [QUESTION, LIMIT, REVIEW]
