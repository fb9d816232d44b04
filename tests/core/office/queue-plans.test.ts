import test from 'ava'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import type { Queue, Skipped } from '../../../core/kernel/running/queue.ts'
import { outbox } from '../../../core/payments/events.ts'
import { paymentsCollections, parts as paymentsParts } from '../../../core/payments/payments.ts'
import type { Query, Store } from '../../../core/ports/store.ts'
import * as estate from '../../../core/real-estate/office.ts'
import { parts as estateParts, realEstateCollections } from '../../../core/real-estate/real-estate.ts'
import { openSqlite, recording } from '../observed-store.ts'
import { openPayments } from '../payments/world.ts'
import { openAgency } from '../real-estate/world.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const SKIPPED: Skipped = {
  hosts: [
    ['a.test', 1],
    ['b.test', 2],
  ],
  owners: [1, 2, 3],
  postponed: [9],
}

const SKIP_FIELDS = ['accountId', 'companyId', 'tenantId', 'host'] as const

/** Reports whether a query skips records by this field: by a list of values, or by hosts of owners. */
const skipsBy = (query: Query, field: string): boolean =>
  [`"in":["${field}",`, `"eq":["host","a.test"]},{"eq":["${field}",`].some((each) =>
    JSON.stringify(query).includes(each),
  )

type QueuesOf = (store: Store) => readonly Queue[]

const ofPayments: QueuesOf = (store) => {
  const { ports } = openPayments({ store })
  return [outbox.queue(ports, []), ...paymentsParts.flatMap(({ queues }) => queues?.(ports) ?? [])]
}

const ofEstate: QueuesOf = (store) => {
  const { ports } = openAgency({ store }).agency
  return [estate.outbox.queue(ports, []), ...estateParts.flatMap(({ queues }) => queues?.(ports) ?? [])]
}

const businesses: readonly (readonly [string, readonly AnyCollection[], QueuesOf])[] = [
  ['payments', paymentsCollections, ofPayments],
  ['real estate', realEstateCollections, ofEstate],
]

for (const [business, collections, queuesOf] of businesses) {
  test(`each queue of ${business} finds due records by its index, also if it skips owners and hosts`, async (t) => {
    const store = await openSqlite(t, collections)
    const { asked, recorded } = recording(store)
    const queues = queuesOf(recorded)
    for (const queue of queues) {
      await queue.due(recorded, NOW, 16)
      await queue.due(recorded, NOW, 16, SKIPPED)
    }
    t.is(asked.length, 2 * queues.length)
    for (const query of asked) {
      const plan = await store.explain(query)
      t.regex(plan, /SEARCH \S+ USING INDEX \S+ \((\w+=\? AND )?f_dueAt<\?\)/, plan)
      t.notRegex(plan, /TEMP B-TREE/, plan)
      // The index includes the field, so that skipped records are not read.
      for (const field of SKIP_FIELDS.filter((each) => skipsBy(query, each)))
        t.regex(plan, new RegExp(`_index_\\S*_${field}_\\S* \\(`), plan)
    }
  })
}
