import type { Instant } from '../../kernel/values/day.ts'
import type { VisitDetail } from '../visits/visit-detail.ts'

/** Octets of a line at most, the break apart. Source: RFC 5545, 3.1. */
const LINE_OCTETS = 75
const BREAK = '\r\n'
/** How long a visit is taken to last: nothing says it. */
const DURATION = 'PT1H'

const STATUSES = { Scheduled: 'TENTATIVE', Confirmed: 'CONFIRMED', Done: 'CONFIRMED', Cancelled: 'CANCELLED' } as const

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', ';': '\\;', ',': '\\,', '\n': '\\n' }

/** A text as a value: marks that mean something, and breaks, are escaped. Source: RFC 5545, 3.3.11. */
export const icalText = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[\\;,\n]/g, (mark) => ESCAPED[mark] ?? mark)

/** `20261130T170000Z`. */
const moment = (instant: Instant): string => `${instant.slice(0, 19).replace(/[-:]/g, '')}Z`

/** The octets of a character in UTF-8. */
const octetsOf = (codePoint: number): number => {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}

/** A line, broken where it is too long and in no character's midst. Source: RFC 5545, 3.1. */
export const foldedLine = (line: string): string => {
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

/** What of notes a calendar shows: all of them are in the visit. */
const MAX_DESCRIPTION = 1_000

const shortened = (text: string): string =>
  text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION).replace(/[\uD800-\uDBFF]$/, '')}…`

const placeOf = ({ property }: VisitDetail): string => {
  if (!property) return ''
  const { street, number, complement, neighborhood, city, state } = property.address
  return [`${street}, ${number}`, complement, neighborhood, `${city} - ${state}`].filter(Boolean).join(', ')
}

/** The version of an event: it grows with the visit and with what the event shows of its property and client. */
const versionOf = ({ visit, property, client }: VisitDetail) => {
  const revisions = (property?.revision ?? 0) + (client?.revision ?? 0)
  const changes = [visit.updatedAt, property?.revisedAt ?? '', client?.revisedAt ?? '']
  return {
    sequence: visit.sequence + revisions + (visit.removedAt === null ? 0 : 1),
    modifiedAt: changes.reduce((last, each) => (each > last ? each : last)),
  }
}

/** A visit as an event, with the visit's id as its UID. A removed visit is a cancelled event: calendars take it out. */
const eventOf = (detail: VisitDetail): readonly string[] => {
  const { visit, property, client } = detail
  const isRemoved = visit.removedAt !== null
  const about = [client?.phone ? `Telefone: ${client.phone}` : null, visit.notes].filter((each) => each !== null)
  const place = placeOf(detail)
  const { sequence, modifiedAt } = versionOf(detail)
  return [
    'BEGIN:VEVENT',
    `UID:${visit.id}@portico`,
    `DTSTAMP:${moment(modifiedAt)}`,
    `CREATED:${moment(visit.createdAt)}`,
    `LAST-MODIFIED:${moment(modifiedAt)}`,
    `SEQUENCE:${sequence}`,
    `STATUS:${isRemoved ? 'CANCELLED' : STATUSES[visit.status]}`,
    `DTSTART:${moment(visit.scheduledAt)}`,
    `DURATION:${DURATION}`,
    `SUMMARY:${icalText(`Visita ao imóvel ${property?.code ?? visit.propertyCode} com ${client?.name ?? visit.clientName}`)}`,
    ...(place === '' ? [] : [`LOCATION:${icalText(place)}`]),
    ...(about.length === 0 ? [] : [`DESCRIPTION:${icalText(shortened(about.join('\n')))}`]),
    'END:VEVENT',
  ]
}

/** A calendar that programs subscribe to. Source: RFC 5545; RFC 7986, 5.7. */
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
    .map((line) => foldedLine(line) + BREAK)
    .join('')
