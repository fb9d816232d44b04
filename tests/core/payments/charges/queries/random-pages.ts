import type { ExecutionContext } from 'ava'
import fc from 'fast-check'
import { setClock } from '../../../../../adapters/clock/set-clock.ts'
import { memoryPorts } from '../../../../../adapters/memory/memory-ports.ts'
import { isLeft } from '../../../../../core/failure.ts'
import { insert } from '../../../../../core/kernel/records/record.ts'
import { addDays } from '../../../../../core/kernel/values/day.ts'
import { charges } from '../../../../../core/payments/charges/charge.ts'
import { type ChargeFilter, listCharges } from '../../../../../core/payments/charges/queries/list.ts'
import { clients } from '../../../../../core/payments/customers/client.ts'
import type { Query, Store } from '../../../../../core/ports/store.ts'
import { CLIENTS, chargeOf, GROWING, NOW, TODAY } from '../../../../bench/lists/history.ts'
import { recording } from '../../statements/observed-store.ts'
import { aClient } from '../billing-fixtures.ts'

const actor = { userId: 5, accountId: GROWING, roleId: 1, permissions: [] }
const AT_ONCE = 500

/** Five years of charges and their payers. */
export const fillWithCharges = async (store: Store, size: number): Promise<void> => {
  const records = [
    ...Array.from({ length: CLIENTS }, (_, at) =>
      insert(clients, { ...aClient, id: at + 1, accountId: GROWING, code: `p${at}`, document: `${at}` }),
    ),
    ...Array.from({ length: size }, (_, at) => insert(charges, chargeOf(GROWING, at + 1, size, at + 1))),
  ]
  for (let first = 0; first < records.length; first += AT_ONCE)
    await store.commit(records.slice(first, first + AT_ONCE))
}

const some = <V>(values: fc.Arbitrary<V>) => fc.option(values, { nil: undefined, freq: 2 })
const day = fc.integer({ min: 0, max: 5 * 365 }).map((days) => addDays(TODAY, -days))
const range = (longest: number) =>
  fc.tuple(day, fc.integer({ min: 0, max: longest })).map(([from, days]) => ({ from, to: addDays(from, days) }))
const open = fc.oneof(
  range(400),
  day.map((from) => ({ from })),
  day.map((to) => ({ to })),
)
const words = <W extends string>(...all: readonly W[]) => fc.subarray([...all], { minLength: 1, maxLength: 2 })

const filter: fc.Arbitrary<ChargeFilter> = fc
  .record({
    statuses: some(words('paidwithpix', 'failed', 'cancelled', 'expired', 'pending', 'DELETED')),
    methods: some(words('PIX', 'BOLETO', 'CREDIT_CARD', 'BOLEPIX')),
    clientId: some(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: CLIENTS }))),
    search: some(fc.constantFrom('silva 1', 'zq', 'joaquina')),
    created: some(open),
    due: some(open),
    paid: some(range(45)),
    orderBy: some(fc.constantFrom('createdAt', 'dueDate', 'paymentDate', 'id')),
    orderDir: some(fc.constantFrom('asc', 'desc')),
  })
  // Never all filters at once, which would match almost no charge.
  .chain((whole) => fc.subarray(Object.entries(whole), { maxLength: 4 }).map((kept) => Object.fromEntries(kept)))
const page = fc.record({ perPage: fc.constantFrom(1, 15, 100), at: fc.double({ min: 0, max: 1.1, noNaN: true }) })

/** Asserts that a store lists the same pages as one that reads every record. */
export const assertPages = async (t: ExecutionContext, store: Store, size: number, runs: number): Promise<void> => {
  const plain = memoryPorts({ clock: setClock(NOW) })
  await fillWithCharges(plain.store, size)
  const [found, expected] = [listCharges({ ...plain, store }), listCharges(plain)]
  const listed = async (list: typeof found, asked: ChargeFilter) => {
    const found = await list(actor, asked)()
    if (isLeft(found)) throw new Error(JSON.stringify(found.left))
    return { total: found.right.total, ids: found.right.records.map(({ charge }) => charge.id) }
  }
  const property = fc.asyncProperty(filter, page, async (asked, { perPage, at }) => {
    const { total } = await listed(expected, asked)
    const wanted = { ...asked, perPage, page: 1 + Math.floor((at * total) / perPage) }
    t.deepEqual(await listed(found, wanted), await listed(expected, wanted), JSON.stringify(wanted))
  })
  await fc.assert(property, { numRuns: runs })
}

/** Returns the query with which the list of charges reads its page. */
export const pageQuery = async (filter: ChargeFilter): Promise<Query> => {
  const ports = memoryPorts({ clock: setClock(NOW) })
  const { asked, recorded } = recording(ports.store)
  await listCharges({ ...ports, store: recorded })(actor, filter)()
  const page = asked.find((ask) => ask.kind === 'list' && ask.total)
  if (!page) throw new Error('no page was queried')
  return page
}
