import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { listProperties } from './read-properties.ts'
import {
  createProperty,
  importProperties,
  moveProperty,
  readProperty,
  removeProperty,
  replaceProperty,
} from './write-properties.ts'

/** The properties of a company, to let or to sell. */
export const properties = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Returns a page of the properties that the actor may see, newest first; owners see their own. The search covers
     * code and address.
     * Fails: `fields`.
     */
    list: listProperties(ports),
    /**
     * Returns a property that the actor may see, with its broker, owner and status history.
     * Fails: `property.unknown`.
     */
    read: readProperty(ports),
    /**
     * Creates a property with the status Available; prices are cents, areas square metres.
     * Fails: `fields` (`required` for the price of its purpose, `unknown` references), `property.code.taken`.
     */
    create: createProperty(ports),
    /**
     * Imports properties from a CSV, each line as in `create`; with `atomic` (at most 500 lines) all or none. Titles
     * are the API's field names (`address.city`, `rentPrice` in reais), lists are separated by `|`, and issues of a
     * line name its columns. `ownerId` is the id, CPF or CNPJ of a client. With `dryRun` nothing is stored.
     * Fails: `fields` (`column.unknown`, `repeated`, `required`: of the titles), `import.malformed` (`reason` is the
     * line), `import.too-long` (over 10,000 lines), `import.atomic.too-long`, `import.atomic.too-wide` (references to
     * too many records).
     */
    import: importProperties(ports),
    /**
     * Replaces the fields of a property except its status; missing fields take their defaults.
     * Fails: `fields`, `property.unknown`, `property.code.taken`, `property.purpose`, `property.owner.let` (by an actor
     * without the role Admin, under an Active contract or a Renewed lease).
     */
    replace: replaceProperty(ports),
    /**
     * Moves a property to another status by hand, and adds the user and the reason to its history.
     * Fails: `fields`, `property.unknown`, `property.move`, `property.purpose` (the status contradicts it),
     * `property.leased` (to Available under an active lease).
     */
    move: moveProperty(ports),
    /**
     * Removes a property and frees its code.
     * Fails: `property.unknown`, `property.in-use` (it has active contracts, open proposals or future visits).
     */
    remove: removeProperty(ports),
  }),
} satisfies RealEstateModule
