import { right } from '../../failure.ts'
import {
  type Field,
  type FieldOptions,
  field,
  flag,
  type InputCode,
  instant,
  integer,
  line,
  list,
  money,
  nullIfAbsent,
  oneOf,
  reject,
  storedTypes,
  text,
  url,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import { all, at, type Collection, eq, not, orNull, record, t } from '../../kernel/records/record.ts'
import { isOneOf } from '../../kernel/resources/queries.ts'
import {
  addDays,
  type Day,
  dayOf,
  type Instant,
  isDay,
  isInstant,
  startOfDay,
  withOffset,
} from '../../kernel/values/day.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { groupOf, type Store } from '../../ports/store.ts'
import { charges } from '../charges/charge.ts'
import type { PaymentsSettings } from '../payments-ports.ts'
import { storedSplits } from '../splits/split.ts'
import { fineFields } from '../terms.ts'

/** The expiry of a link: a day, inclusive, or an instant. */
export type Expiry = Day | Instant

/** The instant from which the link is expired. */
export const expiryInstant = (expiry: Expiry): Instant => (isDay(expiry) ? startOfDay(addDays(expiry, 1)) : expiry)

/** The last São Paulo day of the link. */
export const lastDayOf = (expiry: Expiry): Day => (isDay(expiry) ? expiry : dayOf(expiry))

/** A day or an instant, stored as sent; an instant is shown with São Paulo's offset. Fails: `required`, `instant`. */
const expiryField = (about: FieldOptions = {}): Field<Expiry, Expiry, InputCode> =>
  field<Expiry, Expiry, InputCode>(
    {
      name: 'expiry',
      schema: { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] },
      is: (value): value is Expiry => typeof value === 'string',
      read: (value) => {
        if (typeof value === 'string' && isDay(value)) return right(value)
        return typeof value === 'string' ? instant().read(value) : reject('instant')
      },
      encode: (expiry) => (isInstant(expiry) ? withOffset(expiry) : expiry),
    },
    about,
  )

/** The link statuses, in the order of their values from 1. */
export const LINK_STATUSES = ['active', 'paused', 'expired'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

export const LINK_STATUS_LABELS = {
  active: 'Ativo',
  paused: 'Pausado',
  expired: 'Expirado',
} as const satisfies Readonly<Record<LinkStatus, string>>

/** The value of a status on the wire. */
export const linkStatusValue = (status: LinkStatus): number => LINK_STATUSES.indexOf(status) + 1

export const linkStatusView = view(
  'PaymentLinkStatus',
  {
    value: integer({ min: 1, max: LINK_STATUSES.length, about: 'Situação' }),
    label: oneOf(Object.values(LINK_STATUS_LABELS), { about: 'Situação, por extenso' }),
  },
  (status: LinkStatus) => ({ value: linkStatusValue(status), label: LINK_STATUS_LABELS[status] }),
)

export const LINK_METHODS = ['PIX', 'BOLETO', 'CARD'] as const
export type LinkMethod = (typeof LINK_METHODS)[number]

export const MAX_LINK_INSTALLMENTS = 12
const MAX_DESCRIPTION = 2_000
const MAX_USES = 1_000_000_000

/** The fields of a link. */
export const linkFields = {
  title: line({ max: 255, about: 'Título' }),
  description: nullIfAbsent(text({ max: MAX_DESCRIPTION, about: 'Descrição' })),
  amountCents: nullIfAbsent(
    money({ wire: 'amount', minCents: 1, about: 'Valor; onde quem paga o escolhe, não obriga' }),
  ),
  currency: withDefault(oneOf(['BRL'], { about: 'Moeda' }), 'BRL'),
  isVariableAmount: withDefault(flag({ about: 'Se quem paga escolhe o valor' }), false),
  minAmountCents: nullIfAbsent(money({ wire: 'min_amount', about: 'Menor valor que quem paga pode escolher' })),
  maxAmountCents: nullIfAbsent(money({ wire: 'max_amount', about: 'Maior valor que quem paga pode escolher' })),
  paymentMethods: list(oneOf(LINK_METHODS), { min: 1, max: LINK_METHODS.length, about: 'Meios de pagamento' }),
  expiresAt: nullIfAbsent(expiryField({ about: 'Até quando vale: um dia, até o seu fim, ou um instante' })),
  maxUses: nullIfAbsent(integer({ min: 1, max: MAX_USES, about: 'Quantas vezes pode ser pago; null sem limite' })),
  successUrl: nullIfAbsent(url({ about: 'Aonde vai quem pagou' })),
  cancelUrl: nullIfAbsent(url({ about: 'Aonde vai quem desiste' })),
  webhookUrl: nullIfAbsent(url({ about: 'URL avisada do que acontece com os pagamentos' })),
  passTransactionFeeToCustomer: withDefault(flag({ about: 'Se quem paga arca com a tarifa' }), false),
  sendClientId: withDefault(flag({ about: 'Se `success_url` leva `client_id`' }), false),
  referenceCode: nullIfAbsent(line({ max: 255, about: 'Código de referência de quem cobra' })),
  installments: withDefault(
    integer({ min: 1, max: MAX_LINK_INSTALLMENTS, about: 'Parcelas que o cartão pode ter' }),
    1,
  ),
  ...fineFields,
}

const link = record({
  /** The public id: random, part of the link's URL. */
  id: t.string,
  accountId: t.number,
  ...storedTypes(linkFields),
  /** The shares of other accounts in the payments by the link; null without any. */
  splits: storedSplits,
  /** The client of the account for whom the link was created, if any. */
  clientId: orNull(t.number),
  /** The token of the link's URL, sealed under `DATA_KEY`, so that members who read the link see the URL again. */
  tokenSealed: t.string,
  /** The instant of expiry, and the last day. */
  lapsesAt: orNull(t.string),
  dueDay: orNull(t.string),
  /** The start of the pause; null unless a member paused the link. */
  pausedAt: orNull(t.string),
  /** The methods by which a payment was started; they cannot be removed from the link. */
  usedPix: t.boolean,
  usedBoleto: t.boolean,
  usedCard: t.boolean,
  /** The number of card payments started while its uses were limited; guards against two simultaneous ones. */
  cardPayments: t.number,
  /** The amount received, updated with a short delay; for sums over many links. */
  receivedCents: t.number,
  createdBy: t.number,
  updatedBy: orNull(t.number),
  createdAt: t.string,
  createdDay: t.string,
  updatedAt: t.string,
  updatedDay: t.string,
  removedAt: orNull(t.string),
  /** The folded title, description and reference code. */
  search: t.string,
})

/** A payment link: a URL at which payers pay an account. */
export type PaymentLink = t.TypeOf<typeof link>

export const links: Collection<PaymentLink> = {
  name: 'payments.links',
  ids: 'text',
  codec: link,
  owner: 'accountId',
  conditions: {
    live: eq('removedAt', null),
    paused: all(eq('removedAt', null), not(eq('pausedAt', null))),
    personal: not(eq('clientId', null)),
  },
  days: { createdDay: 'createdAt', updatedDay: 'updatedAt' },
  indexes: [
    { sort: 'createdAt', when: 'live', search: 'search', include: ['lapsesAt', 'updatedAt'] },
    { sort: 'dueDay', when: 'live', include: ['createdAt'] },
    { sort: 'lapsesAt', when: 'live', include: ['createdAt', 'receivedCents'] },
    { sort: 'createdAt', when: 'paused', include: ['lapsesAt', 'receivedCents'] },
    { eq: 'clientId', sort: 'createdAt', when: 'personal' },
  ],
  tallies: [
    { by: ['accountId'], sum: [], when: 'live' },
    { by: ['accountId', 'dueDay'], sum: ['receivedCents'], when: 'live' },
    { by: ['accountId', 'createdDay'], sum: [], when: 'live' },
  ],
}

/** The field that records a started payment, by method. */
export const USED_FIELD = {
  PIX: 'usedPix',
  BOLETO: 'usedBoleto',
  CARD: 'usedCard',
} as const satisfies Readonly<Record<LinkMethod, keyof PaymentLink>>

/** Returns the status at an instant; a paused link expires too. */
export const linkStatusAt = (
  { lapsesAt, pausedAt }: Pick<PaymentLink, 'lapsesAt' | 'pausedAt'>,
  now: Instant,
): LinkStatus => {
  if (lapsesAt !== null && lapsesAt <= now) return 'expired'
  return pausedAt === null ? 'active' : 'paused'
}

/** The number of paid charges of a link, and the amount received, partial payments included. */
export interface LinkUses {
  readonly usesCount: number
  readonly receivedCents: number
}

/**
 * Queries the uses of links of an account: their paid charges, refunded ones included, and the amount that their
 * charges received. The store counts both in the commit of a payment, so that each payment counts exactly once.
 */
export const usesQueries = (accountId: number, linkIds: readonly string[]) => {
  const where = all(eq('accountId', accountId), isOneOf('linkId', linkIds))
  return {
    paid: groupOf(charges, { where, when: 'paidByLink', by: ['linkId'], sum: [] }),
    received: groupOf(charges, { where, when: 'linked', by: ['linkId'], sum: ['amountPaidCents'] }),
  }
}

type Groups = Awaited<ReturnType<Store['group']>>

/** Returns a lookup of the uses of each link in the results of `usesQueries`. */
export const usesByLink = ({ paid, received }: { readonly paid: Groups; readonly received: Groups }) => {
  const [counts, sums] = [paid, received].map((rows) => new Map(rows.map((row) => [row.by.linkId, row])))
  return (linkId: string): LinkUses => ({
    usesCount: counts?.get(linkId)?.count ?? 0,
    receivedCents: sums?.get(linkId)?.sums.amountPaidCents ?? 0,
  })
}

/** Counts the undecided card charges of a link; each reserves a use. */
export const processingQuery = (accountId: number, linkId: string) =>
  groupOf(charges, {
    where: all(
      eq('accountId', accountId),
      eq('linkId', linkId),
      eq('status', 'pending'),
      eq('paymentMethod', 'CREDIT_CARD'),
    ),
    when: 'linked',
    by: [],
    sum: [],
  })

/** Reports whether the link has no uses left. */
export const isUsedUp = ({ maxUses }: Pick<PaymentLink, 'maxUses'>, { usesCount }: LinkUses): boolean =>
  maxUses !== null && usesCount >= maxUses

/** The context that binds a sealed token to its link: a copy in another record does not open. */
const contextOf = (id: string): string => [...at(links, id), 'token'].join('/')

export const sealedToken = (cipher: Pick<Cipher, 'seal'>, id: string, token: string): string =>
  cipher.seal(token, contextOf(id))

type Sealed = Pick<PaymentLink, 'id' | 'tokenSealed'>

const tokenOf = (cipher: Pick<Cipher, 'open'>, { id, tokenSealed }: Sealed): string =>
  cipher.open(tokenSealed, contextOf(id))

/** Reports whether a token is the link's. Compares digests, so that the time reveals nothing about the token. */
export const matchesToken = (cipher: Pick<Cipher, 'open' | 'digest'>, link: Sealed, sent: string): boolean =>
  cipher.digest(tokenOf(cipher, link), contextOf(link.id)) === cipher.digest(sent, contextOf(link.id))

/** Returns the URL for payers, token included. */
export const publicUrlOf = (
  ports: { readonly cipher: Pick<Cipher, 'open'>; readonly settings: Pick<PaymentsSettings, 'publicUrl'> },
  link: Sealed,
): string => `${ports.settings.publicUrl}/pay/${link.id}?token=${tokenOf(ports.cipher, link)}`
