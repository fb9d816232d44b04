import test from 'ava'
import { issued } from './given/basics.ts'
import { openTestApi, type TestApi } from './test-api.ts'

interface Asked {
  readonly token: string
}

const person = async (api: TestApi): Promise<Asked> => ({ token: await api.person() })
const merchant = async (api: TestApi): Promise<Asked> => ({ token: (await api.merchant()).token })

const delivery = async (api: TestApi): Promise<Asked> => {
  const { token = '' } = await issued(api, { webhook: 'https://loja.example/webhooks' })
  await api.drain()
  return { token }
}

const cases: readonly (readonly [
  method: string,
  path: string,
  begin: (api: TestApi) => Promise<Asked>,
  status: number,
])[] = [
  ['POST', '/v1/auth/logout', person, 200],
  ['POST', '/v1/auth/refresh', person, 200],
  ['POST', '/v1/auth/send-verification-code', person, 200],
  ['POST', '/access/auth/logout', merchant, 200],
  ['POST', '/access/auth/send-verification-code', merchant, 422],
  ['PUT', '/access/auth/notifications/mark-all-read', merchant, 200],
  ['POST', '/access/webhook-notifications/1/replay', delivery, 200],
]
for (const [method, path, begin, expected] of cases)
  test(`${method} ${path} treats an empty chunked body as no body`, async (t) => {
    const answers = []
    for (const chunked of [{}, { 'transfer-encoding': 'chunked' }]) {
      const api = await openTestApi(t)
      const { token } = await begin(api)
      const headers = { authorization: `Bearer ${token}`, ...chunked }
      const { status, body } = await api.wire({ method, target: path, headers })
      answers.push([status, Object.keys(body), body.message])
    }
    const [plain, inChunks] = answers
    t.is(plain?.[0], expected)
    t.deepEqual(inChunks, plain)
  })
