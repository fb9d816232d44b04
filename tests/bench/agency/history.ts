import { setClock } from '../../../adapters/clock/set-clock.ts'
import { type Change, insert } from '../../../core/kernel/records/record.ts'
import type { Fresh } from '../../../core/kernel/running/use-case.ts'
import { addDays, addMonths, addSeconds, type Day, dayOf, type Instant } from '../../../core/kernel/values/day.ts'
import type { Store } from '../../../core/ports/store.ts'
import { FILE_TYPES, file } from '../../../core/real-estate/files.ts'
import { invitations } from '../../../core/real-estate/invitations.ts'
import { NOTIFICATION_TYPES, notifications } from '../../../core/real-estate/office.ts'
import { realEstateCollections } from '../../../core/real-estate/real-estate.ts'
import type { Actor } from '../../../core/real-estate/real-estate-ports.ts'
import { COMMISSION_STATUSES } from '../../../core/real-estate/records/commission.ts'
import { PAYMENT_TYPES } from '../../../core/real-estate/records/payment.ts'
import { condominium } from '../../../core/real-estate/records/property.ts'
import { PROPOSAL_STATUSES } from '../../../core/real-estate/records/proposal.ts'
import { VISIT_STATUSES, visit } from '../../../core/real-estate/records/visit.ts'
import { ADDRESS, storedIn } from '../../core/real-estate/records.ts'
import { freshAt } from '../../core/real-estate/world.ts'
import { keptStore, writeMany } from '../kept-store.ts'

export const FEW = 1_000
export const MANY = 100_000
export const NOW = '2026-11-23T13:00:00.000Z'
const SECONDS = 5 * 365 * 86_400
/** Does not depend on the size. */
const BROKERS = 50
/** One record in this many has a rare status or type. */
const SELDOM = 100
/** Properties of a condominium. */
const UNITS = 100

const KINDS = ['company', 'user', 'broker', 'client', 'condominium', 'property', 'contract', 'other', 'second'] as const
type Kind = (typeof KINDS)[number]

/** Returns the id of the record of a kind with this number. */
export const idOf = (kind: Kind, number: number): string =>
  `00000000-0000-4000-8${`${KINDS.indexOf(kind)}`.padStart(3, '0')}-${`${number}`.padStart(12, '0')}`

/** The Admin of the company, who owns all files, condominiums and notifications. */
export const ADMIN: Actor & { readonly verifiedEmail: string } = {
  ...{ userId: idOf('user', 1), companyId: idOf('company', 1) },
  ...{ role: 'Admin', verifiedEmail: 'ana@aurora.example' },
}

/** An Admin of another company, whose payments are all paid except the last ones. */
export const PAID_UP: Actor = { ...ADMIN, companyId: idOf('company', 2), userId: idOf('user', 2) }
/** The number of its overdue payments, at any size. */
const UNPAID = 60

const DRAWN = freshAt(NOW)
const instantOf = (number: number, count: number): Instant =>
  addSeconds(NOW, Math.round((SECONDS * (number - count)) / count))
const monthOf = (day: Day): string => day.slice(0, 7)

/** Returns the last value for one number in `SELDOM`, and the other values in turn otherwise. */
const seldomLast = <const V>(values: readonly V[], number: number): V => {
  const others = values.slice(0, -1)
  return (number % SELDOM === 0 ? values.at(-1) : others[number % others.length]) as V
}
/** Returns a number that about ten records share. */
const ofMany = (number: number, count: number): number => 1 + ((number * 7) % Math.max(1, Math.floor(count / 10)))

type Put = Pick<Store, 'commit'>

/** The shared values of the records of one number: their time, their references and their writers. */
const momentOf = (store: Put, count: number, number: number) => {
  const now = instantOf(number, count)
  const today = dayOf(now)
  const host = { store, clock: setClock(now) }
  const drawn = (kind: Kind): Fresh => ({ ...DRAWN, now, steady: now, today, uuid: () => idOf(kind, number) })
  const one = ofMany(number, count)
  return {
    ...{ number, now, today, drawn },
    put: (kind: Kind, of: Actor = ADMIN) => storedIn({ host, fresh: () => drawn(kind) }, of),
    isLast: number > count - UNPAID,
    parties: {
      ...{ propertyId: idOf('property', one), clientId: idOf('client', one) },
      ...{ propertyCode: `AP-${one}`, clientName: `Maria da Silva ${one}` },
    },
    brokerId: idOf('broker', 1 + (number % BROKERS)),
    condominiumId: idOf('condominium', Math.ceil(number / UNITS)),
  }
}

type Moment = ReturnType<typeof momentOf>

/** Writes brokers, condominiums, clients and properties. */
const listings = async ({ number, put, drawn, parties, brokerId, condominiumId }: Moment): Promise<void> => {
  const name = `Maria da Silva ${number}`
  if (number <= BROKERS)
    await put('broker').brokerOf({ name: `Bruno Lima ${number}`, status: number === BROKERS ? 'Inactive' : 'Active' })
  if (number % UNITS === 1) {
    const own = { name: `Edifício ${number}`, taxId: `${number}`.padStart(14, '0'), syndicId: ADMIN.userId }
    const fresh = { ...drawn('condominium'), uuid: () => condominiumId }
    const sent = { ...own, email: null, phone: null, address: ADDRESS }
    await put('other').put(condominium.build(ADMIN.companyId, sent, fresh))
  }
  await put('client').clientOf({
    ...{ name, taxId: `${number}`.padStart(11, '0'), type: seldomLast(['Individual', 'Company'], number) },
    interest: seldomLast(['Lease', 'Purchase', 'Both'], number),
  })
  await put('property').propertyOf({
    ...{ code: `AP-${number}`, ownerId: parties.clientId, brokerId, condominiumId },
    status: seldomLast(['Available', 'Rented', 'Sold', 'Reserved'], number),
    type: seldomLast(['Apartment', 'House', 'Warehouse'], number),
    purpose: seldomLast(['Both', 'Lease', 'Sale'], number),
  })
}

/** Writes contracts, payments, proposals and commissions. */
const deals = async ({ number, now, today, put, parties, brokerId, isLast }: Moment): Promise<void> => {
  const lease = await put('contract').contractOf({
    ...{ ...parties, brokerId, startDate: today, endDate: addMonths(today, 30) },
    status: seldomLast(['Active', 'Terminated', 'Renewed', 'Cancelled'], number),
    type: seldomLast(['Lease', 'Management', 'Sale'], number),
  })
  const isPaid = number % 4 !== 0
  const paid = {
    status: 'Paid',
    method: 'Pix',
    paidAt: now,
    paidMonth: monthOf(today),
    paidValueCents: 250_000,
  } as const
  await put('other').paymentOf(lease, {
    ...{ period: monthOf(today), dueDate: addDays(today, 10), type: seldomLast(PAYMENT_TYPES, number) },
    ...(isPaid ? paid : { status: seldomLast(['Pending', 'Cancelled', 'Defaulted'], number) }),
  })
  await put('second', PAID_UP).paymentOf(lease, {
    ...{ period: monthOf(today), dueDate: addDays(today, -10) },
    ...(isLast ? { status: 'Defaulted' } : paid),
  })
  await put('other').proposalOf(lease, brokerId, {
    type: seldomLast(['Lease', 'Sale'], number),
    status: seldomLast(PROPOSAL_STATUSES, number),
  })
  await put('other').commissionOf(lease, brokerId, { status: seldomLast(COMMISSION_STATUSES, number) })
}

/** Writes visits, photographs, notifications and invitations. */
const daily = async ({ number, now, put, drawn, parties, brokerId }: Moment): Promise<readonly Change[]> => {
  const { companyId, userId } = ADMIN
  const { propertyId, clientId, ...names } = parties
  const planned = { propertyId, clientId, brokerId, scheduledAt: addSeconds(now, 86_400), notes: null }
  const status = seldomLast(VISIT_STATUSES, number)
  await put('other').put(visit.build(companyId, planned, drawn('other'), { status, ...names }))
  const place = { storagePath: `fotos/${number}`, url: `https://fotos.example/${number}` }
  const photograph = { ...place, fileName: `foto-${number}.jpg`, sizeBytes: 1_024 }
  const contentType = seldomLast(FILE_TYPES, number)
  const kept = { uploadedBy: userId }
  await put('other').put(file.build(companyId, { ...photograph, contentType }, drawn('other'), kept))
  const email = `${number}@example.com`
  const unused = { acceptedAt: null, revokedAt: null, expiresAt: addSeconds(now, 86_400) }
  const invited = { companyId, email, role: 'Tenant', tokenDigest: `${number}`, invitedBy: userId, ...unused } as const
  return [
    notificationOf(number, now),
    insert(invitations, { id: idOf('other', number), ...invited, createdAt: now, updatedAt: now }),
  ]
}

/** Returns a notification: one in `SELDOM` is unread. */
const notificationOf = (number: number, now: Instant): Change =>
  insert(notifications, {
    ...{ id: idOf('other', number), userId: ADMIN.userId, companyId: ADMIN.companyId },
    ...{ type: seldomLast(NOTIFICATION_TYPES, number), title: 'Nova proposta', message: `AP-${number}` },
    ...{ resourceType: 'Property', resourceId: idOf('property', number) },
    ...{ readAt: number % SELDOM === 0 ? null : now, seq: number, dueAt: null, attempts: 0, trace: null },
    ...{ createdAt: now, updatedAt: now },
  })

/** Fills a store with this number of records of each kind, spread over five years. */
export const fillAgency = (store: Put, count: number): Promise<void> =>
  writeMany(store, count, async (number) => {
    const made: Change[] = []
    const collecting: Put = {
      async commit(changes) {
        made.push(...changes)
        return { ok: true, taken: () => null }
      },
    }
    const moment = momentOf(collecting, count, number)
    await listings(moment)
    await deals(moment)
    made.push(...(await daily(moment)))
    return made
  })

/** Returns the file of a store with the history of an agency. */
export const agencyOf = (count: number): Promise<string> =>
  keptStore({ name: 'agency', madeBy: import.meta.url, collections: realEstateCollections, fill: fillAgency }, count)
