import test from 'ava'
import { isRight } from '../../../../core/failure.ts'
import { verifyTallies } from '../../../../core/kernel/running/verify.ts'
import type { RealEstate } from '../../../../core/real-estate/real-estate.ts'
import type { Actor } from '../../../../core/real-estate/real-estate-ports.ts'
import { contracts } from '../../../../core/real-estate/records/contract.ts'
import { payments } from '../../../../core/real-estate/records/payment.ts'
import { brokers, clients } from '../../../../core/real-estate/records/people.ts'
import { condominiums, properties } from '../../../../core/real-estate/records/property.ts'
import { proposals } from '../../../../core/real-estate/records/proposal.ts'
import { FULL, printSeed, SEED } from '../../../size.ts'
import { right } from '../../payments/world.ts'
import { openAgency } from '../world.ts'
import { type Draws, drawsOf, operationsOf } from './operations.ts'

const COMPANY = '7d1c2b3a-0000-4000-8000-00000000000a'
const ROUNDS = FULL ? 10_000 : 1_000
/** Concurrent operations: some are decided again. */
const AT_ONCE = 3
const COUNTED_EVERY = 50

/** An agency in memory, with its Admin and a syndic. */
const openSeeded = async () => {
  const { agency, clock } = openAgency({ seed: SEED })
  const ana = { uid: 'ana', email: 'ana@example.com', emailVerified: true, name: null }
  const register = async (uid: string, role: Actor['role']): Promise<string> => {
    const sent = { firebaseUid: uid, email: `${uid}@example.com`, name: uid, role, companyId: COMPANY }
    return right(await agency.access.register(ana, sent)()).id
  }
  const by: Actor = { userId: await register('ana', 'Admin'), companyId: COMPANY, role: 'Admin', verifiedEmail: null }
  const draws = drawsOf(SEED, agency.ports.store)
  return { agency, by, draws, clock, syndicId: await register('sara', 'Syndic') }
}

/** Counts the records that refer to each record. */
const counted = async ({ every }: Draws) => {
  const [deals, offers, houses, rents] = [
    (await every(contracts)).filter(({ status }) => status === 'Active'),
    (await every(proposals)).filter(({ status, isConverted }) => status !== 'Rejected' && !isConverted),
    await every(properties),
    await every(payments),
  ]
  const of = <R>(records: readonly R[], field: keyof R) => {
    const counts = new Map<unknown, number>()
    for (const each of records) counts.set(each[field], (counts.get(each[field]) ?? 0) + 1)
    return (id: string): number => counts.get(id) ?? 0
  }
  const tenures = deals.filter(({ type }) => type !== 'Management')
  return {
    brokers: { activeContracts: of(deals, 'brokerId'), openProposals: of(offers, 'brokerId') },
    clients: { activeContracts: of(deals, 'clientId'), ownedProperties: of(houses, 'ownerId') },
    condominiums: { linkedProperties: of(houses, 'condominiumId') },
    contracts: { paymentCount: of(rents, 'contractId') },
    properties: {
      activeContracts: of(deals, 'propertyId'),
      activeTenures: of(tenures, 'propertyId'),
      openProposals: of(offers, 'propertyId'),
    },
  }
}

/** Lists the counters that differ from a count, and removed records that others refer to. */
const miscounted = async (draws: Draws): Promise<readonly string[]> => {
  const parents = { brokers, clients, condominiums, contracts, properties } as const
  const expected = await counted(draws)
  const faults: string[] = []
  for (const [name, from] of Object.entries(parents))
    for (const each of await draws.every(from as typeof brokers))
      for (const [field, count] of Object.entries(expected[name as keyof typeof expected]))
        if (each[field as 'openProposals'] !== count(each.id)) faults.push(`${name}.${field} of ${each.id}`)
  return faults
}

/** Counts the figures of brokers. */
const figuresOf = async ({ every }: Draws) => {
  const [deals, offers] = [await every(contracts), await every(proposals)]
  return (await every(brokers)).map(({ id }) => {
    const sold = (type: string) =>
      deals.filter((deal) => deal.brokerId === id && deal.type === type && deal.status !== 'Cancelled').length
    const own = offers.filter(({ brokerId }) => brokerId === id)
    const converted = own.filter(({ isConverted }) => isConverted).length
    const conversionRate = own.length === 0 ? 0 : Math.round((converted * 10_000) / own.length) / 10_000
    return { id, totalSales: sold('Sale'), totalLeases: sold('Lease'), conversionRate }
  })
}

const shownFigures = async (agency: RealEstate, by: Actor) => {
  const { brokers: shown } = right(await agency.dashboard.read(by)())
  return shown.map(({ name: _, ...figures }) => figures)
}

const byId = (all: readonly { readonly id: string }[]) => all.toSorted((a, b) => (a.id < b.id ? -1 : 1))

test('after random operations, all counters and broker figures equal a count', async (t) => {
  printSeed(t)
  const { agency, by, draws, clock, syndicId } = await openSeeded()
  const operations = operationsOf({ agency, by, draws }, syndicId)
  const names = Object.keys(operations)
  const lasting = names.filter((name) => !name.endsWith('removed'))
  const deals = lasting.filter((name) => name.includes('proposal'))
  const done = new Map(names.map((name) => [name, 0]))
  const some = async (): Promise<void> => {
    // Records that are removed as often as created stay few.
    const name = draws.oneOf(draws.oneOf([names, lasting, deals]))
    const answer = await operations[name]?.()
    if (answer && isRight(answer)) done.set(name, (done.get(name) ?? 0) + 1)
  }
  for (let round = 1; round <= ROUNDS; round += 1) {
    await Promise.all(Array.from({ length: AT_ONCE }, some))
    clock.advance(1)
    if (round % COUNTED_EVERY > 0) continue
    t.deepEqual(await miscounted(draws), [], `round ${round}`)
    t.deepEqual(byId(await shownFigures(agency, by)), byId(await figuresOf(draws)), `round ${round}`)
  }
  t.deepEqual((await verifyTallies(agency.ports.store, agency.collections)).faults, [])
  const never = [...done].filter(([, count]) => count === 0).map(([name]) => name)
  t.deepEqual(never, [], 'each of them succeeded at least once')
})
