import { createConfig, lintFromString } from '@redocly/openapi-core'
import test, { type ExecutionContext } from 'ava'
import { openPixApiServer } from '../adapters/bank/pix-api/pix-api-server.ts'
import { inFull } from '../size.ts'
import { openTestApi } from './payments/test-api.ts'
import { openEstateApi } from './real-estate/test-api.ts'

/** An address on the Internet: Redocly reports any other. */
const PUBLIC_URL = 'https://pagamentos.portico.dev'

const findings = async (document: object): Promise<readonly string[]> => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

const isClean = async (t: ExecutionContext, document: object) => t.deepEqual(await findings(document), [])

test('Redocly has no finding in the document of the payments API', async (t) => {
  const { ask } = await openTestApi(t, { env: { PUBLIC_URL } })
  await isClean(t, (await ask('GET', '/openapi.json')).body)
})

inFull(test, 'Redocly has no finding in the webhook of an API Pix bank', () =>
  test('Redocly has no finding in the webhook of an API Pix bank', async (t) => {
    const server = await openPixApiServer()
    t.teardown(server.close)
    const { ask } = await openTestApi(t, { env: { ...server.env, PUBLIC_URL } })
    const { body } = await ask('GET', '/openapi.json')
    const own = (await findings(body)).filter((finding) => finding.includes('pix-api'))
    t.true('/pix-api/{secret}/pix' in body.paths)
    t.deepEqual(own, [])
  }),
)

test('Redocly has no finding in the document of the real-estate API', async (t) => {
  const { ask } = await openEstateApi(t, { env: { PUBLIC_URL } })
  await isClean(t, (await ask('GET', '/openapi.json')).body)
})

test('Redocly has findings in an incomplete document', async (t) => {
  t.true((await findings({ openapi: '3.1.0', info: { title: '', version: '' }, paths: {} })).length > 0)
})
