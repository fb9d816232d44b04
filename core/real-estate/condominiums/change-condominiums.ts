import { isLeft } from '../../fp.ts'
import type { DecodedOf } from '../../kernel/input/input.ts'
import { recordsById } from '../../kernel/resources/list-queries.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import { compareCodePoints } from '../../kernel/values/text.ts'
import type { Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Condominium, condominium } from '../records/condominium.ts'
import type { Property } from '../records/property.ts'
import { type User, users } from '../records/user.ts'
import type { CondominiumDetail, ManagedCondominium } from './condominium-views.ts'
import { type expense, type Split, splitExpense } from './expense-split.ts'
import { readLeasedUnits, readUnits } from './units.ts'

type In = Pick<Actor, 'companyId'>
type NewCondominium = DecodedOf<typeof condominium.createInput>

/** Condominiums with their syndics, read for all of them at once. */
export const withSyndics = async (
  store: Pick<Store, 'list'>,
  companyId: string,
  found: readonly Condominium[],
): Promise<readonly ManagedCondominium[]> => {
  const syndics = await recordsById(
    store,
    users,
    companyId,
    found.map(({ syndicId }) => syndicId),
  )
  return found.map((each) => ({ ...each, syndic: syndics.get(each.syndicId) ?? null }))
}

const syndicOf = async (store: Store, { companyId }: In, { syndicId }: Pick<Condominium, 'syndicId'>) =>
  (await recordsById(store, users, companyId, [syndicId])).get(syndicId) ?? null

const detailOf = (of: Condominium, syndic: User | null, units: readonly Property[]): CondominiumDetail => ({
  ...of,
  syndic,
  units: units.toSorted((a, b) => compareCodePoints(a.code, b.code)),
})

/** A condominium with its syndic and units. */
export const withUnits = async (store: Store, found: Condominium): Promise<CondominiumDetail> =>
  detailOf(found, await syndicOf(store, found, found), await readUnits(store, found.companyId, found.id))

/** Makes a condominium. */
export const createCondominium =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, sent: NewCondominium) =>
    useCase(
      ports,
      async (store) => ({
        facts: await condominium.readFacts(store, companyId, null, sent),
        syndic: await syndicOf(store, { companyId }, sent),
      }),
      ({ facts, syndic }, fresh) => {
        const made = condominium.create(facts, companyId, sent, fresh)
        if (isLeft(made)) return made
        return accept<CondominiumDetail>(detailOf(made.right.record, syndic, []), ...made.right.changes)
      },
    )

/** Replaces what is told of a condominium. */
export const replaceCondominium =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, id: string, sent: NewCondominium) =>
    useCase(
      ports,
      async (store) => ({
        facts: await condominium.readFacts(store, companyId, id, sent),
        syndic: await syndicOf(store, { companyId }, sent),
        units: await readUnits(store, companyId, id),
      }),
      ({ facts, syndic, units }, fresh) => {
        const made = condominium.update(facts, sent, fresh)
        if (isLeft(made)) return made
        return accept<CondominiumDetail>(detailOf(made.right.record, syndic, units), ...made.right.changes)
      },
    )

/** Splits an expense between the units of a condominium that are leased: all of their payments, or none. */
export const splitExpenseOf =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, id: string, sent: DecodedOf<typeof expense>) =>
    useCase(
      ports,
      async (store) => ({
        found: await condominium.find(store, companyId, id),
        units: await readLeasedUnits(store, companyId, id),
      }),
      ({ found, units }, fresh) => {
        const made = splitExpense(found, units, sent, fresh)
        if (isLeft(made)) return made
        const { changes, payments, skipped } = made.right
        return accept<Split>({ payments, skipped }, ...changes)
      },
    )
