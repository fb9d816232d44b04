import test, { type ExecutionContext } from 'ava'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import { printSeed, some } from '../../size.ts'
import type { RowsApi } from './api-under-test.ts'
import { askAt, type Place, type Prepared, placeOf, placesOf } from './places.ts'
import { onEachEntryPoint } from './sampling.ts'
import type { RowsSuite } from './suite.ts'
import type { Reply } from './wire.ts'

/** Invalid values of `Authorization`. */
const WRONG: readonly string[] = [
  '',
  'Bearer',
  'Bearer null',
  'Bearer a.b.c',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
  'Basic bWFyaWE6c2VncmVkbw==',
]

/** Returns malformed headers with a valid token. */
const misspelt = (token: string): readonly string[] => [
  token,
  `Token ${token}`,
  `Bearer ${token}x`,
  `Bearer ${token.slice(0, -2)}`,
  `Bearer ${token} ${token}`,
]

const askAs = (api: RowsApi, place: Place, { token: _, ...sent }: Prepared, authorization: string | null) =>
  askAt(api, place, sent, authorization === null ? {} : { headers: { authorization } })

/** Sends a request in which everything else is wrong, too. */
const askAllWrong = (api: RowsApi, { path, ...place }: Place, { token: _, ...sent }: Prepared) => {
  const headers = { 'content-type': 'text/plain', 'x-account-id': '0', 'idempotency-key': '' }
  return askAt(api, { ...place, path: path.replace(/:\w+/g, 'x') }, sent, { headers, raw: '{' })
}

/**
 * Tests that each row with authentication returns 401 without a valid token. Each row is tested with a few invalid
 * tokens; rows of each entry point with all of them, and with an expired one.
 */
export const authSuite = <A extends RowsApi>(under: RowsSuite<A>): void => {
  const { closed } = under
  test.before((t) => printSeed(t))
  const { unauthenticated } = under.wording
  const isRefused: IsRefused = (t, { status, body, text }, about) => {
    t.is(status, 401, `${about}: ${text}`)
    t.deepEqual(body, unauthenticated, about)
  }
  for (const [salt, row] of closed.entries())
    refuses(row, 'without a valid token, before all other checks', [FEW, salt], under, isRefused)
  onEachEntryPoint('returns 401 for each kind of invalid token', closed, (row) =>
    refuses(row, 'for each invalid token', [Number.POSITIVE_INFINITY], under, isRefused),
  )
  onEachEntryPoint('returns 401 for a revoked or expired token', closed, (row) => refusesEnded(row, under, isRefused))
}

/** The number of invalid tokens for each row, chosen at random. */
const FEW = 2

type IsRefused = (t: ExecutionContext, reply: Reply, about: string) => void

const refuses = <A extends RowsApi>(
  row: AnyRow,
  when: string,
  [most, salt]: readonly [most: number, salt?: number],
  { open, prepare, writesNothing, tokens }: RowsSuite<A>,
  isRefused: IsRefused,
): void => {
  test.serial(`${row.name} returns 401 ${when}`, async (t) => {
    const api = await open(t)
    const sent = await prepare(api, placeOf(row))
    const { token = '' } = sent
    const bearers = (await tokens.wrong(api, token, row)).map((wrong) => `Bearer ${wrong}`)
    const wrong = some([...WRONG, ...misspelt(token), ...bearers], most, salt)
    await writesNothing(t, api, async () => {
      for (const place of placesOf(row)) {
        for (const each of [null, ...wrong])
          isRefused(t, await askAs(api, place, sent, each), `${place.method} ${place.path} ${each}`)
        isRefused(t, await askAllWrong(api, place, sent), `${place.path} with everything wrong`)
      }
    })
    const answer = await askAt(api, placeOf(row), sent)
    t.is(answer.status, row.reply.doc.status, answer.text)
  })
}

const refusesEnded = <A extends RowsApi>(
  row: AnyRow,
  { open, prepare, writesNothing, tokens }: RowsSuite<A>,
  isRefused: IsRefused,
): void => {
  const name = `${row.name} returns 401 as soon as a token is revoked or expired`
  test.serial(name, async (t) => {
    const api = await open(t)
    const [ended, lapsed] = [await prepare(api, placeOf(row)), await prepare(api, placeOf(row))]
    if (tokens.end) {
      await tokens.end(api, ended.token ?? '')
      await writesNothing(t, api, async () => {
        for (const place of placesOf(row))
          isRefused(t, await askAt(api, place, ended), `${place.path} after its revocation`)
      })
    }
    api.clock.set(addSeconds(await tokens.lapsesAt(api, lapsed.token ?? ''), -1))
    t.not((await askAt(api, placeOf(row), lapsed)).status, 401)
    api.clock.advance(1)
    for (const place of placesOf(row)) isRefused(t, await askAt(api, place, lapsed), `${place.path} after its expiry`)
  })
}
