import test from 'ava'
import { shareOf, some } from '../../../size.ts'
import type { RowsApi } from '../api-under-test.ts'
import { writtenBetween } from '../dump.ts'
import { placesOf } from '../places.ts'
import type { RowsSuite } from '../suite.ts'
import { triedOf } from '../tried.ts'
import { inTurns, type Reply } from '../wire.ts'
import { type Case, casesOf } from './cases.ts'

/** What `npm test` sends in all, whatever the number of rows. */
const REQUESTS = 2_000
const LEAST = 230

/** Bodies and queries that no honest client sends are refused, break nothing and are not stored. */
export const bodiesSuite = <A extends RowsApi>({
  rows,
  wording,
  open,
  prepare,
  dump,
  documented,
}: RowsSuite<A>): void => {
  const tried = triedOf(rows)
  const each = shareOf(REQUESTS, tried.flatMap(placesOf).length)
  for (const row of tried)
    test.serial(`${row.name}: no hostile body or query is let through, breaks anything or is stored`, async (t) => {
      const api = await open(t)
      const document = await documented(api)
      const check = ({ about }: Case, reply: Reply, mayPass: boolean) => {
        if (mayPass && reply.status < 400) return
        const wrong = wording.wrongFailure(reply, row.dialect, document)
        if (wrong !== null) t.fail(`${about}\n→ ${wrong}`)
      }
      for (const [index, place] of placesOf(row).entries()) {
        const all = casesOf(place, await prepare(api, place))
        t.true(all.length >= LEAST)
        const cases = some(all, each, index).map((make) => make())
        const refused = cases.filter(({ mayPass }) => !mayPass)
        const before = await dump(api)
        for (const [at, reply] of (await inTurns(refused, (one) => api.wire(one))).entries())
          check(refused[at] as Case, reply, false)
        t.deepEqual(writtenBetween(before, await dump(api)), [])
        const passing = cases.filter(({ mayPass }) => mayPass)
        for (const [at, reply] of (await inTurns(passing, (one) => api.wire(one))).entries())
          check(passing[at] as Case, reply, true)
      }
      t.false('x' in {})
    })
}
