import test, { type ExecutionContext } from 'ava'
import { memoryLog } from '../../../../adapters/telemetry/log.ts'
import { portsOf } from '../../../../apps/bank/payments-ports.ts'
import { CannotStart } from '../../../../apps/host/environment.ts'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { passkeys } from '../../../../core/payments/challenges/passkey.ts'
import { audit } from '../../../../core/payments/office.ts'
import { ceremonies } from '../../../../core/payments/passkeys/ceremony.ts'
import { PASSWORD } from '../../../core/payments/world.ts'
import { user } from '../given/basics.ts'
import { answerChallenge, createPasskey, registerPasskey } from '../given/passkeys.ts'
import { failure, openTestApi, pluck, type TestApi, worked, wrongFields } from '../test-api.ts'

const OPTIONS = '/v1/second-factor/passkeys/options'
const PASSKEYS = '/v1/second-factor/passkeys'
const STEP = '/v1/auth/second-step/passkey'
const ALONE = '/v1/auth/login/passkey'

/** Opens the app with a person who has a passkey. */
const withPasskey = async (t: ExecutionContext) => {
  const api = await openTestApi(t)
  const { token, body } = await user(api)
  return { api, token, ...(await registerPasskey(api, token)), credentials: body }
}

type Holder = Awaited<ReturnType<typeof withPasskey>>

/** Sends the password, which opens a challenge. */
const challengeOf = async (api: TestApi, body: unknown): Promise<string> =>
  worked(await api.ask('POST', '/v1/auth/login', { body })).data.challenge

const logInOptions = async (api: TestApi) => worked(await api.ask('POST', '/v1/auth/login/passkey-options', {})).data

/** Proves a challenge of a signed-in person, and returns the header that confirms one change. */
const confirmation = async ({ api, authenticator }: Holder, token: string) => {
  const { challenge } = worked(await api.ask('POST', '/v1/second-factor/challenges', { token })).data
  const body = await answerChallenge(api, challenge, authenticator)
  worked(await api.ask('POST', '/v1/second-factor/proofs/passkey', { token, body }))
  return { 'x-second-factor': challenge as string }
}

test('registers a first passkey, with recovery codes, and requires it after the password', async (t) => {
  const api = await openTestApi(t)
  const { token, body: credentials } = await user(api)
  const other = worked(await api.ask('POST', '/v1/auth/login', { body: credentials })).data.access_token
  const { authenticator, recoveryCodes } = await registerPasskey(api, token)
  t.is(recoveryCodes.length, 10)
  t.is((await api.ask('GET', PASSKEYS, { token })).status, 200)
  t.is((await api.ask('GET', PASSKEYS, { token: other })).status, 401, 'a session without the factor')

  const answer = await api.ask('POST', '/v1/auth/login', { body: credentials })
  t.deepEqual([answer.status, answer.body.data.accepts], [202, ['passkey', 'recovery-code']])
  const { challenge } = answer.body.data
  const body = await answerChallenge(api, challenge, authenticator)
  t.false(JSON.stringify(await api.everything()).includes(challenge), 'the challenge in clear, also in its ceremony')
  const signedIn = worked(await api.ask('POST', STEP, { body })).data.access_token
  const [shown] = worked(await api.ask('GET', PASSKEYS, { token: signedIn })).data
  t.like(shown, { name: 'Celular', synced: false, last_used_at: '2026-11-23T10:05:09-03:00' })
  t.deepEqual(failure(await api.ask('POST', STEP, { body })), [410, 'challenge.ended'], 'the answer again')
})

test('requires the password of the last ten minutes, also in a session that is not guarded', async (t) => {
  const api = await openTestApi(t)
  const { token } = await user(api)
  const begin = () => api.ask('POST', OPTIONS, { token })
  t.deepEqual(failure(await begin()), [403, 'password.stale'])
  worked(await api.ask('POST', '/v1/auth/confirm-password', { token, body: { password: PASSWORD } }))
  const body = { name: 'Celular', ...(await createPasskey(api, token)) }
  api.clock.advance(600)
  t.deepEqual(failure(await api.ask('POST', PASSKEYS, { token, body })), [403, 'password.stale'])
})

test('requires a proof of the factor for a further passkey and for a removal', async (t) => {
  const here = await withPasskey(t)
  const { api, token, id, credentials } = here
  const body = { name: 'Chaveiro', ...(await createPasskey(api, token)) }
  t.deepEqual(failure(await api.ask('POST', PASSKEYS, { token, body })), [403, 'second-factor.required'])
  const headers = await confirmation(here, token)
  const added = worked(await api.ask('POST', PASSKEYS, { token, body, headers })).data
  t.is(added.recovery_codes, null)
  t.deepEqual(pluck(worked(await api.ask('GET', PASSKEYS, { token })).data, 'name').toSorted(), ['Celular', 'Chaveiro'])

  const remove = (of: string, sent = {}) => api.ask('DELETE', `${PASSKEYS}/${of}`, { token, headers: sent })
  t.deepEqual(failure(await remove(added.passkey.id)), [403, 'second-factor.required'])
  t.deepEqual(failure(await remove(added.passkey.id, headers)), [403, 'second-factor.required'], 'used before')
  worked(await remove(added.passkey.id, await confirmation(here, token)))
  worked(await remove(id, await confirmation(here, token)))
  t.is(worked(await api.ask('POST', '/v1/auth/login', { body: credentials })).data.token_type, 'bearer')
  const actions = pluck(await api.every(audit.entries), 'action')
  for (const [action, times] of Object.entries({ 'passkey.added': 2, 'passkey.removed': 2 }))
    t.is(actions.filter((each) => each === action).length, times, action)
})

test('accepts the response to a registration once, within five minutes, of the person who began it', async (t) => {
  const api = await openTestApi(t)
  const [one, other] = [await user(api), await user(api)]
  for (const { token } of [one, other])
    worked(await api.ask('POST', '/v1/auth/confirm-password', { token, body: { password: PASSWORD } }))
  const send = async (token: string, body: object) =>
    failure(await api.ask('POST', PASSKEYS, { token, body: { name: 'Celular', ...body } }))
  const created = await createPasskey(api, one.token)
  t.deepEqual(await send(other.token, created), [410, 'passkey.expired'])
  const { ceremony } = await createPasskey(api, one.token)
  t.deepEqual(await send(one.token, { ...created, ceremony }), [422, 'passkey.invalid'], 'of another challenge')
  t.is((await send(one.token, created))[0], 201)
  t.deepEqual(await send(one.token, created), [410, 'passkey.expired'], 'again')
  const late = await createPasskey(api, other.token)
  api.clock.advance(300)
  t.deepEqual(await send(other.token, late), [410, 'passkey.expired'], 'late')
  api.clock.advance(-1)
  const wrong = await api.ask('POST', PASSKEYS, { token: other.token, body: {} })
  t.deepEqual(wrongFields(wrong), ['name', 'ceremony', 'credential'])
})

test('counts wrong responses as wrong codes: the fifth ends the challenge', async (t) => {
  const { api, authenticator, credentials } = await withPasskey(t)
  const challenge = await challengeOf(api, credentials)
  const stranger = await withStranger(api)
  for (let wrong = 1; wrong <= 5; wrong += 1) {
    const { credential, ...rest } = await answerChallenge(api, challenge, authenticator)
    const foreign = wrong % 2 === 0 ? stranger.get({ challenge: 'AAAA', rpId: 'pay.example.com' }) : null
    const signature = `A${credential.response.signature.slice(1)}`
    const sent = foreign ?? { ...credential, response: { ...credential.response, signature } }
    const answer = await api.ask('POST', STEP, { body: { ...rest, credential: sent } })
    t.deepEqual(failure(answer), [403, 'second-factor.wrong'])
  }
  const path = '/v1/second-factor/proofs/passkey-options'
  t.deepEqual(failure(await api.ask('POST', path, { body: { challenge } })), [410, 'challenge.ended'])
})

/** Registers the passkey of another person. */
const withStranger = async (api: TestApi) => (await registerPasskey(api, (await user(api)).token)).authenticator

test('rejects a passkey of another person as a second step, and hides it', async (t) => {
  const { api, token, id, credentials } = await withPasskey(t)
  const person = await user(api)
  const stranger = await registerPasskey(api, person.token)
  const body = await answerChallenge(api, await challengeOf(api, credentials), stranger.authenticator)
  t.deepEqual(failure(await api.ask('POST', STEP, { body })), [403, 'second-factor.wrong'])
  const rename = (of: string) => api.ask('PATCH', `${PASSKEYS}/${of}`, { token, body: { name: 'Meu' } })
  t.deepEqual(failure(await rename(stranger.id)), [404, 'passkey.unknown'])
  t.deepEqual(failure(await rename('9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10')), [404, 'passkey.unknown'])
  t.is(worked(await rename(id)).data.name, 'Meu')
})

/** The counters of two uses; `rejected` if the second one comes from a copy. */
const COUNTERS = [
  { stored: 7, sent: 8, status: 200 },
  { stored: 7, sent: 7, status: 401 },
  { stored: 7, sent: 6, status: 401 },
  { stored: 7, sent: 0, status: 401 },
  { stored: 0, sent: 0, status: 200 },
] as const

for (const { stored, sent, status } of COUNTERS)
  test(`answers ${status} to counter ${sent} after counter ${stored}, and records a rejection`, async (t) => {
    const { api, authenticator } = await withPasskey(t)
    const logIn = async (counter: number) => {
      const { ceremony, public_key: options } = await logInOptions(api)
      return api.ask('POST', ALONE, { body: { ceremony, credential: authenticator.get(options, { counter }) } })
    }
    const [{ id: passkey } = { id: '' }] = await api.every(passkeys)
    await api.host.store.commit([patch(passkeys, passkey, { set: { counter: stored }, when: always })])
    t.is((await logIn(sent)).status, status)
    const [known] = await api.every(passkeys)
    t.is(known?.counter, status === 200 ? sent : stored)
    const rejections = (await api.every(audit.entries)).filter(({ action }) => action === 'passkey.rejected')
    t.deepEqual(
      rejections.map(({ changes }) => JSON.parse(changes ?? '')),
      status === 200 ? [] : [{ [`passkeys.${passkey}.counter`]: { from: stored, to: sent } }],
    )
  })

test('signs in by a passkey alone only if the device verified the person, once', async (t) => {
  const { api, authenticator } = await withPasskey(t)
  const send = async (over: Parameters<typeof authenticator.get>[1], given = logInOptions(api)) => {
    const { ceremony, public_key: options } = await given
    const body = { ceremony, credential: authenticator.get(options, over) }
    return { body, answer: await api.ask('POST', ALONE, { body }) }
  }
  const { body, answer } = await send({})
  const { access_token: token } = worked(answer).data
  t.is((await api.ask('GET', PASSKEYS, { token })).status, 200)
  t.deepEqual(failure(await api.ask('POST', ALONE, { body })), [401, 'passkey.wrong'], 'again')
  t.deepEqual(failure((await send({ isVerified: false })).answer), [401, 'passkey.wrong'])
  t.deepEqual(failure((await send({ origin: 'https://evil.example' })).answer), [401, 'passkey.wrong'])
  const late = await logInOptions(api)
  api.clock.advance(300)
  t.deepEqual(failure((await send({}, late)).answer), [401, 'passkey.wrong'])
  await api.drain()
  t.deepEqual(await api.every(ceremonies), [], 'expired ones are removed')
})

test('has passkeys only if the server is set up for them, at an address that browsers accept', async (t) => {
  const api = await openTestApi(t, { env: { PASSKEYS: 'false' } })
  t.deepEqual(failure(await api.ask('POST', '/v1/auth/login/passkey-options', {})), [422, 'passkeys.off'])
  const { host } = await openTestApi(t)
  const error = await t.throwsAsync(portsOf(host, 'http://127.0.0.1:3000', memoryLog()), { instanceOf: CannotStart })
  t.regex(error.message, /^PUBLIC_URL: for PASSKEYS=true, got http:\/\/127\.0\.0\.1:3000, accepts https:/)
})
