import test, { type ExecutionContext } from 'ava'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import { printSeed, some } from '../../size.ts'
import type { RowsApi } from './api-under-test.ts'
import { askAt, type Place, type Prepared, placeOf, placesOf } from './places.ts'
import { onEachEntryPoint } from './sampling.ts'
import type { RowsSuite } from './suite.ts'
import type { Reply } from './wire.ts'

/** Values of `Authorization` that open nothing, whoever asks. */
const WRONG: readonly string[] = [
  '',
  'Bearer',
  'Bearer null',
  'Bearer a.b.c',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
  'Basic bWFyaWE6c2VncmVkbw==',
]

/** A token that lives, written otherwise. */
const misspelt = (token: string): readonly string[] => [
  token,
  `Token ${token}`,
  `Bearer ${token}x`,
  `Bearer ${token.slice(0, -2)}`,
  `Bearer ${token} ${token}`,
]

const askAs = (api: RowsApi, place: Place, { token: _, ...sent }: Prepared, authorization: string | null) =>
  askAt(api, place, sent, authorization === null ? {} : { headers: { authorization } })

/** A request in which all else is wrong, too. */
const askAllWrong = (api: RowsApi, { path, ...place }: Place, { token: _, ...sent }: Prepared) => {
  const headers = { 'content-type': 'text/plain', 'x-account-id': '0', 'idempotency-key': '' }
  return askAt(api, { ...place, path: path.replace(/:\w+/g, 'x') }, sent, { headers, raw: '{' })
}

/**
 * Every row that asks for a token is 401 without one, and by a few of the wrong ones; each of these is tried at every way in,
 * as is a token that has ended.
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
    refuses(row, 'a token that lives, before anything else is looked at', [FEW, salt], under, isRefused)
  onEachEntryPoint('every kind of wrong token is 401', closed, (row) =>
    refuses(row, 'a token, by each that is wrong', [Number.POSITIVE_INFINITY], under, isRefused),
  )
  onEachEntryPoint('a token that has ended is 401', closed, (row) => refusesEnded(row, under, isRefused))
}

/** So many wrong tokens are tried on every row, by chance. */
const FEW = 2

type IsRefused = (t: ExecutionContext, reply: Reply, about: string) => void

const refuses = <A extends RowsApi>(
  row: AnyRow,
  without: string,
  [most, salt]: readonly [most: number, salt?: number],
  { open, prepare, writesNothing, tokens }: RowsSuite<A>,
  isRefused: IsRefused,
): void => {
  test.serial(`${row.name} is 401 without ${without}`, async (t) => {
    const api = await open(t)
    const sent = await prepare(api, placeOf(row))
    const { token = '' } = sent
    const bearers = (await tokens.wrong(api, token, row)).map((wrong) => `Bearer ${wrong}`)
    const wrong = some([...WRONG, ...misspelt(token), ...bearers], most, salt)
    await writesNothing(t, api, async () => {
      for (const place of placesOf(row)) {
        for (const each of [null, ...wrong])
          isRefused(t, await askAs(api, place, sent, each), `${place.method} ${place.path} ${each}`)
        isRefused(t, await askAllWrong(api, place, sent), `${place.path} with all else wrong`)
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
  const name = `${row.name} is 401 from the request after a token was ended, and from the second it has run out`
  test.serial(name, async (t) => {
    const api = await open(t)
    const [ended, lapsed] = [await prepare(api, placeOf(row)), await prepare(api, placeOf(row))]
    if (tokens.end) {
      await tokens.end(api, ended.token ?? '')
      await writesNothing(t, api, async () => {
        for (const place of placesOf(row)) isRefused(t, await askAt(api, place, ended), `${place.path} after its end`)
      })
    }
    api.clock.set(addSeconds(await tokens.lapsesAt(api, lapsed.token ?? ''), -1))
    t.not((await askAt(api, placeOf(row), lapsed)).status, 401)
    api.clock.advance(1)
    for (const place of placesOf(row)) isRefused(t, await askAt(api, place, lapsed), `${place.path} after its time`)
  })
}
