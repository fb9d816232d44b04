import { type Failure, failure, invalid, issue } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { guid } from '../../kernel/input/texts.ts'
import { insert, patch } from '../../kernel/records/change.ts'
import { all, always, eq, gte, lt, type Where } from '../../kernel/records/where.ts'
import { randomCode } from '../../kernel/running/fresh.ts'
import { accept, readUseCase, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { MAX_PAGE } from '../../limits.ts'
import { byId, byKey, listOf, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { ownBroker } from '../own.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Broker, broker } from '../records/broker.ts'
import { type Visit, visits } from '../records/visit.ts'
import { referredBy } from '../visits/visit-detail.ts'
import { calendarLinks } from './calendar-link.ts'
import { calendarOf } from './icalendar.ts'

/** Nobody guesses one of so many letters and digits. */
const TOKEN_LENGTH = 40
/** How long ago the visits were that a calendar still shows: 90 days. */
const PAST_SECONDS = 7_776_000

/** Whose calendar is opened by a new link. */
export const newCalendarLink = input('NewCalendarLink', {
  brokerId: nullIfAbsent(guid({ about: 'Identificador do corretor; preciso para administradores' })),
})

export type NewCalendarLink = InputOf<typeof newCalendarLink>
type By = Pick<Actor, 'companyId' | 'role' | 'verifiedEmail'>

const BROKERLESS = failure('conflict', 'calendar.brokerless')
const NOT_OWN = failure('forbidden', 'calendar.not-own')

type Refused = Failure<'fields' | 'calendar.brokerless' | 'calendar.not-own', 'required' | 'unknown'>

interface Found {
  readonly own: Broker | null
  readonly asked: Broker | null
}

/** Whose calendar somebody may open: a broker their own, an Admin anybody's. */
const brokerFor = (
  { role }: Pick<By, 'role'>,
  brokerId: string | null,
  { own, asked }: Found,
): Either<Refused, Broker> => {
  if (role === 'Admin' && asked) return right(asked)
  if (role === 'Admin') return left(invalid([issue('brokerId', brokerId === null ? 'required' : 'unknown')]))
  if (own === null) return left(BROKERLESS)
  return brokerId === null || brokerId === own.id ? right(own) : left(NOT_OWN)
}

/** Where a calendar is found. */
export interface CalendarAddress {
  readonly url: string
}

const readFacts = async (store: Store, actor: By, brokerId: string | null) => {
  const own = await ownBroker(store, actor)
  const asked = brokerId === null ? null : await broker.find(store, actor.companyId, brokerId)
  const whose = brokerFor(actor, brokerId, { own, asked })
  return { whose, link: isLeft(whose) ? null : await store.find(byId(calendarLinks, whose.right.id)) }
}

const createLink = (ports: RealEstatePorts) => (actor: By, given: NewCalendarLink) =>
  withValidInput(ports, newCalendarLink, given, ({ brokerId }) =>
    useCase<Awaited<ReturnType<typeof readFacts>>, CalendarAddress, Refused['code'], 'required' | 'unknown'>(
      ports,
      (store) => readFacts(store, actor, brokerId),
      ({ whose, link }, fresh) => {
        if (isLeft(whose)) return whose
        const { id, companyId } = whose.right
        const token = randomCode(fresh, TOKEN_LENGTH)
        const tokenDigest = ports.digest.sha256(token)
        const { now } = fresh
        const change = link
          ? patch(calendarLinks, id, { set: { tokenDigest, updatedAt: now }, when: always })
          : insert(calendarLinks, { id, companyId, tokenDigest, createdAt: now, updatedAt: now })
        const url = `${ports.settings.publicUrl}/api/visits/calendar.ics?token=${token}`
        return accept<CalendarAddress>({ url }, change)
      },
    ),
  )

const calendarAt = async ({ store, clock, digest }: RealEstatePorts, token: string): Promise<string | null> => {
  const link = await store.find(byKey(calendarLinks, 'token', digest.sha256(token)))
  const whose = link && (await broker.find(store, link.companyId, link.id))
  if (!whose) return null
  const { id, companyId, name } = whose
  const steady = clock.steady()
  const within = (dir: 'asc' | 'desc', ...bounds: readonly Where<keyof Visit & string>[]) =>
    store.list(
      listOf(visits, {
        // Those that were removed, too: a calendar has to be told so.
        where: all<keyof Visit & string>(eq('companyId', companyId), eq('brokerId', id), ...bounds),
        sort: { by: 'scheduledAt', dir },
        limit: MAX_PAGE,
      }),
    )
  // Of many the nearest, on either side of now: those that are far off hide none that is soon.
  const [toCome, past] = await Promise.all([
    within('asc', gte('scheduledAt', steady)),
    within('desc', gte('scheduledAt', addSeconds(steady, -PAST_SECONDS)), lt('scheduledAt', steady)),
  ])
  const records = [...past.records.toReversed(), ...toCome.records]
  const referred = await referredBy(store, companyId, records)
  return calendarOf(
    `Visitas de ${name}`,
    records.map((visit) => ({ visit, ...referred(visit) })),
  )
}

/** The visits of a broker, as calendars subscribe to them. */
export const calendar = {
  collections: [calendarLinks],
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Makes the link by which a broker's calendar is opened, and the former one void: a broker their own, an Admin anybody's.
     * Fails: `fields` (`required` for an Admin, `unknown`), `calendar.brokerless` (they are no broker), `calendar.not-own`.
     * Source: decisions.md §6; RFC 5545.
     */
    createLink: createLink(ports),
    /**
     * The calendar that a token opens, as iCalendar text: visits from 90 days ago on, of more than 500 on either side of now the nearest, cancelled and removed ones as cancelled.
     * Fails: `calendar.unknown`.
     * Source: RFC 5545.
     */
    read: (token: string) => readUseCase('calendar.unknown', () => calendarAt(ports, token)),
  }),
} satisfies RealEstateModule
