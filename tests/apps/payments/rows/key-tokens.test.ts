import test from 'ava'
import { users } from '../../../../core/payments/members/user.ts'
import { byId } from '../../../../core/ports/store.ts'
import { anyDocument } from '../../../core/payments/world.ts'
import { askAt, type Prepared, placeOf, placesOf } from '../../rows/places.ts'
import type { TestApi } from '../test-api.ts'
import { paymentsRows } from './payments-rows.ts'
import { claimsOf } from './principals.ts'

const { restricted: fewMay, open, prepare, writesNothing, wording } = paymentsRows
const closed = paymentsRows.closed.filter(({ name }) => !fewMay?.has(name))

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Rows on the data of a person across accounts. */
const OWN = words(`
  authentication.confirm-password authentication.logout-everywhere authentication.send-verification-code
  legacy-auth.edit legacy-auth.send-verification-code legacy-auth.verify-email notifications.list
  notifications.mark-all-read notifications.read notifications.remove notifications.remove-read
  notifications.unread notifications.unread-count organizations.create passkeys.create passkeys.list
  passkeys.options passkeys.prove passkeys.remove passkeys.rename second-factor.challenge second-factor.confirm
  second-factor.prove second-factor.remove second-factor.replace-recovery-codes second-factor.show
  second-factor.start sessions.end sessions.list trusted-devices.list trusted-devices.remove`)
/** Rows for an ADMIN only, which no token for an API key may use. */
const ADMINS = words(`
  account-settings.audit account-settings.change-second-factor account-settings.replace-key
  account-settings.secrets account.set-pin account.update api-keys.create api-keys.list api-keys.revoke
  api-keys.rotate api-keys.show api-keys.update api-tokens.create api-tokens.remove api-tokens.update clients.erase
  manager-users.create manager-users.remove manager-users.update organizations.remove organizations.update
  split-receivers.create split-receivers.revoke users.create users.erase users.personal-data users.remove
  users.reset-second-factor users.update`)

/** Rows that return 403 outside of test accounts. */
const TRIALS = ['charges.simulate-payment']

/** Exchanges the API key of the account for a token, with the e-mail of the ADMIN who owns `token`. */
const keyTokenOf = async (api: TestApi, token: string): Promise<string> => {
  const user = await api.host.store.find(byId(users, claimsOf(api, token).sub))
  const known = await api.ask('GET', '/access/account', { token })
  if (known.status === 404) {
    const body = { name: 'Padaria', email: 'contato@padaria.com.br', document: anyDocument() }
    await api.ask('POST', '/v1/organizations', { token, body })
  }
  const { account } = (await api.ask('GET', '/access/account', { token })).body
  const body = { email: user?.email, token: account.token }
  return (await api.ask('POST', '/access/account/get-token', { body })).body.data.token
}

const byKey = async (api: TestApi, row: (typeof closed)[number]): Promise<Prepared> => {
  const sent = await prepare(api, placeOf(row))
  return { ...sent, token: await keyTokenOf(api, sent.token ?? '') }
}

test.serial(
  'a token for the API key of an ADMIN gets 403 on rows of an ADMIN or a person, and the usual status elsewhere',
  async (t) => {
    const api = await open(t)
    const statuses: Record<string, number> = {}
    for (const row of closed) statuses[row.name] = (await askAt(api, placeOf(row), await byKey(api, row))).status
    const named = (status: number) => Object.keys(statuses).filter((name) => statuses[name] === status)
    t.deepEqual(
      named(403)
        .filter((name) => !TRIALS.includes(name))
        .sort(),
      [...ADMINS, ...OWN].sort(),
    )
    // Such a token cannot be refreshed.
    t.deepEqual(
      named(401),
      closed.flatMap(({ auth, name }) => (auth === 'refresh' ? [name] : [])),
    )
    const others = closed.filter(({ name }) => ![401, 403].includes(statuses[name] ?? 0))
    t.deepEqual(
      others.map(({ name }) => [name, statuses[name]]),
      others.map(({ name, reply }) => [name, reply.doc.status]),
    )
  },
)

test.serial(
  'a token for an API key gets 403 at every path of these rows, before other errors, and writes nothing',
  async (t) => {
    const api = await open(t)
    for (const row of closed.filter(({ name }) => [...ADMINS, ...OWN].includes(name))) {
      const sent = await byKey(api, row)
      await writesNothing(t, api, async () => {
        for (const place of placesOf(row)) {
          const answers = [
            await askAt(api, place, sent),
            await askAt(api, place, sent, { more: 'page=x' }),
            ...(sent.body ? [await askAt(api, place, { ...sent, body: {} })] : []),
          ]
          for (const { status, body } of answers)
            t.deepEqual([status, body], [403, wording.forbidden], `${row.name} ${place.path}`)
        }
      })
    }
  },
)
