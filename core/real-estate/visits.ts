import { type Either, type Failure, failure, left, right } from '../failure.ts'
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
import { always, type Change, patch } from '../kernel/records/record.ts'
import { acceptMade, plainUseCases, scopeOf } from '../kernel/resources/plain-use-cases.ts'
import type { RecordDecision } from '../kernel/resources/resource.ts'
import { type Fresh, readUseCase, useCase, useCaseOf, withValidInput } from '../kernel/running/use-case.ts'
import type { PageOf, Store } from '../ports/store.ts'
import { recordEvent } from './office.ts'
import { namesOf, type Parties, readPage, readParties } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { CompanyActor, RealEstatePorts } from './real-estate-ports.ts'
import { id, notes, pageFields, timestamps, unchanged } from './records/fields.ts'
import { properties } from './records/property.ts'
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
    remove: ({ companyId }: CompanyActor, id: string) => plainUseCases(visit)(ports).remove({ companyId }, id),
  }),
} satisfies RealEstateModule

export type NewVisit = InputOf<typeof visit.createInput>

/** The new time of a visit. */
export const visitChange = input('VisitChange', { scheduledAt: visitFields.scheduledAt, notes: visitFields.notes })
export type VisitChange = InputOf<typeof visitChange>

export const visitMove = input('VisitMove', {
  status: oneOf(VISIT_STATUSES, { about: 'Nova situação' }),
  checkinDone: nullIfAbsent(flag({ about: 'Se o corretor registrou a chegada; preciso para Done' })),
})
export type VisitMove = InputOf<typeof visitMove>

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
export type VisitFilter = InputOf<typeof visitFilter>

/** A visit with its property, client and broker. */
export interface VisitDetail extends Parties {
  readonly visit: Visit
}

const scope = scopeOf(visit)

const listVisits =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, submitted: VisitFilter) =>
    withValidInput(ports, visitFilter, submitted, ({ page, perPage, search, dateFrom, dateTo, ...where }) =>
      useCaseOf<PageOf<VisitDetail>>()(async () => {
        const { store } = ports
        const days = { ...(dateFrom && { from: dateFrom }), ...(dateTo && { to: dateTo }) }
        const filter = { where, within: { scheduledAt: days }, ...(search !== undefined && { search }) }
        const query = { from: collection, where: scope.where({ companyId }, filter), when: 'live' }
        const listed = await readPage(store, query, { page, perPage })
        const partiesOf = await readParties(store, companyId, listed.records)
        return right({ ...listed, records: listed.records.map((each) => ({ visit: each, ...partiesOf(each) })) })
      }),
    )

const findDetail = async (store: Store, { companyId }: CompanyActor, id: string): Promise<VisitDetail | null> => {
  const found = await scope.find(store, { companyId }, id)
  return found && { visit: found, ...(await readParties(store, companyId, [found]))(found) }
}

const readVisit =
  ({ store }: RealEstatePorts) =>
  (actor: CompanyActor, id: string) =>
    readUseCase('visit.unknown', () => findDetail(store, actor, id))

/** Counts a visit that is created or rescheduled. The removal of its property guards the counter. */
const countVisitWrite = (propertyId: string): Change =>
  patch(properties, propertyId, { add: { visitWrites: 1 }, when: always })

const createVisit =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, submitted: NewVisit) =>
    withValidInput(ports, visit.createInput, submitted, (fields) =>
      useCase(
        ports,
        async (store) => ({
          facts: await visit.readFacts(store, companyId, null, fields),
          parties: (await readParties(store, companyId, [fields]))(fields),
        }),
        ({ facts, parties }, fresh) =>
          acceptMade(
            visit.create(facts, companyId, fields, fresh, namesOf(parties)),
            (record): VisitDetail => ({ visit: record, ...parties }),
            countVisitWrite(fields.propertyId),
          ),
      ),
    )

const CLOSED = failure('conflict', 'visit.closed')
const NO_MOVE = failure('conflict', 'visit.move')
const NO_CHECKIN = failure('conflict', 'visit.checkin-missing')

/** Updates a visit and increments `sequence`, so that of two concurrent changes the second is decided again. */
const update = (record: Visit, set: Partial<Visit>, { now }: Fresh): RecordDecision<Visit> => {
  const fields = { ...set, sequence: record.sequence + 1, updatedAt: now }
  const when = unchanged(record, 'removedAt', 'sequence')
  return { record: { ...record, ...fields }, changes: [patch(collection, record.id, { set: fields, when })] }
}

/** Reschedules a visit that is neither done nor cancelled. */
export const decideReschedule = (
  record: Visit,
  change: Pick<Visit, 'scheduledAt' | 'notes'>,
  fresh: Fresh,
): Either<typeof CLOSED, RecordDecision<Visit>> => {
  if (visitMoves.isFinal(record.status)) return left(CLOSED)
  const decision = update(record, change, fresh)
  return right({ ...decision, changes: [...decision.changes, countVisitWrite(record.propertyId)] })
}

/** Moves a visit; Done requires a check-in. A confirmation is an event. */
export const decideMove = (
  record: Visit,
  { status, checkinDone }: { readonly status: VisitStatus; readonly checkinDone: boolean | null },
  fresh: Fresh,
): Either<typeof NO_MOVE | typeof NO_CHECKIN, RecordDecision<Visit>> => {
  if (!visitMoves.can(record.status, status)) return left(NO_MOVE)
  if (status === 'Done' && checkinDone !== true) return left(NO_CHECKIN)
  const checkin = status === 'Done' ? { checkinDone: true, checkinAt: fresh.now } : {}
  const decision = update(record, { status, ...checkin }, fresh)
  if (status !== 'Confirmed') return right(decision)
  const { companyId, id: subjectId, scheduledAt } = record
  const event = recordEvent(fresh, { companyId, subjectId, type: 'visit.confirmed', data: { scheduledAt } })
  return right({ ...decision, changes: [...decision.changes, event] })
}

const changeVisit = <C extends string>(
  ports: RealEstatePorts,
  actor: CompanyActor,
  id: string,
  decide: (record: Visit, fresh: Fresh) => Either<Failure<C, never>, RecordDecision<Visit>>,
) =>
  useCase<VisitDetail | null, VisitDetail, C | 'visit.unknown'>(
    ports,
    (store) => findDetail(store, actor, id),
    (detail, fresh) =>
      detail
        ? acceptMade(decide(detail.visit, fresh), (record): VisitDetail => ({ ...detail, visit: record }))
        : left(failure('not-found', 'visit.unknown')),
  )

const rescheduleVisit = (ports: RealEstatePorts) => (actor: CompanyActor, id: string, submitted: VisitChange) =>
  withValidInput(ports, visitChange, submitted, (change) =>
    changeVisit(ports, actor, id, (record, fresh) => decideReschedule(record, change, fresh)),
  )

const moveVisit = (ports: RealEstatePorts) => (actor: CompanyActor, id: string, submitted: VisitMove) =>
  withValidInput(ports, visitMove, submitted, (move) =>
    changeVisit(ports, actor, id, (record, fresh) => decideMove(record, move, fresh)),
  )

const property = view(null, { id, code: line({ max: 50, about: 'Código' }) })
const client = view(null, {
  id,
  name: line({ max: 255, about: 'Nome' }),
  phone: nullIfAbsent(line({ max: 20, about: 'Telefone' })),
})
const broker = view(null, { id, name: line({ max: 255, about: 'Nome' }) })

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
  ({ visit: record, ...parties }: VisitDetail) => ({ ...record, ...parties }),
)
