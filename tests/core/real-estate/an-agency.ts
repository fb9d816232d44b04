import { setClock } from '../../../adapters/clock/set-clock.ts'
import { memoryEstatePorts } from '../../../adapters/memory/memory-ports.ts'
import { type Either, isLeft } from '../../../core/failure.ts'
import type { NewContract, NewPayment, NewProperty } from '../../../core/real-estate/mod.ts'
import { realEstate } from '../../../core/real-estate/real-estate.ts'
import type { RealEstatePorts } from '../../../core/real-estate/real-estate-ports.ts'
import { right } from '../payments/world.ts'

export const NOW = '2026-11-23T13:05:09.123Z'

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

/** Opens an agency in memory, with functions that create its records. */
export const openAgency = (instead: Partial<RealEstatePorts> = {}) => {
  const clock = setClock(NOW)
  const agency = realEstate(memoryEstatePorts({ clock, ...instead }))
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
  return { agency, clock, clientOf, brokerOf, propertyOf, tryLease, leaseOf, rentOf }
}
