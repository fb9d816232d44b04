import type { InputOf } from '../../kernel/input/input.ts'
import type { Paging } from '../../kernel/input/query.ts'
import { listWithDetails, plainUseCases } from '../../kernel/resources/plain-use-cases.ts'
import { type ResourceFilter, scopeOf } from '../../kernel/resources/scope.ts'
import { mapUseCase, readUseCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Broker, broker } from '../records/broker.ts'
import { withFigures, withoutFigures } from './broker-view.ts'
import { replaceBroker } from './replace-broker.ts'

type In = Pick<Actor, 'companyId'>
export type NewBroker = InputOf<typeof broker.createInput>

/** Who shows properties and closes contracts. */
export const brokers = {
  useCases: (ports: RealEstatePorts) => {
    const plain = plainUseCases(broker)(ports)
    const scope = scopeOf(broker)
    const toldOf = (companyId: string) => (records: readonly Broker[]) => withFigures(ports.store, companyId, records)
    return {
      /**
       * One of the company's brokers, by their id, with their figures.
       * Fails: `broker.unknown`.
       * Source: 03-real-estate.md, Brokers; decisions.md §10, Figures.
       */
      read: ({ companyId }: In, id: string) =>
        readUseCase('broker.unknown', async () => {
          const found = await scope.find(ports.store, { companyId }, id)
          const [detail = null] = await toldOf(companyId)(found ? [found] : [])
          return detail
        }),
      /**
       * A page of the company's brokers with their figures, the newest first. A search looks through name, e-mail and CRECI.
       * Fails: `fields`.
       * Source: 03-real-estate.md, Brokers.
       */
      list: ({ companyId }: In, page: Paging | null, filter: ResourceFilter = {}) =>
        listWithDetails(plain.list({ companyId }, page, filter), toldOf(companyId)),
      /**
       * Makes a broker.
       * Fails: `fields`, `broker.creci.taken`, `broker.email.taken`.
       * Source: 03-real-estate.md, Brokers; decisions.md §10, Fields.
       */
      create: ({ companyId }: In, given: NewBroker) => mapUseCase(plain.create({ companyId }, given), withoutFigures),
      /**
       * Replaces what is told of a broker, their status too: what is left out is as in a new one.
       * Fails: `fields`, `broker.unknown`, `broker.creci.taken`, `broker.email.taken`.
       * Source: 03-real-estate.md, Brokers; decisions.md §10, Fields.
       */
      replace: ({ companyId }: In, id: string, given: NewBroker) =>
        withValidInput(ports, broker.createInput, given, (sent) => replaceBroker(ports)({ companyId }, id, sent)),
      /**
       * Removes a broker: their CRECI and e-mail are free again.
       * Fails: `broker.unknown`, `broker.in-use` (they have active contracts or open proposals).
       * Source: 03-real-estate.md, Brokers; decisions.md §10, States.
       */
      remove: ({ companyId }: In, id: string) => plain.remove({ companyId }, id),
    }
  },
} satisfies RealEstateModule
