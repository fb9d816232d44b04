import type { Collection } from '../../kernel/records/collection.ts'
import type { Field, Rec } from '../../kernel/records/record.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { all, eq, gte, isIn, lte, type Where } from '../../kernel/records/where.ts'
import { addDays, addMonths, type Day } from '../../kernel/values/day.ts'
import { type Group, groupOf, type Store } from '../../ports/store.ts'
import type { BrokerFigures } from '../brokers/broker-figures.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { type Payment, payments } from '../records/payment.ts'
import { properties } from '../records/property.ts'
import { proposals } from '../records/proposal.ts'
import { visits } from '../records/visit.ts'

/** How many months of revenue are shown, the current one last. Source: 03-real-estate.md, Dashboard. */
const MONTHS = 5
/** How soon a contract ends of which people are told. Source: 03-real-estate.md, Limits. */
export const EXPIRING_DAYS = 30

/** Whose dashboard it is: the company's, or a broker's own part of it; null for a broker without a record. */
export interface Sight {
  readonly companyId: string
  /** Left out where all of the company is seen. */
  readonly brokerId?: string | null
}

/** Everything that is counted for a dashboard, as it was counted. */
export interface CountedFigures {
  readonly properties: readonly GroupRow[]
  readonly contracts: readonly GroupRow[]
  readonly expiring: readonly GroupRow[]
  readonly proposals: readonly GroupRow[]
  readonly visits: readonly GroupRow[]
  readonly owed: readonly GroupRow[]
  readonly revenue: readonly GroupRow[]
}

const monthOf = (day: Day): string => day.slice(0, 7)

/** The months whose revenue is shown, the oldest first. */
export const shownMonths = (today: Day): readonly string[] =>
  Array.from({ length: MONTHS }, (_, index) => monthOf(addMonths(today, index + 1 - MONTHS)))

/** Of a broker's own records, or of the company's. */
const within = <F extends string>({ companyId, brokerId }: Sight, ...more: readonly Where<F>[]) =>
  all<F | 'companyId' | 'brokerId'>(
    eq('companyId', companyId),
    ...(brokerId === undefined ? [] : [eq<'brokerId'>('brokerId', brokerId)]),
    ...more,
  )

type Tenant = Rec & { readonly companyId: string; readonly brokerId: string | null; readonly status: string }

const byStatus = <R extends Tenant>(from: Collection<R>, sight: Sight): Group<R> =>
  groupOf(from, { where: within(sight) as Where<Field<R>>, when: 'live', by: ['status'], sum: [] })

/** What a dashboard counts: all of it by tallies, so that it costs the same whatever the past. */
export const readFigures = async (store: Store, sight: Sight, today: Day): Promise<CountedFigures> => {
  const soon = [gte<keyof Contract & string>('endDate', today), lte('endDate', addDays(today, EXPIRING_DAYS))]
  const own = eq<keyof Payment & string>('companyId', sight.companyId)
  const { owed, revenue, ...counted } = await store.read({
    properties: byStatus(properties, sight),
    contracts: byStatus(contracts, sight),
    expiring: groupOf(contracts, { where: within(sight, ...soon), when: 'active', by: [], sum: [] }),
    proposals: byStatus(proposals, sight),
    visits: byStatus(visits, sight),
    owed: groupOf(payments, { where: own, when: 'live', by: ['status'], sum: ['valueCents'] }),
    revenue: groupOf(payments, {
      where: all(own, eq('status', 'Paid'), isIn('paidMonth', shownMonths(today))),
      when: 'live',
      by: ['paidMonth'],
      sum: ['paidValueCents'],
    }),
  })
  // A broker sees no figures of money.
  return sight.brokerId === undefined ? { ...counted, owed, revenue } : { ...counted, owed: [], revenue: [] }
}

/** A broker's row of the dashboard. */
export interface ShownBroker extends BrokerFigures {
  readonly id: string
  readonly name: string
}
