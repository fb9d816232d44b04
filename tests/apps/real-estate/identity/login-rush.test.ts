import test from 'ava'
import { MAX_WAITING_HASHES } from '../../../../core/limits.ts'
import { AT_ONCE, steppedHasher } from '../../../adapters/crypto/stepped-hasher.ts'
import { loginRush, turn } from '../../http/login-rush.ts'
import { openEstateApi } from '../test-api.ts'

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts'
const SIGN_IN = `${ACCOUNTS}:signInWithPassword?key=any`
const [FLOOD, OTHER] = ['203.0.113.7', '198.51.100.9']
const ANA = { email: 'ana@example.com', password: 'segredo-123' }
const RUSH = 600
const REFUSED = RUSH - AT_ONCE - MAX_WAITING_HASHES

test('600 sign-ins at the development issuer from one address hold up nobody', async (t) => {
  const { hasher, begun, step, run, hold } = steppedHasher()
  const api = await openEstateApi(t, {
    env: { TRUST_PROXY: 'true' },
    usualIdentity: true,
    instead: () => ({ hasher }),
  })
  t.teardown(run)
  run()
  t.is((await api.ask('POST', `${ACCOUNTS}:signUp?key=any`, { body: ANA })).status, 200)
  hold()
  begun.length = 0
  const rush = loginRush(t, api.url, SIGN_IN)
  for (let number = 0; number < RUSH; number += 1) {
    rush.ask(FLOOD, { email: `a${number}@example.com`, password: `palpite ${number}` })
  }
  while (rush.count(503) < REFUSED) await turn()
  let status = 0
  const other = api.ask('POST', SIGN_IN, { headers: { 'x-forwarded-for': OTHER }, body: ANA }).then((answer) => {
    status = answer.status
  })
  while (rush.count(503) < REFUSED + 1) await turn()
  for (let steps = 0; steps < 3; steps += 1) await step()
  await other
  t.is(status, 200)
  t.is(begun[AT_ONCE], ANA.password)
  run()
  while (rush.statuses.length < RUSH) await turn()
  t.is(rush.count(503), REFUSED + 1)
  t.is(rush.count(400), RUSH - REFUSED - 1)
})
