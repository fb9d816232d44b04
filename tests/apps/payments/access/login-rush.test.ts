import test, { type ExecutionContext } from 'ava'
import { always } from '../../../../core/kernel/records/record.ts'
import { MAX_WAITING_HASHES } from '../../../../core/limits.ts'
import { throttles } from '../../../../core/payments/access/log-in.ts'
import { AT_ONCE, steppedHasher } from '../../../adapters/crypto/stepped-hasher.ts'
import { loginRush, turn } from '../../http/login-rush.ts'
import { openTestApi, PASSWORD } from '../test-api.ts'

const LOGIN = '/v1/auth/login'
const ANA = { email: 'ana@aurora.example', password: PASSWORD }
const [FLOOD, OTHER] = ['203.0.113.7', '198.51.100.9']
const RUSH = 600
const REFUSED = RUSH - AT_ONCE - MAX_WAITING_HASHES

const open = async (t: ExecutionContext) => {
  const work = steppedHasher()
  const api = await openTestApi(t, { env: { TRUST_PROXY: 'true' }, instead: () => ({ hasher: work.hasher }) })
  t.teardown(work.run)
  work.run()
  await api.person(ANA.email)
  work.hold()
  work.started.length = 0
  const logIn = () => api.ask('POST', LOGIN, { headers: { 'x-forwarded-for': OTHER }, body: ANA })
  const rush = loginRush(t, api.url, LOGIN)
  const come = (count: number) => {
    for (let number = 0; number < count; number += 1) {
      rush.ask(FLOOD, { email: `a${number}@example.com`, password: `palpite ${number}` })
    }
  }
  const every = async () => {
    const found: number[] = []
    for await (const { failures } of api.host.store.scan(throttles, always)) found.push(failures)
    return found
  }
  return { ...api, ...work, rush, come, logIn, failures: every }
}

test('compares a sign-in of another address next during 600 sign-ins from one address', async (t) => {
  const { rush, come, logIn, started, step, run } = await open(t)
  come(RUSH)
  while (rush.count(503) < REFUSED) await turn()
  t.is(started.length, AT_ONCE)
  let status = 0
  const other = logIn().then((answer) => {
    status = answer.status
  })
  // The queue is full: one request of the busiest address gets 503.
  while (rush.count(503) < REFUSED + 1) await turn()
  await step()
  t.is(started.at(-1), PASSWORD)
  for (let steps = 0; steps < 2; steps += 1) await step()
  await other
  t.is(status, 200)
  t.is(started.length, AT_ONCE + 3)
  run()
  while (rush.statuses.length < RUSH) await turn()
  t.is(rush.count(503), REFUSED + 1)
  t.is(rush.count(401), RUSH - REFUSED - 1)
})

test('does not compare passwords of closed connections, nor counts them for the throttle', async (t) => {
  const { rush, come, logIn, started, step, run, failures, ask } = await open(t)
  come(100)
  while ((await failures()).length < 100) await turn()
  while (started.length < AT_ONCE) await turn()
  rush.hangUp()
  // The server notices the closed connections before it answers these requests.
  for (let asked = 0; asked < 3; asked += 1) t.is((await ask('GET', '/health')).status, 200)
  await step()
  await step()
  while ((await failures()).filter((count) => count === 0).length < 100 - AT_ONCE) await turn()
  t.is(started.length, AT_ONCE)
  run()
  t.is((await logIn()).status, 200)
  t.is(started.length, AT_ONCE + 1)
})
