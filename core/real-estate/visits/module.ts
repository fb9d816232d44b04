import { plainUseCases } from '../../kernel/resources/plain-use-cases.ts'
import type { Actor } from '../actor.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { visit } from '../records/visit.ts'
import { createVisit, moveVisit, readVisit, rescheduleVisit } from './change-visits.ts'
import { listVisits } from './list-visits.ts'

/** When clients are shown properties. */
export const visits = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * A page of the company's visits, the newest first; days are those of São Paulo, both included. A search looks through
     * the property's code and the client's name.
     * Fails: `fields`.
     * Source: 03-real-estate.md, Visits; decisions.md §10, Lists.
     */
    list: listVisits(ports),
    /**
     * One of the company's visits, with its property, client and broker.
     * Fails: `visit.unknown`.
     * Source: 03-real-estate.md, Visits.
     */
    read: readVisit(ports),
    /**
     * Schedules a visit.
     * Fails: `fields` (`unknown` for what points at nothing in the company).
     * Source: 03-real-estate.md, Visits.
     */
    create: createVisit(ports),
    /**
     * Gives a visit another time; notes that are left out are none.
     * Fails: `fields`, `visit.unknown`, `visit.closed` (it is Done or Cancelled).
     * Source: 03-real-estate.md, Visits; decisions.md §10, States.
     */
    replace: rescheduleVisit(ports),
    /**
     * Moves a visit to another status.
     * Fails: `fields`, `visit.unknown`, `visit.move`, `visit.checkin-missing` (Done asks for `checkinDone`).
     * Source: 03-real-estate.md, States and transitions.
     */
    move: moveVisit(ports),
    /**
     * Removes a visit.
     * Fails: `visit.unknown`.
     * Source: 03-real-estate.md, Visits.
     */
    remove: ({ companyId }: Pick<Actor, 'companyId'>, id: string) =>
      plainUseCases(visit)(ports).remove({ companyId }, id),
  }),
} satisfies RealEstateModule
