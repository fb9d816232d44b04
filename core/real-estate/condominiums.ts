import { email, type InputOf, line, nullIfAbsent, oneOf, output, type Paging, view } from '../kernel/input/mod.ts'
import {
  acceptMade,
  listWithDetails,
  plainUseCases,
  type ResourceFilter,
  scopeOf,
} from '../kernel/resources/plain-use-cases.ts'
import { recordsById } from '../kernel/resources/queries.ts'
import { readUseCase, useCase, withValidInput } from '../kernel/running/use-case.ts'
import { compareCodePoints } from '../kernel/values/text.ts'
import type { Store } from '../ports/store.ts'
import { expense, readLeasedUnits, readUnits, splitExpense } from './expense-split.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, CompanyActor, RealEstatePorts } from './real-estate-ports.ts'
import { createdAt, id } from './records/fields.ts'
import { type User, users } from './records/people.ts'
import {
  type Condominium,
  condominium,
  condominiumFields,
  PROPERTY_STATUSES,
  type Property,
} from './records/property.ts'

type Reader = Pick<Actor, 'companyId' | 'userId' | 'role'>
export type NewCondominium = InputOf<typeof condominium.createInput>
export type NewExpense = InputOf<typeof expense>

/** Limits a Syndic to their own condominiums. */
const scopeFor = ({ companyId, userId, role }: Reader) =>
  role === 'Syndic' ? { companyId, own: userId } : { companyId }

/** Buildings of several properties, whose expenses are split. */
export const condominiums = {
  useCases: (ports: RealEstatePorts) => {
    const plain = plainUseCases(condominium)(ports)
    const scope = scopeOf(condominium)
    return {
      /**
       * Returns a condominium that the actor may see, with its syndic and units.
       * Fails: `condominium.unknown`.
       */
      read: (actor: Reader, id: string) =>
        readUseCase('condominium.unknown', async () => {
          const found = await scope.find(ports.store, scopeFor(actor), id)
          return found && readDetail(ports.store, found)
        }),
      /**
       * Returns a page of the condominiums that the actor may see, newest first. The search covers name,
       * CNPJ and phone.
       * Fails: `fields`.
       */
      list: (actor: Reader, page: Paging | null, filter: ResourceFilter = {}) =>
        listWithDetails(plain.list(scopeFor(actor), page, filter), (found) =>
          withSyndics(ports.store, actor.companyId, found),
        ),
      /**
       * Creates a condominium.
       * Fails: `fields` (`unknown` for a syndic who is no Syndic of the company), `condominium.taxId.taken`.
       */
      create: ({ companyId }: CompanyActor, submitted: NewCondominium) =>
        withValidInput(ports, condominium.createInput, submitted, (fields) =>
          useCase(
            ports,
            async (store) => ({
              facts: await condominium.readFacts(store, companyId, null, fields),
              syndic: await readSyndic(store, companyId, fields),
            }),
            ({ facts, syndic }, fresh) =>
              acceptMade(condominium.create(facts, companyId, fields, fresh), (record) =>
                withDetails(record, syndic, []),
              ),
          ),
        ),
      /**
       * Replaces the fields of a condominium; missing fields take their defaults.
       * Fails: `fields`, `condominium.unknown`, `condominium.taxId.taken`.
       */
      replace: ({ companyId }: CompanyActor, id: string, submitted: NewCondominium) =>
        withValidInput(ports, condominium.createInput, submitted, (fields) =>
          useCase(
            ports,
            async (store) => ({
              facts: await condominium.readFacts(store, companyId, id, fields),
              syndic: await readSyndic(store, companyId, fields),
              units: await readUnits(store, companyId, id),
            }),
            ({ facts, syndic, units }, fresh) =>
              acceptMade(condominium.update(facts, fields, fresh), (record) => withDetails(record, syndic, units)),
          ),
        ),
      /**
       * Removes a condominium and frees its CNPJ.
       * Fails: `condominium.unknown`, `condominium.in-use` (it has units).
       */
      remove: ({ companyId }: CompanyActor, id: string) => plain.remove({ companyId }, id),
      /**
       * Splits an expense, in cents, among the units with an active lease: a payment of type Condo for each. The shares
       * follow the ideal fractions if every unit has one (a unit of fraction 0 owes nothing), else they are equal;
       * left-over cents go to the first units by code.
       * Fails: `fields`, `condominium.unknown`, `condominium.not-leased`, `condominium.share-too-small` (less than a
       * cent), `condominium.too-many-units` (more than 490 leased ones: an expense is one commit).
       */
      splitExpense: ({ companyId }: CompanyActor, id: string, submitted: NewExpense) =>
        withValidInput(ports, expense, submitted, (request) =>
          useCase(
            ports,
            async (store) => ({
              found: await condominium.find(store, companyId, id),
              units: await readLeasedUnits(store, companyId, id),
            }),
            ({ found, units }, fresh) => splitExpense(found, units, request, fresh),
          ),
        ),
    }
  },
} satisfies RealEstateModule

/** A condominium with its syndic; null if the user does not exist. */
export type ManagedCondominium = Condominium & { readonly syndic: User | null }

/** A condominium with its syndic and units. */
export type CondominiumDetail = ManagedCondominium & { readonly units: readonly Property[] }

const syndic = view(null, { id, name: line({ max: 255, about: 'Nome' }), email: email({ about: 'E-mail' }) })

const unit = view(null, {
  id,
  code: line({ max: 50, about: 'Código' }),
  status: oneOf(PROPERTY_STATUSES, { about: 'Situação' }),
})

const { syndicId: _, ...own } = condominiumFields

const listed = {
  id,
  ...own,
  syndic: nullIfAbsent(output.view(syndic, { about: 'O síndico' })),
  totalUnits: output.count({ about: 'Imóveis que são suas unidades' }),
  createdAt,
}

export const condominiumView = view('ListedCondominium', listed, (of: ManagedCondominium) => ({
  ...of,
  totalUnits: of.linkedProperties,
}))

/** A condominium as the API shows it by itself. */
export const condominiumDetailView = view(
  'Condominium',
  { ...listed, properties: output.views(unit, { about: 'As unidades, por código' }) },
  (of: CondominiumDetail) => ({ ...of, properties: of.units, totalUnits: of.linkedProperties }),
)

const withSyndics = async (
  store: Pick<Store, 'list'>,
  companyId: string,
  found: readonly Condominium[],
): Promise<readonly ManagedCondominium[]> => {
  const syndicIds = found.map(({ syndicId }) => syndicId)
  const syndics = await recordsById(store, users, companyId, syndicIds)
  return found.map((each) => ({ ...each, syndic: syndics.get(each.syndicId) ?? null }))
}

const readSyndic = async (store: Store, companyId: string, { syndicId }: Pick<Condominium, 'syndicId'>) =>
  (await recordsById(store, users, companyId, [syndicId])).get(syndicId) ?? null

const withDetails = (record: Condominium, syndic: User | null, units: readonly Property[]): CondominiumDetail => ({
  ...record,
  syndic,
  units: units.toSorted((a, b) => compareCodePoints(a.code, b.code)),
})

const readDetail = async (store: Store, record: Condominium): Promise<CondominiumDetail> => {
  const { companyId, id } = record
  return withDetails(record, await readSyndic(store, companyId, record), await readUnits(store, companyId, id))
}
