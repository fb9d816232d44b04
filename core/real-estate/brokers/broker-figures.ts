import type { GroupRow } from '../../kernel/records/tally.ts'
import { all, eq, isIn, not, type Where } from '../../kernel/records/where.ts'
import { groupOf, type Store } from '../../ports/store.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { type Proposal, proposals } from '../records/proposal.ts'

/** What a broker has brought about. Source: 03-real-estate.md, Broker; decisions.md §6 and §10, Figures. */
export interface BrokerFigures {
  /** Of contracts that are neither cancelled nor removed. */
  readonly totalSales: number
  readonly totalLeases: number
  /** Of their proposals, how many became contracts; 4 decimals, 0 of none. */
  readonly conversionRate: number
}

const DECIMALS = 10_000

/** A part of a whole to 4 decimals, half up; 0 of nothing. Source: decisions.md §10, Figures. */
export const shareOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part * DECIMALS) / whole) / DECIMALS

/** What was counted of each broker. */
const byBroker = (rows: readonly GroupRow[]): ReadonlyMap<unknown, readonly GroupRow[]> => {
  const known = new Map<unknown, GroupRow[]>()
  for (const row of rows) {
    const own = known.get(row.by.brokerId)
    if (own) own.push(row)
    else known.set(row.by.brokerId, [row])
  }
  return known
}

const countOf = (rows: readonly GroupRow[] = [], field?: string, is?: unknown): number =>
  rows.reduce((sum, { by, count }) => sum + (field === undefined || by[field] === is ? count : 0), 0)

/** The figures of these brokers, from tallies: two questions for however many, whatever their past. */
export const readBrokerFigures = async (
  store: Store,
  companyId: string,
  brokerIds: readonly string[],
): Promise<ReadonlyMap<string, BrokerFigures>> => {
  const own: Where<'companyId' | 'brokerId'> = all(eq('companyId', companyId), isIn('brokerId', brokerIds))
  const { closed, offered } = await store.read({
    closed: groupOf(contracts, {
      where: all<keyof Contract & string>(own, not(eq('status', 'Cancelled'))),
      when: 'live',
      by: ['brokerId', 'type'],
      sum: [],
    }),
    offered: groupOf(proposals, {
      where: all<keyof Proposal & string>(own),
      when: 'live',
      by: ['brokerId', 'isConverted'],
      sum: [],
    }),
  })
  const [contractsOf, proposalsOf] = [byBroker(closed), byBroker(offered)]
  return new Map(
    brokerIds.map((id) => [
      id,
      {
        totalSales: countOf(contractsOf.get(id), 'type', 'Sale'),
        totalLeases: countOf(contractsOf.get(id), 'type', 'Lease'),
        conversionRate: shareOf(countOf(proposalsOf.get(id), 'isConverted', true), countOf(proposalsOf.get(id))),
      },
    ]),
  )
}
