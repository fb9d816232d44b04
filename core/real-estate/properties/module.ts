import type { InputOf } from '../../kernel/input/input.ts'
import { withValidInput } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { listProperties } from './read-properties.ts'
import {
  createProperty,
  importProperties,
  moveProperty,
  newProperty,
  propertyMove,
  readProperty,
  removeProperty,
  replaceProperty,
} from './write-properties.ts'

type In = Pick<Actor, 'companyId'>
type By = Pick<Actor, 'companyId' | 'userId'>
export type NewProperty = InputOf<typeof newProperty>
export type PropertyMove = InputOf<typeof propertyMove>

/** What is let or sold. */
export const properties = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * A page of the properties that the actor may see, the newest first: all of the company's, of an owner their own. A
     * search looks through code and address.
     * Fails: `fields`.
     */
    list: listProperties(ports),
    /**
     * A property that the actor may see, with its broker, its owner and the states it has had.
     * Fails: `property.unknown`.
     */
    read: readProperty(ports),
    /**
     * Makes a property, Available; prices are cents, areas square metres.
     * Fails: `fields` (`required` for the price of what it is for, `unknown` for what points at nothing),
     * `property.code.taken`.
     */
    create: ({ companyId, userId }: By, given: NewProperty) =>
      withValidInput(ports, newProperty, given, (sent) => createProperty(ports)({ companyId, userId }, sent)),
    /**
     * Makes the properties of a CSV, each line as if it were created alone, or with `atomic` (at most 500) all or none. Titles
     * are the API's names of fields (`address.city`, `rentPrice` in reais), lists are parted by `|`; what is wrong with a line
     * is told with it, by those names. `ownerId` is the id, CPF or CNPJ of a client. With `dryRun` nothing is stored.
     * Fails: `fields` (`column.unknown`, `repeated`, `required`: of the titles), `import.malformed` (`reason` is the line),
     * `import.too-long` (over 10,000 lines), `import.atomic.too-long`, `import.atomic.too-wide` (they point at too many records).
     */
    import: importProperties(ports),
    /**
     * Replaces what is told of a property, its status apart: what is left out is as in a new one.
     * Fails: `fields`, `property.unknown`, `property.code.taken`, `property.purpose`, `property.owner.let` (an actor who is no
     * Admin changes the owner under an Active contract or a Renewed lease).
     */
    replace: (actor: Pick<Actor, 'companyId' | 'role'>, id: string, given: NewProperty) =>
      withValidInput(ports, newProperty, given, (sent) => replaceProperty(ports)(actor, id, sent)),
    /**
     * Moves a property to another status by hand, and keeps in its history who did it and why.
     * Fails: `fields`, `property.unknown`, `property.move`, `property.purpose` (it is not for that), `property.leased` (to
     * Available under an active lease).
     */
    move: ({ companyId, userId }: By, id: string, given: PropertyMove) =>
      withValidInput(ports, propertyMove, given, (sent) => moveProperty(ports)({ companyId, userId }, id, sent)),
    /**
     * Removes a property: its code is free again.
     * Fails: `property.unknown`, `property.in-use` (it has active contracts, open proposals or visits to come).
     */
    remove: ({ companyId }: In, id: string) => removeProperty(ports)({ companyId }, id),
  }),
} satisfies RealEstateModule
