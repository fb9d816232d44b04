import { t } from '../../../fp.ts'
import { storedTypes } from '../../../kernel/input/table.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { orNull, record } from '../../../kernel/records/record.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Instant } from '../../../kernel/values/day.ts'
import { foldLines } from '../../../kernel/values/text.ts'
import { type LinkMethod, linkFields } from './link-fields.ts'
import type { LinkStatus } from './link-status.ts'

const link = record({
  /** The public id: random, in every address that names the link. */
  id: t.string,
  accountId: t.number,
  ...storedTypes(linkFields),
  /** Whom it was made for, if anybody: a client of the account. */
  clientId: orNull(t.number),
  /** What must travel with the id, sealed under `DATA_KEY`: it is shown again to who may read links. */
  tokenSealed: t.string,
  /** The instant from which it counts as expired, and its last day. */
  lapsesAt: orNull(t.string),
  dueDay: orNull(t.string),
  /** What has been asked for through it: such a method stays. */
  usedPix: t.boolean,
  usedBoleto: t.boolean,
  usedCard: t.boolean,
  /** How often somebody began to pay by card while its uses were limited: two who do so at once see each other. */
  cardPayments: t.number,
  /** What it has received; a little late, for sums over many links. */
  receivedCents: t.number,
  createdBy: t.number,
  updatedBy: orNull(t.number),
  createdAt: t.string,
  createdDay: t.string,
  updatedAt: t.string,
  updatedDay: t.string,
  removedAt: orNull(t.string),
  /** Folded: title, description and reference code. */
  search: t.string,
})

/** An address at which whoever has it pays an account. Source: 02-billing.md, Payment link; decisions.md §3. */
export type PaymentLink = t.TypeOf<typeof link>

export const links: Collection<PaymentLink> = {
  name: 'payments.links',
  ids: 'text',
  codec: link,
  owner: 'accountId',
  conditions: { live: eq('removedAt', null) },
  days: { createdDay: 'createdAt', updatedDay: 'updatedAt' },
  indexes: [
    { sort: 'createdAt', when: 'live', search: 'search', include: ['lapsesAt', 'updatedAt'] },
    { sort: 'dueDay', when: 'live', include: ['createdAt'] },
    { sort: 'lapsesAt', when: 'live', include: ['createdAt', 'receivedCents'] },
  ],
  tallies: [
    { by: ['accountId'], sum: [], when: 'live' },
    { by: ['accountId', 'dueDay'], sum: ['receivedCents'], when: 'live' },
    { by: ['accountId', 'createdDay'], sum: [], when: 'live' },
  ],
}

/** Where a link keeps that somebody has begun to pay by a method. */
export const USED = {
  PIX: 'usedPix',
  BOLETO: 'usedBoleto',
  CARD: 'usedCard',
} as const satisfies Readonly<Record<LinkMethod, keyof PaymentLink>>

/** Its status at this instant. Source: decisions.md §3, Payment link. */
export const linkStatusAt = ({ lapsesAt }: Pick<PaymentLink, 'lapsesAt'>, now: Instant): LinkStatus =>
  lapsesAt !== null && lapsesAt <= now ? 'expired' : 'active'

/** One field a line, so that a search never matches across two of them. */
export const linkSearch = ({
  title,
  description,
  referenceCode,
}: Pick<PaymentLink, 'title' | 'description' | 'referenceCode'>): string =>
  foldLines([title, description, referenceCode])
