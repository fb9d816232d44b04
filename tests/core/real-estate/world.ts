import { type SetClock, setClock } from '../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { memoryEstatePorts } from '../../../adapters/memory/memory-ports.ts'
import { type Either, isLeft } from '../../../core/failure.ts'
import type { Collection, Rec } from '../../../core/kernel/records/record.ts'
import { type Fresh, freshOf } from '../../../core/kernel/running/use-case.ts'
import type { NewContract, NewPayment, NewProperty } from '../../../core/real-estate/mod.ts'
import { realEstate } from '../../../core/real-estate/real-estate.ts'
import type { RealEstatePorts } from '../../../core/real-estate/real-estate-ports.ts'
import { everyRecord } from '../../every-record.ts'
import { NOW, right } from '../payments/world.ts'

// The world of a test of the real-estate core. `openAgency` opens a core in memory; its givens are the clients,
// properties and leases that a test begins with, made over the facade. `records.ts` stores records directly.

/** The Admin of an agency. */
export const ADMIN = {
  userId: '00000000-0000-4000-8000-000000000001',
  companyId: '00000000-0000-4000-8000-000000000002',
  role: 'Admin',
  verifiedEmail: null,
} as const

export const codeOf = (outcome: Either<{ readonly code: string }, unknown>) =>
  isLeft(outcome) ? outcome.left.code : null

const ADDRESS = { street: 'Rua A', number: '1', city: 'Santos', state: 'SP', zipCode: '11010000' }
const TERMS = {
  startDate: '2026-12-01',
  endDate: '2029-05-31',
  valueCents: 250_000,
  dueDay: 10,
  indexer: 'IGPM',
} as const

/** The draws of a decision at an instant: seeded chance, and GUIDs from it. */
export const freshAt = (instant = NOW): Fresh => {
  const ids = { draw: () => null, refill: async () => {}, returnIds: async () => {} }
  return freshOf({ clock: setClock(instant), random: seededRandom(7), ids }).fresh
}

interface WorldOptions extends Partial<Omit<RealEstatePorts, 'clock' | 'random'>> {
  readonly clock?: SetClock
  /** The seed of its random numbers. */
  readonly seed?: number
}

/** Opens an agency in memory, with a set clock, and functions that create its records. */
export const openAgency = ({ clock = setClock(NOW), seed = 7, ...instead }: WorldOptions = {}) => {
  const agency = realEstate(memoryEstatePorts({ clock, random: seededRandom(seed), ...instead }))
  const { store } = agency.ports
  let count = 0
  const clientOf = async (email = 'maria@example.com', taxId: string | null = null) => {
    const person = { name: 'Maria', email, taxId, type: 'Individual', interest: 'Both' } as const
    return right(await agency.clients.create(ADMIN, person)())
  }
  const brokerOf = async (email = 'bruno@example.com') => {
    const broker = { name: 'Bruno', creci: `CRECI ${email}`, email, status: 'Active' } as const
    return right(await agency.brokers.create(ADMIN, broker)())
  }
  const propertyOf = async (ownerId: string, over: Partial<NewProperty> = {}) => {
    count += 1
    const home = { type: 'Apartment', purpose: 'Both', address: ADDRESS } as const
    const prices = { rentPriceCents: 250_000, salePriceCents: 50_000_000 }
    return right(await agency.properties.create(ADMIN, { ...home, ...prices, code: `AP-${count}`, ownerId, ...over })())
  }
  /** Tries to create a lease. */
  const tryLease = (parties: Pick<NewContract, 'propertyId' | 'clientId'>, over: Partial<NewContract> = {}) =>
    agency.contracts.create(ADMIN, { type: 'Lease', ...TERMS, ...parties, ...over })()
  /** Creates a lease of a new property for a client with a CPF. */
  const leaseOf = async (over: Partial<NewContract> = {}) => {
    const { id: clientId } = await clientOf(`inquilina${count}@example.com`, count === 0 ? '12345678909' : null)
    const { id: propertyId } = await propertyOf(clientId)
    return right(await tryLease({ propertyId, clientId }, over)).contract
  }
  const rentOf = async (contractId: string, over: Partial<NewPayment> = {}) => {
    const rent = { type: 'Rent', period: '2026-12', valueCents: 250_000, dueDate: '2026-12-10' } as const
    return right(await agency.payments.create(ADMIN, { ...rent, contractId, ...over })())
  }
  return {
    agency,
    clock,
    /** Returns new ids and times, as a decision receives them. */
    fresh: () => freshOf(agency.ports).fresh,
    /** The store and clock, for records that are stored directly. */
    host: { store, clock },
    every: <R extends Rec>(from: Collection<R>) => everyRecord(store, from),
    clientOf,
    brokerOf,
    propertyOf,
    tryLease,
    leaseOf,
    rentOf,
  }
}
