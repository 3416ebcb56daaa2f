import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentRig } from './rig.ts'
import { MARKER } from './rig.ts'

/** Adds the agent `codex`, which is none of the default ones, with a configuration that names the scripted provider. */
export async function configureCodex({ installation, server, model, storeSecret }: AgentRig): Promise<void> {
  const config = join(installation.folder, 'config.toml')
  const provider = `name = "scripted"\nbase_url = "${model.url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n`
  writeFileSync(config, `model = "gpt-x"\nmodel_provider = "scripted"\n[model_providers.scripted]\n${provider}`)
  await storeSecret('slipway-login-codex', { OPENAI_API_KEY: MARKER })
  const credentials = {
    secret_name: 'slipway-login-codex',
    env: [{ name: 'OPENAI_API_KEY', key: 'OPENAI_API_KEY' }],
    files: [{ path: '.codex/config.toml', host_path: config }],
  }
  const reply = await server.call('POST', '/api/agents', { id: 'codex', adapter: 'codex', credentials })
  assert.equal(reply.status, 201, reply.text)
}
