import { type Either, type Failure, failure, isLeft, left, right } from '../failure.ts'
import {
  flag,
  type InputOf,
  input,
  inQuery,
  instant,
  line,
  notBefore,
  nullIfAbsent,
  oneOf,
  output,
  view,
} from '../kernel/input/mod.ts'
import { all, always, type Change, eq, patch } from '../kernel/records/record.ts'
import { acceptMade, plainUseCases, scopeOf } from '../kernel/resources/plain-use-cases.ts'
import { accept, type Fresh, readUseCase, useCase, useCaseOf, withValidInput } from '../kernel/running/use-case.ts'
import type { PageOf, Store } from '../ports/store.ts'
import { recordEvent } from './office.ts'
import { namesOf, type Parties, readPage, readParties } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, RealEstatePorts } from './real-estate-ports.ts'
import { id, notes, pageFields, timestamps } from './records/fields.ts'
import type { Broker, Client } from './records/people.ts'
import { type Property, properties } from './records/property.ts'
import {
  visits as collection,
  VISIT_STATUSES,
  type Visit,
  type VisitStatus,
  visit,
  visitFields,
  visitMoves,
} from './records/visit.ts'

/** The visits of clients to properties. */
export const visits = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Returns a page of the company's visits, newest first; days are those of São Paulo, both included. The search
     * covers property code and client name.
     * Fails: `fields`.
     */
    list: listVisits(ports),
    /**
     * Returns a visit of the company with its property, client and broker.
     * Fails: `visit.unknown`.
     */
    read: readVisit(ports),
    /**
     * Schedules a visit.
     * Fails: `fields` (`unknown` references).
     */
    create: createVisit(ports),
    /**
     * Reschedules a visit; missing notes are cleared.
     * Fails: `fields`, `visit.unknown`, `visit.closed` (it is Done or Cancelled).
     */
    replace: rescheduleVisit(ports),
    /**
     * Moves a visit to another status.
     * Fails: `fields`, `visit.unknown`, `visit.move`, `visit.checkin-missing` (Done requires `checkinDone`).
     */
    move: moveVisit(ports),
    /**
     * Removes a visit.
     * Fails: `visit.unknown`.
     */
    remove: ({ companyId }: Pick<Actor, 'companyId'>, id: string) =>
      plainUseCases(visit)(ports).remove({ companyId }, id),
  }),
} satisfies RealEstateModule

/** The new time of a visit. */
export const visitChange = input('VisitChange', { scheduledAt: visitFields.scheduledAt, notes: visitFields.notes })

export const visitMove = input('VisitMove', {
  status: oneOf(VISIT_STATUSES, { about: 'Nova situação' }),
  checkinDone: nullIfAbsent(flag({ about: 'Se o corretor registrou a chegada; preciso para Done' })),
})

/** The filter of a list of visits; days are those of São Paulo, both included. */
export const visitFilter = input(
  'VisitFilter',
  {
    ...pageFields,
    search: inQuery.text({ about: 'Código do imóvel ou nome do cliente' }),
    status: inQuery.oneOf(VISIT_STATUSES, { about: 'Situação' }),
    brokerId: inQuery.guid({ about: 'Identificador do corretor' }),
    propertyId: inQuery.guid({ about: 'Identificador do imóvel' }),
    dateFrom: inQuery.day({ about: 'Marcadas desde este dia' }),
    dateTo: inQuery.day({ about: 'Marcadas até este dia' }),
  },
  notBefore('dateTo', 'dateFrom'),
)

export type VisitChange = InputOf<typeof visitChange>
export type VisitMove = InputOf<typeof visitMove>
export type VisitFilter = InputOf<typeof visitFilter>

/** A visit with its property, client and broker. */
export interface VisitDetail extends Parties {
  readonly visit: Visit
}

const scope = scopeOf(visit)

const listVisits =
  (ports: RealEstatePorts) =>
  ({ companyId }: Pick<Actor, 'companyId'>, given: VisitFilter) =>
    withValidInput(ports, visitFilter, given, (filter) =>
      useCaseOf<PageOf<VisitDetail>>()(async () => {
        const { store } = ports
        const { page, perPage, search, dateFrom, dateTo, ...where } = filter
        const within = { ...(dateFrom && { from: dateFrom }), ...(dateTo && { to: dateTo }) }
        const query = { where, within: { scheduledAt: within }, ...(search !== undefined && { search }) }
        const of = { from: collection, where: scope.where({ companyId }, query), when: 'live' }
        const listed = await readPage(store, of, { page, perPage })
        const partiesOf = await readParties(store, companyId, listed.records)
        return right({ ...listed, records: listed.records.map((each) => ({ visit: each, ...partiesOf(each) })) })
      }),
    )

type VisitMade = { readonly visit: Visit; readonly changes: readonly Change[] }

const CLOSED = failure('conflict', 'visit.closed')
const NO_MOVE = failure('conflict', 'visit.move')
const NO_CHECKIN = failure('conflict', 'visit.checkin-missing')

/** Counts a future visit of a property; the removal of the property guards the counter. */
const countVisit = (propertyId: string): Change =>
  patch(properties, propertyId, { add: { visitWrites: 1 }, when: always })

/** Each change increments `sequence`: of two concurrent changes the second is decided again. */
const changed = (visit: Visit, set: Partial<Visit>, { now }: Fresh): VisitMade => {
  const more = { ...set, sequence: visit.sequence + 1, updatedAt: now }
  const when = all(eq('removedAt', null), eq('sequence', visit.sequence))
  return { visit: { ...visit, ...more }, changes: [patch(collection, visit.id, { set: more, when })] }
}

/** Reschedules a visit that is neither done nor cancelled. */
export const rescheduled = (
  visit: Visit,
  sent: Pick<Visit, 'scheduledAt' | 'notes'>,
  fresh: Fresh,
): Either<typeof CLOSED, VisitMade> => {
  if (visitMoves.isFinal(visit.status)) return left(CLOSED)
  const made = changed(visit, sent, fresh)
  return right({ ...made, changes: [...made.changes, countVisit(visit.propertyId)] })
}

/** Moves a visit; Done requires a check-in. */
export const moved = (
  visit: Visit,
  { status, checkinDone }: { readonly status: VisitStatus; readonly checkinDone: boolean | null },
  fresh: Fresh,
): Either<typeof NO_MOVE | typeof NO_CHECKIN, VisitMade> => {
  if (!visitMoves.can(visit.status, status)) return left(NO_MOVE)
  if (status === 'Done' && checkinDone !== true) return left(NO_CHECKIN)
  const checkin = status === 'Done' ? { checkinDone: true, checkinAt: fresh.now } : {}
  const made = changed(visit, { status, ...checkin }, fresh)
  if (status !== 'Confirmed') return right(made)
  const { companyId, id, scheduledAt } = visit
  const event = recordEvent(fresh, { companyId, subjectId: id, type: 'visit.confirmed', data: { scheduledAt } })
  return right({ ...made, changes: [...made.changes, event] })
}

type In = Pick<Actor, 'companyId'>
export type NewVisit = InputOf<typeof visit.createInput>

const detailAt = async (store: Store, { companyId }: In, id: string): Promise<VisitDetail | null> => {
  const found = await scope.find(store, { companyId }, id)
  return found && { visit: found, ...(await readParties(store, companyId, [found]))(found) }
}

const readVisit =
  ({ store }: RealEstatePorts) =>
  (actor: In, id: string) =>
    readUseCase('visit.unknown', () => detailAt(store, actor, id))

const createVisit =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, given: NewVisit) =>
    withValidInput(ports, visit.createInput, given, (sent) =>
      useCase(
        ports,
        async (store) => ({
          facts: await visit.readFacts(store, companyId, null, sent),
          parties: (await readParties(store, companyId, [sent]))(sent),
        }),
        ({ facts, parties }, fresh) =>
          acceptMade(
            visit.create(facts, companyId, sent, fresh, namesOf(parties)),
            (record): VisitDetail => ({ visit: record, ...parties }),
            countVisit(sent.propertyId),
          ),
      ),
    )

const changeVisit = <C extends string>(
  ports: RealEstatePorts,
  actor: In,
  id: string,
  rule: (of: Visit, fresh: Fresh) => Either<Failure<C, never>, VisitMade>,
) =>
  useCase<VisitDetail | null, VisitDetail, C | 'visit.unknown'>(
    ports,
    (store) => detailAt(store, actor, id),
    (found, fresh) => {
      if (!found) return left(failure('not-found', 'visit.unknown'))
      const made = rule(found.visit, fresh)
      if (isLeft(made)) return made
      const { visit: changed, changes } = made.right
      return accept<VisitDetail>({ ...found, visit: changed }, ...changes)
    },
  )

const rescheduleVisit = (ports: RealEstatePorts) => (actor: In, id: string, given: VisitChange) =>
  withValidInput(ports, visitChange, given, (sent) =>
    changeVisit(ports, actor, id, (found, fresh) => rescheduled(found, sent, fresh)),
  )

const moveVisit = (ports: RealEstatePorts) => (actor: In, id: string, given: VisitMove) =>
  withValidInput(ports, visitMove, given, (sent) =>
    changeVisit(ports, actor, id, (found, fresh) => moved(found, sent, fresh)),
  )

const property = view(null, { id, code: line({ max: 50, about: 'Código' }) }, (of: Property) => of)
const client = view(
  null,
  { id, name: line({ max: 255, about: 'Nome' }), phone: nullIfAbsent(line({ max: 20, about: 'Telefone' })) },
  (of: Client) => of,
)
const broker = view(null, { id, name: line({ max: 255, about: 'Nome' }) }, (of: Broker) => of)

export const visitView = view(
  'Visit',
  {
    id,
    scheduledAt: instant({ about: 'Quando será' }),
    status: oneOf(VISIT_STATUSES, { about: 'Situação' }),
    checkinDone: flag({ about: 'Se o corretor registrou a chegada' }),
    checkinAt: nullIfAbsent(instant({ about: 'Quando o corretor registrou a chegada' })),
    notes,
    property: nullIfAbsent(output.view(property, { about: 'O imóvel' })),
    client: nullIfAbsent(output.view(client, { about: 'O cliente' })),
    broker: nullIfAbsent(output.view(broker, { about: 'O corretor' })),
    ...timestamps,
  },
  ({ visit, ...referred }: VisitDetail) => ({ ...visit, ...referred }),
)
