import { conflict, type Either, type Failure, failure, invalid, isLeft, issue, left, right } from '../failure.ts'
import { guid, type InputOf, input, nullIfAbsent } from '../kernel/input/mod.ts'
import {
  all,
  always,
  type Collection,
  check,
  eq,
  gte,
  insert,
  lt,
  patch,
  record,
  t,
  type Where,
} from '../kernel/records/record.ts'
import { accept, randomCode, readUseCase, useCase, withValidInput } from '../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../kernel/values/day.ts'
import { MAX_PAGE } from '../limits.ts'
import { byId, byKey, listOf, type Store } from '../ports/store.ts'
import { ownBroker, readParties } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, RealEstatePorts } from './real-estate-ports.ts'
import { type Broker, broker } from './records/people.ts'
import { type Visit, visits } from './records/visit.ts'
import type { VisitDetail } from './visits.ts'

const calendarLink = record({
  /** The id of the broker whose visits it shows. */
  id: t.string,
  companyId: t.string,
  /** The digest of the token that opens the calendar; the token itself is not stored. */
  tokenDigest: t.string,
  createdAt: t.string,
  updatedAt: t.string,
})

/** The link to a broker's calendar; a broker has one at a time. */
export type CalendarLink = t.TypeOf<typeof calendarLink>

export const calendarLinks: Collection<CalendarLink> = {
  name: 'estate.calendar-links',
  ids: 'text',
  codec: calendarLink,
  owner: 'companyId',
  keys: { token: ({ tokenDigest }) => tokenDigest },
}

const TOKEN_LENGTH = 40
/** The age of the oldest visits in a calendar: 90 days. */
const PAST_SECONDS = 7_776_000

/** The broker whose calendar the link opens. */
export const newCalendarLink = input('NewCalendarLink', {
  brokerId: nullIfAbsent(guid({ about: 'Identificador do corretor; preciso para administradores' })),
})

export type NewCalendarLink = InputOf<typeof newCalendarLink>
type CalendarActor = Pick<Actor, 'companyId' | 'role' | 'verifiedEmail'>

type LinkFailure = Failure<'fields' | 'calendar.brokerless' | 'calendar.not-own', 'required' | 'unknown'>

/** Returns the broker whose calendar the actor may open: a broker only their own, an Admin that of any. */
const brokerFor = (
  { role }: Pick<CalendarActor, 'role'>,
  brokerId: string | null,
  own: Broker | null,
  named: Broker | null,
): Either<LinkFailure, Broker> => {
  if (role === 'Admin' && named) return right(named)
  if (role === 'Admin') return left(invalid([issue('brokerId', brokerId === null ? 'required' : 'unknown')]))
  if (own === null) return conflict('calendar.brokerless')
  return brokerId === null || brokerId === own.id ? right(own) : left(failure('forbidden', 'calendar.not-own'))
}

/** The address of a calendar. */
export interface CalendarAddress {
  readonly url: string
}

const readFacts = async (store: Store, actor: CalendarActor, brokerId: string | null) => {
  const own = await ownBroker(store, actor)
  const named = brokerId === null ? null : await broker.find(store, actor.companyId, brokerId)
  const target = brokerFor(actor, brokerId, own, named)
  return { target, link: isLeft(target) ? null : await store.find(byId(calendarLinks, target.right.id)) }
}

const createLink = (ports: RealEstatePorts) => (actor: CalendarActor, submitted: NewCalendarLink) =>
  withValidInput(ports, newCalendarLink, submitted, ({ brokerId }) =>
    useCase<Awaited<ReturnType<typeof readFacts>>, CalendarAddress, LinkFailure['code'], 'required' | 'unknown'>(
      ports,
      (store) => readFacts(store, actor, brokerId),
      ({ target, link }, fresh) => {
        if (isLeft(target)) return target
        const { id, companyId, email } = target.right
        const token = randomCode(fresh, TOKEN_LENGTH)
        const tokenDigest = ports.digest.sha256(token)
        const { now } = fresh
        const change = link
          ? patch(calendarLinks, id, { set: { tokenDigest, updatedAt: now }, when: always })
          : insert(calendarLinks, { id, companyId, tokenDigest, createdAt: now, updatedAt: now })
        const url = `${ports.settings.publicUrl}/api/visits/calendar.ics?token=${token}`
        // A new e-mail ends the link: it must not come between.
        return accept<CalendarAddress>({ url }, change, check(broker.collection, id, eq('email', email)))
      },
    ),
  )

const readCalendar = async ({ store, clock, digest }: RealEstatePorts, token: string): Promise<string | null> => {
  const link = await store.find(byKey(calendarLinks, 'token', digest.sha256(token)))
  const owner = link && (await broker.find(store, link.companyId, link.id))
  // The link of an inactive broker opens nothing, as if it were unknown.
  if (!owner || owner.status === 'Inactive') return null
  const { id, companyId, name } = owner
  const steady = clock.steady()
  const list = (dir: 'asc' | 'desc', ...bounds: readonly Where<keyof Visit & string>[]) =>
    store.list(
      listOf(visits, {
        // Removed visits are included, so that calendars cancel them.
        where: all(eq('companyId', companyId), eq('brokerId', id), ...bounds),
        sort: { by: 'scheduledAt', dir },
        limit: MAX_PAGE,
      }),
    )
  // Of too many visits, those nearest to now are listed, on either side.
  const [future, past] = await Promise.all([
    list('asc', gte('scheduledAt', steady)),
    list('desc', gte('scheduledAt', addSeconds(steady, -PAST_SECONDS)), lt('scheduledAt', steady)),
  ])
  const records = [...past.records.toReversed(), ...future.records]
  const partiesOf = await readParties(store, companyId, records)
  const details = records.map((visit) => ({ visit, ...partiesOf(visit) }))
  return calendarOf(`Visitas de ${name}`, details)
}

/** The visits of a broker as a calendar to subscribe to (RFC 5545). */
export const calendar = {
  collections: [calendarLinks],
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Creates the link to a broker's calendar and invalidates the former one. A broker gets only their own, an Admin
     * that of any broker. Fails: `fields` (`required` for an Admin, `unknown`), `calendar.brokerless` (the actor is no
     * broker), `calendar.not-own`.
     */
    createLink: createLink(ports),
    /**
     * Returns the calendar of a token as iCalendar text: the visits since 90 days ago, at most 500 before and 500 after
     * now, the nearest. Cancelled and removed visits are cancelled events.
     * Fails: `calendar.unknown` (also if the broker is inactive or removed).
     */
    read: (token: string) => readUseCase('calendar.unknown', () => readCalendar(ports, token)),
  }),
} satisfies RealEstateModule

/** The longest line in octets, without its break (RFC 5545, 3.1). */
const LINE_OCTETS = 75
const BREAK = '\r\n'
/** The assumed length of a visit. */
const DURATION = 'PT1H'

const STATUSES = { Scheduled: 'TENTATIVE', Confirmed: 'CONFIRMED', Done: 'CONFIRMED', Cancelled: 'CANCELLED' } as const

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', ';': '\\;', ',': '\\,', '\n': '\\n' }

/** Escapes a text as a value (RFC 5545, 3.3.11). */
export const icalText = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[\\;,\n]/g, (mark) => ESCAPED[mark] ?? mark)

/** Returns `20261130T170000Z`. */
const icalTime = (instant: Instant): string => `${instant.slice(0, 19).replace(/[-:]/g, '')}Z`

const octetsOf = (codePoint: number): number => {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}

/** Folds a long line between characters (RFC 5545, 3.1). */
export const foldLine = (line: string): string => {
  const parts: string[] = []
  let from = 0
  let taken = 0
  for (let at = 0; at < line.length; ) {
    const codePoint = line.codePointAt(at) ?? 0
    const size = octetsOf(codePoint)
    if (taken + size > LINE_OCTETS) {
      parts.push(line.slice(from, at))
      from = at
      taken = 1
    }
    taken += size
    at += codePoint < 0x10000 ? 1 : 2
  }
  return [...parts, line.slice(from)].join(`${BREAK} `)
}

/** The longest description in a calendar; the visit has the full notes. */
const MAX_DESCRIPTION = 1_000

const shorten = (text: string): string =>
  text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION).replace(/[\uD800-\uDBFF]$/, '')}…`

const placeOf = ({ property }: VisitDetail): string => {
  if (!property) return ''
  const { street, number, complement, neighborhood, city, state } = property.address
  return [`${street}, ${number}`, complement, neighborhood, `${city} - ${state}`].filter(Boolean).join(', ')
}

/**
 * Returns the version of an event. It grows with changes of the visit, and of the shown fields of its property and
 * client.
 */
const versionOf = ({ visit, property, client }: VisitDetail) => {
  const revisions = (property?.revision ?? 0) + (client?.revision ?? 0)
  const changes = [visit.updatedAt, property?.revisedAt ?? '', client?.revisedAt ?? '']
  return {
    sequence: visit.sequence + revisions + (visit.removedAt === null ? 0 : 1),
    modifiedAt: changes.reduce((last, each) => (each > last ? each : last)),
  }
}

/** Returns the event of a visit, with the visit's id as its UID. A removed visit is a cancelled event. */
const eventOf = (detail: VisitDetail): readonly string[] => {
  const { visit, property, client } = detail
  const isRemoved = visit.removedAt !== null
  const about = [client?.phone ? `Telefone: ${client.phone}` : null, visit.notes].filter((each) => each !== null)
  const place = placeOf(detail)
  const { sequence, modifiedAt } = versionOf(detail)
  return [
    'BEGIN:VEVENT',
    `UID:${visit.id}@portico`,
    `DTSTAMP:${icalTime(modifiedAt)}`,
    `CREATED:${icalTime(visit.createdAt)}`,
    `LAST-MODIFIED:${icalTime(modifiedAt)}`,
    `SEQUENCE:${sequence}`,
    `STATUS:${isRemoved ? 'CANCELLED' : STATUSES[visit.status]}`,
    `DTSTART:${icalTime(visit.scheduledAt)}`,
    `DURATION:${DURATION}`,
    `SUMMARY:${icalText(`Visita ao imóvel ${property?.code ?? visit.propertyCode} com ${client?.name ?? visit.clientName}`)}`,
    ...(place === '' ? [] : [`LOCATION:${icalText(place)}`]),
    ...(about.length === 0 ? [] : [`DESCRIPTION:${icalText(shorten(about.join('\n')))}`]),
    'END:VEVENT',
  ]
}

/** Returns a calendar to which programs subscribe (RFC 5545; RFC 7986, 5.7). */
export const calendarOf = (name: string, visits: readonly VisitDetail[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Portico//Visitas//PT-BR',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${icalText(name)}`,
    `X-WR-CALNAME:${icalText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    ...visits.flatMap(eventOf),
    'END:VCALENDAR',
  ]
    .map((line) => foldLine(line) + BREAK)
    .join('')
