import type { InputOf } from '../../kernel/input/input.ts'
import type { Paging } from '../../kernel/input/query.ts'
import { listWithDetails, plainUseCases } from '../../kernel/resources/plain-use-cases.ts'
import { type ResourceFilter, scopeOf } from '../../kernel/resources/scope.ts'
import { readUseCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { condominium } from '../records/condominium.ts'
import { createCondominium, replaceCondominium, splitExpenseOf, withSyndics, withUnits } from './change-condominiums.ts'
import { expense } from './expense-split.ts'

type In = Pick<Actor, 'companyId'>
type Reader = Pick<Actor, 'companyId' | 'userId' | 'role'>
export type NewCondominium = InputOf<typeof condominium.createInput>
export type NewExpense = InputOf<typeof expense>

/** A syndic sees the condominiums that are theirs. Source: 03-real-estate.md, Condominiums. */
const seenBy = ({ companyId, userId, role }: Reader) => (role === 'Syndic' ? { companyId, own: userId } : { companyId })

/** Buildings of several properties, whose expenses are split. */
export const condominiums = {
  useCases: (ports: RealEstatePorts) => {
    const plain = plainUseCases(condominium)(ports)
    const scope = scopeOf(condominium)
    return {
      /**
       * A condominium that the actor may see, by its id, with its syndic and units.
       * Fails: `condominium.unknown`.
       * Source: 03-real-estate.md, Condominiums.
       */
      read: (actor: Reader, id: string) =>
        readUseCase('condominium.unknown', async () => {
          const found = await scope.find(ports.store, seenBy(actor), id)
          return found && withUnits(ports.store, found)
        }),
      /**
       * A page of the condominiums that the actor may see, the newest first. A search looks through name and CNPJ.
       * Fails: `fields`.
       * Source: 03-real-estate.md, Condominiums.
       */
      list: (actor: Reader, page: Paging | null, filter: ResourceFilter = {}) =>
        listWithDetails(plain.list(seenBy(actor), page, filter), (found) =>
          withSyndics(ports.store, actor.companyId, found),
        ),
      /**
       * Makes a condominium.
       * Fails: `fields` (`unknown` for a syndic who is none of the company's), `condominium.taxId.taken`.
       * Source: 03-real-estate.md, Condominiums.
       */
      create: ({ companyId }: In, given: NewCondominium) =>
        withValidInput(ports, condominium.createInput, given, (sent) => createCondominium(ports)({ companyId }, sent)),
      /**
       * Replaces what is told of a condominium: what is left out is as in a new one.
       * Fails: `fields`, `condominium.unknown`, `condominium.taxId.taken`.
       * Source: 03-real-estate.md, Condominiums.
       */
      replace: ({ companyId }: In, id: string, given: NewCondominium) =>
        withValidInput(ports, condominium.createInput, given, (sent) =>
          replaceCondominium(ports)({ companyId }, id, sent),
        ),
      /**
       * Removes a condominium: its CNPJ is free again.
       * Fails: `condominium.unknown`, `condominium.in-use` (properties are its units).
       * Source: 03-real-estate.md, Condominiums.
       */
      remove: ({ companyId }: In, id: string) => plain.remove({ companyId }, id),
      /**
       * Splits an expense, in cents, between the units that have an active lease: a payment of type Condo for each, by ideal
       * fraction where each of them has one (a unit of fraction 0 owes nothing), else in equal shares; the cents that are left
       * go to the first ones by code.
       * Fails: `fields`, `condominium.unknown`, `condominium.not-leased`, `condominium.share-too-small` (less than a cent),
       * `condominium.too-many-units` (more than 490 leased ones: all of an expense is one commit).
       * Source: 03-real-estate.md, Condominiums; decisions.md §6, Expense split.
       */
      splitExpense: ({ companyId }: In, id: string, given: NewExpense) =>
        withValidInput(ports, expense, given, (sent) => splitExpenseOf(ports)({ companyId }, id, sent)),
    }
  },
} satisfies RealEstateModule
