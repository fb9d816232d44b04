import { isLeft, left, right } from '../../failure.ts'
import type { Change } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { addDays, type Day, startOfDay } from '../../kernel/values/day.ts'
import { LINK_CHARGES } from '../../limits.ts'
import { byId, type Store } from '../../ports/store.ts'
import { addPlaces, type BoundedCount, boundedCounts, hourlyBound, releasePlace, takePlace } from '../bounded-count.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import type { Charge } from './charge.ts'

/** The counts of unpaid charges of a link: of one network within the hour, and of the link on the day. */
export interface LinkPlaces {
  readonly hourId: string
  readonly hour: BoundedCount | null
  readonly day: BoundedCount | null
}

const dayId = (linkId: string, day: Day): string => `link-day|${linkId}|${day}`

/** Reads the counts of a link and a network; no stored id names the network. */
export const readLinkPlaces = async (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  store: Store,
  linkId: string,
  network: string,
  today: Day,
): Promise<LinkPlaces> => {
  const hourId = `link-hour|${linkId}|${cipher.digest(network, `${boundedCounts.name}/${linkId}`)}`
  const found = await store.read({ hour: byId(boundedCounts, hourId), day: byId(boundedCounts, dayId(linkId, today)) })
  return { hourId, ...found }
}

type LinkOwner = Pick<Charge, 'accountId'> & { readonly linkId: string }

const dayBound = ({ accountId, linkId }: LinkOwner, today: Day) => ({
  id: dayId(linkId, today),
  accountId,
  expiresAt: startOfDay(addDays(today, 1)),
})

/** Counts a new charge of a link. Fails: `link.throttled`, until the end of the hour or the day. */
export const takeLinkPlaces = (
  { settings }: Pick<PaymentsPorts, 'settings'>,
  { hourId, hour, day }: LinkPlaces,
  of: LinkOwner,
  { steady, today }: Pick<Fresh, 'steady' | 'today'>,
) => {
  const { linkChargesPerHour = LINK_CHARGES.perHour, linkChargesPerDay = LINK_CHARGES.perDay } = settings
  const ofHour = hourlyBound({ id: hourId, accountId: of.accountId, max: linkChargesPerHour }, steady)
  const inHour = takePlace('link.throttled', hour, ofHour, steady)
  if (isLeft(inHour)) return left(inHour.left)
  const inDay = takePlace('link.throttled', day, { ...dayBound(of, today), max: linkChargesPerDay }, steady)
  if (isLeft(inDay)) return left(inDay.left)
  const { since } = inHour.right
  return right({ place: { id: hourId, since }, changes: [...inHour.right.changes, ...inDay.right.changes] })
}

/** Reads the hourly count in which a charge counts, if any. */
export const readLinkPlace = async (store: Store, { linkPlace }: Charge): Promise<BoundedCount | null> =>
  linkPlace && store.find(byId(boundedCounts, linkPlace.id))

/** Returns the changes for a paid charge: it no longer counts in its hour, and raises the day's limit of its link. */
export const freeLinkPlaces = (
  { accountId, linkId, linkPlace, createdDay }: Charge,
  hour: BoundedCount | null,
  { steady, today }: Pick<Fresh, 'steady' | 'today'>,
): readonly Change[] => {
  if (linkId === null || linkPlace === null) return []
  const places = LINK_CHARGES.perPaid + (createdDay === today ? 1 : 0)
  return [
    ...releasePlace(hour, linkPlace.since, steady),
    ...addPlaces(dayBound({ accountId, linkId }, today), places, steady),
  ]
}
