import { createConfig, lintFromString } from '@redocly/openapi-core'
import test, { type ExecutionContext } from 'ava'
import { openApi } from '../../apps/http/docs/openapi.ts'
import { messagesOf } from '../../apps/http/replies/messages.ts'
import { dialects } from '../../apps/real-estate/dialects.ts'
import { toyApi } from './http/toy-api.ts'
import { openTestApi } from './payments/test-api.ts'

/** Of a server that is somewhere: it is a finding where a document leads nowhere. */
const PUBLIC_URL = 'https://pagamentos.portico.dev'

const findings = async (document: object): Promise<readonly string[]> => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

const isClean = async (t: ExecutionContext, document: object) => t.deepEqual(await findings(document), [])

test('redocly finds nothing in the document of the payments API', async (t) => {
  const { ask } = await openTestApi(t, { env: { PUBLIC_URL } })
  await isClean(t, (await ask('GET', '/openapi.json')).body)
})

test('nor in that of the real-estate API, which has no routes yet', async (t) => {
  const { setup } = toyApi()
  const messages = messagesOf({ failures: {}, issues: {} })
  const none = { rows: [], authSchemes: {}, docs: {}, messages }
  await isClean(t, openApi({ ...setup, ...none, dialects, defaultDialect: 'estate', publicUrl: PUBLIC_URL } as never))
})

test('what it finds is told', async (t) => {
  t.true((await findings({ openapi: '3.1.0', info: { title: '', version: '' }, paths: {} })).length > 0)
})
