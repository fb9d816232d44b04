import test, { type ExecutionContext } from 'ava'
import { plusSeconds } from '../../../core/kernel/values/day.ts'
import { ACCESS_TOKEN_SECONDS } from '../../../core/payments/access/sessions/session.ts'
import type { TestApi } from '../payments/test-api.ts'
import { dumpOf, writtenBetween } from './dump.ts'
import { openRows } from './open-rows.ts'
import { askAt, type Place, type Prepared, placeOf, placesOf, prepare, rows } from './places.ts'
import { claimsOf, tokenOf } from './principals.ts'
import type { Reply } from './wire.ts'

const closed = rows.filter(({ auth }) => auth !== 'public')
const UNAUTHENTICATED = { code: 401, success: false, message: 'Não autenticado.', error_code: 'token.invalid' }

const isRefused = (t: ExecutionContext, { status, body, text }: Reply, about: string) => {
  t.is(status, 401, `${about}: ${text}`)
  t.deepEqual(body, UNAUTHENTICATED, about)
}

/** Values of `Authorization` that open nothing, whoever asks. */
const WRONG: readonly (string | null)[] = [
  null,
  '',
  'Bearer',
  'Bearer null',
  'Bearer a.b.c',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
  'Basic bWFyaWE6c2VncmVkbw==',
]

// Its door takes a token that has run out, and an earlier one ends its session.
const isRefresh = ({ row }: Place): boolean => row.auth === 'refresh'

const wrongTokens = (api: TestApi, place: Place, token: string): readonly (string | null)[] => {
  const claims = claimsOf(api, token)
  return [
    ...WRONG,
    token,
    `Token ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -2)}`,
    `Bearer ${token} ${token}`,
    `Bearer ${tokenOf(api, claims, new Uint8Array(32).fill(9))}`,
    `Bearer ${tokenOf(api, { ...claims, sid: 'another' })}`,
    `Bearer ${tokenOf(api, { ...claims, sub: claims.sub + 1 })}`,
    ...(isRefresh(place) ? [] : [{ exp: claims.iat }, { jti: 'earlier' }]).map(
      (other) => `Bearer ${tokenOf(api, { ...claims, ...other })}`,
    ),
  ]
}

const askAs = (api: TestApi, place: Place, { token: _, ...sent }: Prepared, authorization: string | null) =>
  askAt(api, place, sent, authorization === null ? {} : { headers: { authorization } })

for (const row of closed)
  test.serial(`${row.name} is 401 without a token that lives, before anything else is looked at`, async (t) => {
    const api = await openRows(t)
    const sent = await prepare(api, placeOf(row))
    const { token = '' } = sent
    const before = await dumpOf(api)
    for (const place of placesOf(row)) {
      for (const wrong of wrongTokens(api, place, token)) {
        isRefused(t, await askAs(api, place, sent, wrong), `${place.method} ${place.path} ${wrong}`)
      }
      const headers = { 'content-type': 'text/plain', 'x-account-id': '0', 'idempotency-key': '' }
      const target = { ...place, path: place.path.replace(/:\w+/g, 'x') }
      const { token: _, ...rest } = sent
      isRefused(t, await askAt(api, target, rest, { headers, raw: '{' }), `${place.path} with all else wrong`)
    }
    t.deepEqual(writtenBetween(before, await dumpOf(api)), [])
    t.is((await askAt(api, placeOf(row), sent)).status, row.reply.doc.status)
  })

for (const row of closed)
  test.serial(
    `${row.name} is 401 from the request after a logout, and from the second a token has run out`,
    async (t) => {
      const api = await openRows(t)
      const left = await prepare(api, placeOf(row))
      const lapsed = await prepare(api, placeOf(row))
      const { token = '' } = left
      t.is((await api.ask('POST', '/v1/auth/logout', { token })).status, 200)
      const before = await dumpOf(api)
      for (const place of placesOf(row)) isRefused(t, await askAt(api, place, left), `${place.path} after logout`)
      t.deepEqual(writtenBetween(before, await dumpOf(api)), [])

      const { iat } = claimsOf(api, lapsed.token ?? '')
      api.clock.set(plusSeconds(new Date(iat * 1_000).toISOString(), ACCESS_TOKEN_SECONDS - 1))
      t.not((await askAt(api, placeOf(row), lapsed)).status, 401)
      api.clock.advance(1)
      for (const place of placesOf(row)) isRefused(t, await askAt(api, place, lapsed), `${place.path} after its hour`)
    },
  )

for (const row of rows.filter(({ precondition }) => precondition !== undefined))
  test.serial(`${row.name} is 403 without what its precondition asks, and says nothing of the rest`, async (t) => {
    const api = await openRows(t)
    const sent = await prepare(api, placeOf(row))
    const before = await dumpOf(api)
    const names = Object.keys(row.precondition?.fields ?? {})
    t.true(names.length > 0)
    for (const place of placesOf(row)) {
      for (const name of names) {
        const body = { ...Object.fromEntries(Object.keys(sent.body ?? {}).map((key) => [key, {}])), [name]: null }
        const answer = await askAt(api, place, { ...sent, body })
        t.is(answer.status, 403, answer.text)
        t.false(Object.hasOwn(answer.body, 'errors'))
      }
    }
    t.deepEqual(writtenBetween(before, await dumpOf(api)), [])
  })
