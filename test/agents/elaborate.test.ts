import assert from 'node:assert/strict'
import { CLAUDE, CODEX, GEMINI } from './programs.ts'
import { anthropicRefuses, KEY_REFUSED, secondsAhead, subscriptionUsedUp } from './refusals.ts'
import { type AgentRig, startAgentRig } from './rig.ts'

const DRAFT = { name: 'Print CSV', description: 'Add `--csv` to report.ts.' }
const REMARKS = { questions: ['With a header?'], suggestions: [] }
/** As models like to put it. */
const fenced = (answer: object) => `I have read it.\n\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\n`
const says = (text: string) => ({ kind: 'say', text }) as const

describe('elaboration by the real CLIs', function () {
  let rig: AgentRig
  afterEach(() => rig.stop())

  const elaborate = async (prompt = 'I want CSV') => {
    const project = { id: 'sample', name: 'Sample', remote_url: rig.remote.path }
    await rig.server.call('POST', '/api/projects', project)
    return rig.server.call('POST', '/api/tasks/elaborate', { prompt, project: 'sample' })
  }
  const drafted = { ...DRAFT, elaboration_input: 'I want CSV', project: 'sample' }
  const told = (at: number) => JSON.stringify(rig.model.asked.at(at)?.body)

  it('claude: reads the repository, may not write, and answers in the form asked for', async () => {
    rig = await startAgentRig('claude')
    const reads = { kind: 'use', tool: 'Read', input: { file_path: 'README.md' } } as const
    rig.model.play([reads, CLAUDE.writes, says(fenced(DRAFT))])
    const { status, body, text } = await elaborate()
    assert.deepEqual([status, body], [200, drafted], text)
    assert.match(told(0), /Turn a request into a task.*I want CSV.*JSON schema/)
    assert.match(told(1), /# Sample/)
    assert.match(told(2), /"is_error":true/)
  })

  it('claude: is told what is wrong in the same session, and mends it', async () => {
    rig = await startAgentRig('claude')
    rig.model.play([says('I would add a flag.'), says(fenced({ name: 'Alone' })), says(fenced(DRAFT))])
    const refused = await elaborate()
    assert.equal(refused.status, 422, refused.text)
    assert.match(refused.text, /description: is required/)
    assert.match(told(-1), /I would add a flag\..*it has no JSON object/s)
    rig.model.play([says('{"name": 1}'), says(fenced(DRAFT))])
    const { status, body, text } = await elaborate()
    assert.deepEqual([status, body], [200, drafted], text)
  })

  it('claude: is asked about a task before it is run', async () => {
    rig = await startAgentRig('claude')
    rig.model.play([says(JSON.stringify(REMARKS))])
    const task = { ...DRAFT, repository_url: rig.remote.path }
    const { status, body, text } = await rig.server.call('POST', '/api/tasks/validate', task)
    assert.equal(status, 200, text)
    assert.deepEqual([body['valid'], body['questions'], body['warnings']], [true, REMARKS.questions, []], text)
  })

  it('claude: a refused key or prompt is 502, and a used up limit 503 until it ends', async () => {
    rig = await startAgentRig('claude')
    rig.model.play([], KEY_REFUSED)
    const unknown = await elaborate()
    assert.equal(unknown.status, 502, unknown.text)
    assert.match(unknown.text, CLAUDE.saysKeyRefused)
    rig.model.play([], anthropicRefuses(400, 'invalid_request_error', 'prompt is too long'))
    assert.equal((await elaborate()).status, 502)
    rig.model.play([], subscriptionUsedUp(secondsAhead(600)))
    const limited = await elaborate()
    assert.equal(limited.status, 503, limited.text)
    const again = await elaborate()
    assert.equal(again.status, 503, again.text)
    assert.match(again.text, /no agent can answer now: agent claude is rate limited until /)
  })

  for (const words of [GEMINI, CODEX]) {
    it(`${words.program}: answers in the form asked for`, async () => {
      rig = await startAgentRig(words.program)
      if (words.program === 'gemini')
        await rig.server.call('PUT', '/api/agents/gemini', { default_model: GEMINI.agent['model'] })
      rig.model.play([says(fenced(DRAFT))])
      const { status, body, text } = await elaborate()
      assert.deepEqual([status, body], [200, drafted], text)
      rig.model.play([says('Hm.'), says(fenced(DRAFT))])
      const mended = await elaborate()
      assert.equal(mended.status, 200, mended.text)
    })
  }
})
