import { failure, left, right } from '../../failure.ts'
import {
  type DecodedOf,
  type InputOf,
  id,
  input,
  inQuery,
  line,
  nullable,
  output,
  type Paging,
  pageFields,
  paging,
  pick,
  timestamp,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import { all, any, eq, gt, isIn, lt, lte, not, type Where } from '../../kernel/records/record.ts'
import { inRange, searchIn } from '../../kernel/resources/queries.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { dayOf, type Instant, startOfDay } from '../../kernel/values/day.ts'
import { byId, groupOf, listPage, NEWEST_FIRST, type PageOf, type Store } from '../../ports/store.ts'
import { charges, PAID_STATUSES } from '../charges/charge.ts'
import { type ChargeDetail, withClients } from '../charges/detail.ts'
import { clients } from '../customers/client.ts'
import { users } from '../members/user.ts'
import { type Actor, accountQuery, accountRead, type PaymentsPorts } from '../payments-ports.ts'
import { promisedSplitsField } from '../splits/split.ts'
import { shownFineFields, withShownFine } from '../terms.ts'
import {
  LINK_STATUS_LABELS,
  LINK_STATUSES,
  type LinkStatus,
  type LinkUses,
  linkFields,
  linkStatusAt,
  linkStatusValue,
  linkStatusView,
  links,
  type PaymentLink,
  publicUrlOf,
  usesByLink,
  usesQueries,
} from './link.ts'

/** A link without its sealed token and its guard field. */
export type ShownLink = Omit<PaymentLink, 'tokenSealed' | 'cardPayments'>

/** A link with its uses, as of a point in time. */
export interface LinkDetail {
  readonly link: ShownLink
  readonly uses: LinkUses
  /** The URL for payers, token included. */
  readonly publicUrl: string
  readonly asOf: Instant
}

/** A link, in lists and replies. */
export const linkView = view(
  'PaymentLink',
  {
    id: output.text({ about: 'Identificador público' }),
    ...pick(linkFields, 'title', 'description', 'amountCents', 'currency', 'isVariableAmount', 'minAmountCents'),
    maxAmountCents: linkFields.maxAmountCents,
    status: output.view(linkStatusView, { about: 'Situação' }),
    ...pick(linkFields, 'paymentMethods', 'expiresAt', 'maxUses'),
    usesCount: output.count({ about: 'Quantas vezes foi pago' }),
    ...pick(linkFields, 'successUrl', 'cancelUrl', 'webhookUrl', 'referenceCode', 'installments'),
    ...pick(linkFields, 'passTransactionFeeToCustomer', 'sendClientId'),
    ...shownFineFields,
    publicUrl: output.text({ about: 'Endereço que se manda a quem paga' }),
    createdAt: timestamp({ about: 'Criação' }),
    updatedAt: timestamp({ about: 'Última alteração' }),
  },
  ({ link, uses, publicUrl, asOf }: LinkDetail) => ({
    ...withShownFine(link),
    status: linkStatusAt(link, asOf),
    usesCount: uses.usesCount,
    publicUrl,
  }),
)

/** A link after its creation: as in lists, with the shares that its payments will have. */
export const createdLinkView = view(
  'CreatedPaymentLink',
  { ...linkView.table, splits: promisedSplitsField },
  (detail: LinkDetail) => {
    const { splits, ...shown } = { ...linkView.of(detail), splits: detail.link.splits }
    return { ...shown, ...(splits && { splits }) }
  },
)

/** The id and name of a referenced record. */
export interface NamedRecord {
  readonly id: number
  readonly name: string
}

/** A link with its creator, last editor and client. */
export interface FullLink extends LinkDetail {
  readonly creator: NamedRecord | null
  readonly updater: NamedRecord | null
  readonly customer: NamedRecord | null
}

const namedView = view('Named', { id: id({ about: 'Identificador' }), name: line({ max: 255, about: 'Nome' }) })

export const fullLinkView = view(
  'FullPaymentLink',
  {
    ...linkView.table,
    creator: nullable(output.view(namedView, { about: 'Quem criou' })),
    updater: nullable(output.view(namedView, { about: 'Quem alterou por último' })),
    customer: nullable(output.view(namedView, { about: 'O cliente para quem foi feito' })),
    splits: promisedSplitsField,
  },
  (detail: FullLink) => {
    const { creator, updater, customer } = detail
    const { splits, ...shown } = createdLinkView.of(detail)
    return { ...shown, creator, updater, customer, ...(splits && { splits }) }
  },
)

export const NO_LINK = failure('not-found', 'link.unknown')

/** Finds a link by its public id; null if removed. */
export const findLink = async (store: Pick<Store, 'find'>, id: string): Promise<PaymentLink | null> => {
  const link = await store.find(byId(links, id))
  return link?.removedAt === null ? link : null
}

/** A link and its uses, read at the same instant. */
export interface UsedLink {
  readonly link: PaymentLink
  readonly uses: LinkUses
}

/** Finds a link of this account. */
export const findOwnLink = async (store: Store, accountId: number, id: string): Promise<UsedLink | null> => {
  const known = await findLink(store, id)
  if (known?.accountId !== accountId) return null
  const { link, ...uses } = await store.read({ link: byId(links, id), ...usesQueries(accountId, [id]) })
  return link?.removedAt === null ? { link, uses: usesByLink(uses)(id) } : null
}

/** Returns the link for output, as of now. */
export const detailOf = (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings' | 'clock'>,
  { link, uses }: UsedLink,
): LinkDetail => {
  const { tokenSealed: _, cardPayments: __, ...shown } = link
  return { link: shown, uses, publicUrl: publicUrlOf(ports, link), asOf: ports.clock.steady() }
}

export const readLink = accountRead('link.unknown', async (ports, accountId, id: string): Promise<FullLink | null> => {
  const used = await findOwnLink(ports.store, accountId, id)
  return used && { ...detailOf(ports, used), ...(await readNames(ports, used.link)) }
})

const readNames = async ({ store }: Pick<PaymentsPorts, 'store'>, link: PaymentLink) => {
  const { createdBy, updatedBy, clientId } = link
  const [creator, updater, customer] = await Promise.all([
    store.find(byId(users, createdBy)),
    updatedBy === null ? null : store.find(byId(users, updatedBy)),
    clientId === null ? null : store.find(byId(clients, clientId)),
  ])
  return { creator: nameOf(creator), updater: nameOf(updater), customer: nameOf(customer) }
}

const nameOf = (of: NamedRecord | null): NamedRecord | null => of && { id: of.id, name: of.name }

/** The filters of a list; days are São Paulo days, inclusive. */
export const linkFilter = input('PaymentLinkFilter', {
  id: inQuery.text({ about: 'Identificador público' }),
  statuses: inQuery.positions(LINK_STATUSES, { wire: 'status', about: 'Situações' }),
  search: inQuery.text({ about: 'Título, descrição ou código de referência' }),
  created: inQuery.range('created', 'Criação'),
  updated: inQuery.range('updated', 'Última alteração'),
  due: inQuery.range('due_date', 'Último dia de validade'),
  createdBy: inQuery.integer({ min: 1, about: 'Quem criou' }),
  updatedBy: inQuery.integer({ min: 1, about: 'Quem alterou por último' }),
  order: withDefault(inQuery.oneOf(['asc', 'desc'], { about: 'Sentido da ordem, pela criação' }), 'desc'),
  ...pageFields,
})
export type LinkFilter = InputOf<typeof linkFilter>

type CheckedFilter = DecodedOf<typeof linkFilter>
type Field = keyof PaymentLink & string

/** A page of links, with the summary of all links of the account. */
export interface PageOfLinks extends PageOf<LinkDetail> {
  readonly summary: LinkSummary
}

export const listLinks = accountQuery(linkFilter, async (ports, accountId, filter): Promise<PageOfLinks> => {
  const asOf = ports.clock.steady()
  const listed = await listPage(ports.store, links, filter, {
    where: all(eq('accountId', accountId), ...conditionsOf(filter, asOf)),
    when: 'live',
    sort: { by: 'createdAt', dir: filter.order },
  })
  const ids = listed.records.map(({ id }) => id)
  const uses = usesByLink(ids.length === 0 ? NO_USES : await ports.store.read(usesQueries(accountId, ids)))
  return {
    ...listed,
    records: listed.records.map((link) => detailOf(ports, { link, uses: uses(link.id) })),
    summary: await readSummary(ports.store, accountId, asOf),
  }
})

const NO_USES = { paid: [], received: [] } as const

const conditionsOf = (filter: CheckedFilter, asOf: Instant): readonly Where<Field>[] => [
  ...(filter.search === undefined ? [] : [searchIn<Field>('search', filter.search)]),
  ...equalTo('id', filter.id),
  ...equalTo('createdBy', filter.createdBy),
  ...equalTo('updatedBy', filter.updatedBy),
  ...inRange('createdDay', filter.created),
  ...inRange('updatedDay', filter.updated),
  ...inRange('dueDay', filter.due),
  ...(filter.statuses ? [any(...filter.statuses.map((status) => inStatus(status, asOf)))] : []),
]

const equalTo = (field: Field, value: string | number | undefined): readonly Where<Field>[] =>
  value === undefined ? [] : [eq(field, value)]

const notExpired = (asOf: Instant): Where<Field> => any(eq('lapsesAt', null), gt('lapsesAt', asOf))

const inStatus = (status: LinkStatus, asOf: Instant): Where<Field> => {
  if (status === 'expired') return lte('lapsesAt', asOf)
  const isActive = eq('pausedAt', null)
  return all(notExpired(asOf), status === 'active' ? isActive : not(isActive))
}

/** The number of links of one status, and the amount received. */
export interface LinkFigures {
  readonly count: number
  readonly receivedCents: number
}

/** The figures of all links of an account, independent of filters. */
export type LinkSummary = { readonly [K in 'all' | LinkStatus]: LinkFigures }

/**
 * Counts the links of an account by status. A tally by last day counts those that expired before today; the few that
 * expire today, and the paused ones, are read one by one.
 */
const readSummary = async (store: Store, accountId: number, asOf: Instant): Promise<LinkSummary> => {
  const today = dayOf(asOf)
  const own = eq('accountId', accountId)
  const figures = { when: 'live', by: [], sum: ['receivedCents'] } as const
  const rows = await store.read({
    every: groupOf(links, { where: own, ...figures }),
    before: groupOf(links, { where: all(own, lt('dueDay', today)), ...figures }),
    today: groupOf(links, { where: all(own, gt('lapsesAt', startOfDay(today)), lte('lapsesAt', asOf)), ...figures }),
    paused: groupOf(links, { where: all(own, notExpired(asOf)), ...figures, when: 'paused' }),
  })
  const every = figuresOf(rows.every)
  const expired = addFigures(figuresOf(rows.before), figuresOf(rows.today))
  const paused = figuresOf(rows.paused)
  const rest = addFigures(expired, paused)
  const active = { count: every.count - rest.count, receivedCents: every.receivedCents - rest.receivedCents }
  return { all: every, active, paused, expired }
}

const NONE: LinkFigures = { count: 0, receivedCents: 0 }

const figuresOf = ([row]: Awaited<ReturnType<Store['group']>>): LinkFigures =>
  row ? { count: row.count, receivedCents: row.sums.receivedCents ?? 0 } : NONE

const addFigures = (one: LinkFigures, other: LinkFigures): LinkFigures => ({
  count: one.count + other.count,
  receivedCents: one.receivedCents + other.receivedCents,
})

const figuresView = view(
  'PaymentLinkFigures',
  {
    value: nullable(output.count({ about: 'Situação; null em `all`' })),
    label: output.text({ about: 'Situação, por extenso' }),
    count: output.count({ about: 'Quantos links' }),
    receivedCents: output.money({ wire: 'amount', about: 'Quanto receberam' }),
  },
  ({ status, ...figures }: LinkFigures & { readonly status: LinkStatus | null }) => ({
    ...figures,
    value: status && linkStatusValue(status),
    label: status ? LINK_STATUS_LABELS[status] : 'Todos',
  }),
)

const summaryView = view(
  'PaymentLinkSummary',
  {
    all: output.view(figuresView, { about: 'Todos os links' }),
    active: output.view(figuresView, { about: 'Os ativos' }),
    paused: output.view(figuresView, { about: 'Os pausados' }),
    expired: output.view(figuresView, { about: 'Os expirados' }),
  },
  (summary: LinkSummary) => ({
    all: { ...summary.all, status: null },
    active: { ...summary.active, status: 'active' as const },
    paused: { ...summary.paused, status: 'paused' as const },
    expired: { ...summary.expired, status: 'expired' as const },
  }),
)

/** The field beside `data` in a list of links. */
export const summaryBeside = view(
  null,
  { summary: output.view(summaryView, { about: 'Os links da conta, por situação' }) },
  ({ summary }: { readonly summary: LinkSummary }) => ({ summary }),
)

const LISTED_CHARGES = not(eq('status', 'DELETED'))
const PAID_CHARGES = isIn('status', PAID_STATUSES)

export const listLinkPayments =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: string, sent: Paging & { readonly paidOnly?: boolean } = {}) =>
    withValidInput(ports, paging, sent, (page) =>
      useCaseOf<PageOf<ChargeDetail>>()(async () => {
        const link = await findLink(ports.store, id)
        if (link?.accountId !== accountId) return left(NO_LINK)
        const of = all(eq('accountId', accountId), eq('linkId', id))
        const listed = await listPage(ports.store, charges, page, {
          where: all(of, sent.paidOnly ? PAID_CHARGES : LISTED_CHARGES),
          when: 'linked',
          sort: NEWEST_FIRST,
        })
        return right({ ...listed, records: await withClients(ports, listed.records, ports.clock.steady()) })
      }),
    )
