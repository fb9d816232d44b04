import type { ExecutionContext } from 'ava'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { findings } from '../../../../apps/audit/findings.ts'
import type { Collection } from '../../../../core/kernel/records/collection.ts'
import type { Id, Rec } from '../../../../core/kernel/records/record.ts'
import { always, compile } from '../../../../core/kernel/records/where.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { PIX_IN } from '../../../../core/payments/ledger/transaction-type.ts'
import { byId, groupOf, listOf, type Store } from '../../../../core/ports/store.ts'
import { everyRecord } from '../../processes/ledger-faults.ts'
import type { Place } from '../survivor.ts'
import type { Acknowledged } from './load.ts'
import { NEXT_QUESTIONS, nextCharges, nextCollections, openAsNext } from './tables.ts'

/** The store is sound but for what shares a key; all that was answered is in it, and all that is asked is what the records say. */
export const standsAs = async (
  t: ExecutionContext,
  place: Place,
  twins: readonly Id[],
  load: Acknowledged,
): Promise<void> => {
  const store = await openAsNext(twins)(place.STORE_URL, [])
  try {
    for await (const { area, faults } of findings({ store, digest }, nextCollections(twins)))
      t.deepEqual(faults, area === 'keys' ? [collision(twins)] : [], area)
    await answersAll(t, store, twins)
    for (const { id, valueCents } of load.issued)
      t.is((await store.find(byId(charges, id)))?.valueCents, valueCents, `${id}`)
    const gross = (await everyRecord(store, entries)).filter(({ typeId }) => typeId === PIX_IN.id)
    const posted = new Map(gross.map(({ endToEnd, valueCents }) => [endToEnd, valueCents]))
    for (const { endToEndId, valueCents } of load.paid) t.is(posted.get(endToEndId), valueCents, endToEndId)
  } finally {
    await store.close()
  }
}

const collision = ([first, second]: readonly Id[]): string =>
  `${charges.name}/${second}: its twin is also that of ${charges.name}/${first}, which is found by it: change or remove one of them`

/** Lists, totals and groups by what the next release added are those of the records. */
const answersAll = async (t: ExecutionContext, store: Store, twins: readonly Id[]): Promise<void> => {
  const from = nextCharges(twins) as Collection<Rec>
  const known = await everyRecord(store, from)
  const held = known.filter(
    ({ nextBand, nextNote }) => nextNote === null && (nextBand === 'high' || nextBand === 'low'),
  )
  t.is(held.length, known.length)
  for (const [when, where, band] of NEXT_QUESTIONS) {
    const right = known.filter((record) => record.nextBand === band && compile(where)(record))
    const asked = { where, ...(when === undefined ? {} : { when }) }
    const { records, total } = await store.list(
      listOf(from, { ...asked, sort: { by: 'createdAt', dir: 'asc' }, limit: 500, total: true }),
    )
    t.is(total, right.length)
    t.true(records.every(({ nextBand }) => nextBand === band))
    const [one] = await store.group(groupOf(from, { ...asked, by: [], sum: ['valueCents'] }))
    t.is(
      one?.sums.valueCents,
      right.reduce((sum, { valueCents }) => sum + Number(valueCents), 0),
    )
  }
  t.is((await store.list(listOf(from, { where: always, limit: 1, total: true }))).total, known.length)
}
