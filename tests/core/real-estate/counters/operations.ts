import { seededRandom } from '../../../../adapters/crypto/random.ts'
import type { Either } from '../../../../core/failure.ts'
import type { Collection, Rec } from '../../../../core/kernel/records/record.ts'
import type { Store } from '../../../../core/ports/store.ts'
import type { RealEstate } from '../../../../core/real-estate/real-estate.ts'
import type { Actor } from '../../../../core/real-estate/real-estate-ports.ts'
import { contracts } from '../../../../core/real-estate/records/contract.ts'
import { payments } from '../../../../core/real-estate/records/payment.ts'
import { brokers, clients } from '../../../../core/real-estate/records/people.ts'
import { condominiums, properties } from '../../../../core/real-estate/records/property.ts'
import { type Proposal, proposals } from '../../../../core/real-estate/records/proposal.ts'
import { everyRecord } from '../../../every-record.ts'
import { cnpjOf } from '../../../simulation/actors/people.ts'

type Removable = Rec & { readonly id: string; readonly removedAt: string | null }

const isAny = (): boolean => true
const UNKNOWN_ID = '00000000-0000-4000-8000-999999999999'

/** Random numbers and records of a store, from a seed. */
export const drawsOf = (seed: number, store: Pick<Store, 'scan'>) => {
  const random = seededRandom(seed)
  let named = 0
  const every = async <R extends Removable>(from: Collection<R>): Promise<readonly R[]> =>
    (await everyRecord(store, from)).filter(({ removedAt }) => removedAt === null)
  const below = (count: number): number => new DataView(random.bytes(4).buffer).getUint32(0, true) % count
  const oneOf = <const A>(of: readonly A[]): A => of[below(of.length)] as A
  const recordIn = async <R extends Removable, N>(from: Collection<R>, none: N, is: (record: R) => boolean = isAny) => {
    const found = (await every(from)).filter(is)
    return found.length === 0 ? none : (found[below(found.length)] as R)
  }
  const idIn = async <R extends Removable>(from: Collection<R>, is?: (record: R) => boolean): Promise<string> =>
    (await recordIn(from, { id: UNKNOWN_ID }, is)).id
  const name = (): string => {
    named += 1
    return `n${named}`
  }
  return {
    /** All records that are not removed. */
    every,
    oneOf,
    /** One of the records that match; `none` if there is none. */
    recordIn,
    /** The id of a record, or an unknown id. */
    idIn,
    maybeIn: async <R extends Removable>(from: Collection<R>) => (below(3) === 0 ? null : idIn(from)),
    /** A new text. */
    name,
    cnpj: () => cnpjOf(below(1_000_000)),
  }
}

export type Draws = ReturnType<typeof drawsOf>

/** The actor, the agency and the random draws of an operation. */
interface Doing {
  readonly agency: RealEstate
  readonly by: Actor
  readonly draws: Draws
}

type Operations = Readonly<Record<string, () => Promise<Either<unknown, unknown>>>>

const ADDRESS = { street: 'Rua A', number: '1', city: 'Santos', state: 'SP', zipCode: '11010000' }
const TERMS = { valueCents: 100, startDate: '2026-12-01', endDate: '2029-05-31', dueDay: 5, indexer: 'IPCA' } as const
const RECEIPT = { method: 'Cash', paidAt: '2026-11-23T13:00:00.000Z', paidValueCents: 90 } as const

const person = ({ name }: Draws) => ({ name: name(), email: `${name()}@example.com` })

const aHouse = async ({ name, oneOf, idIn, maybeIn }: Draws) => ({
  code: name(),
  type: 'House' as const,
  purpose: oneOf(['Lease', 'Sale', 'Both', 'Both']),
  address: ADDRESS,
  rentPriceCents: 100,
  salePriceCents: 100,
  ownerId: await idIn(clients),
  brokerId: await maybeIn(brokers),
  condominiumId: await maybeIn(condominiums),
})

const anOffer = async ({ oneOf, idIn }: Draws) => ({
  type: oneOf(['Lease', 'Sale']),
  propertyId: await idIn(properties),
  clientId: await idIn(clients),
  brokerId: await idIn(brokers),
  proposedValueCents: 100,
  validUntil: '2027-01-01T00:00:00.000Z',
})

const aDeal = async ({ oneOf, idIn, maybeIn }: Draws) => ({
  ...TERMS,
  type: oneOf(['Lease', 'Sale', 'Management']),
  propertyId: await idIn(properties),
  clientId: await idIn(clients),
  brokerId: await maybeIn(brokers),
})

const aRent = async ({ oneOf, idIn }: Draws) => ({
  contractId: await idIn(contracts),
  type: oneOf(['Rent', 'Fine']),
  period: '2027-01',
  valueCents: 100,
  dueDate: '2027-01-05',
})

const NOTHING = { id: '', propertyId: '', clientId: '', brokerId: null, type: 'Lease', proposalId: null } as const
const isUndecided = ({ status }: Proposal): boolean => status === 'UnderReview' || status === 'Negotiating'
const isApproved = ({ status, isConverted }: Proposal): boolean => status === 'Approved' && !isConverted

const listing = ({ agency, by, draws }: Doing, syndicId: string): Operations => ({
  client: () => agency.clients.create(by, { ...person(draws), type: 'Individual', interest: 'Both' })(),
  broker: () => agency.brokers.create(by, { ...person(draws), creci: draws.name(), status: 'Active' })(),
  condominium: () =>
    agency.condominiums.create(by, { name: draws.name(), taxId: draws.cnpj(), syndicId, address: ADDRESS })(),
  property: async () => agency.properties.create(by, await aHouse(draws))(),
  'property told anew': async () => agency.properties.replace(by, await draws.idIn(properties), await aHouse(draws))(),
  'property moved': async () => {
    const status = draws.oneOf(['Available', 'Reserved', 'Rented', 'Sold'])
    return agency.properties.move(by, await draws.idIn(properties), { status })()
  },
})

const dealing = ({ agency, by, draws }: Doing): Operations => ({
  proposal: async () => agency.proposals.create(by, await anOffer(draws))(),
  'proposal told anew': async () => agency.proposals.replace(by, await draws.idIn(proposals), await anOffer(draws))(),
  'proposal moved': async () => {
    const status = draws.oneOf(['Negotiating', 'Negotiating', 'Approved', 'Approved', 'Rejected'])
    return agency.proposals.move(by, await draws.idIn(proposals, isUndecided), { status })()
  },
  'proposal converted': async () => agency.proposals.convert(by, await draws.idIn(proposals, isApproved), TERMS)(),
  'contract of a proposal': async () => {
    const {
      id: proposalId,
      propertyId,
      clientId,
      type,
      brokerId,
    } = await draws.recordIn(proposals, NOTHING, isApproved)
    return agency.contracts.create(by, { ...TERMS, propertyId, clientId, type, brokerId, proposalId })()
  },
  contract: async () => agency.contracts.create(by, await aDeal(draws))(),
  'contract told anew': async () => {
    const { id, propertyId, clientId, type, proposalId } = await draws.recordIn(contracts, NOTHING)
    const sent = { ...TERMS, propertyId, clientId, type, proposalId, brokerId: await draws.maybeIn(brokers) }
    return agency.contracts.replace(by, id, sent)()
  },
  'contract moved': async () => {
    const status = draws.oneOf(['Renewed', 'Terminated', 'Cancelled'])
    return agency.contracts.move(by, await draws.idIn(contracts), { status })()
  },
})

const paying = ({ agency, by, draws }: Doing): Operations => ({
  payment: async () => agency.payments.create(by, await aRent(draws))(),
  'payment told anew': async () => agency.payments.replace(by, await draws.idIn(payments), await aRent(draws))(),
  'payment paid': async () => agency.payments.pay(by, await draws.idIn(payments), RECEIPT)(),
})

const removing = ({ agency, by, draws }: Doing): Operations => ({
  'client removed': async () => agency.clients.remove(by, await draws.idIn(clients))(),
  'broker removed': async () => agency.brokers.remove(by, await draws.idIn(brokers))(),
  'condominium removed': async () => agency.condominiums.remove(by, await draws.idIn(condominiums))(),
  'property removed': async () => agency.properties.remove(by, await draws.idIn(properties))(),
  'proposal removed': async () => agency.proposals.remove(by, await draws.idIn(proposals))(),
  'contract removed': async () => agency.contracts.remove(by, await draws.idIn(contracts))(),
  'payment removed': async () => agency.payments.remove(by, await draws.idIn(payments))(),
})

/** The operations that change references: each acts on random records and may be refused. */
export const operationsOf = (doing: Doing, syndicId: string): Operations => ({
  ...listing(doing, syndicId),
  ...dealing(doing),
  ...paying(doing),
  ...removing(doing),
})
