import { failure } from '../../failure.ts'
import { nullable } from '../../kernel/input/field.ts'
import { pick } from '../../kernel/input/input.ts'
import { id, line, timestamp } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import { readUseCase } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { byId, type Store } from '../../ports/store.ts'
import { clients } from '../customers/client.ts'
import { users } from '../members/user.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import {
  type LinkUses,
  linkFields,
  linkStatusAt,
  linkStatusView,
  links,
  type PaymentLink,
  publicUrlOf,
  usesByLink,
  usesQuery,
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
    publicUrl: output.text({ about: 'Endereço que se manda a quem paga' }),
    createdAt: timestamp({ about: 'Criação' }),
    updatedAt: timestamp({ about: 'Última alteração' }),
  },
  ({ link, uses, publicUrl, asOf }: LinkDetail) => ({
    ...link,
    status: linkStatusAt(link, asOf),
    usesCount: uses.usesCount,
    publicUrl,
  }),
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

const namedView = view(
  'Named',
  { id: id({ about: 'Identificador' }), name: line({ max: 255, about: 'Nome' }) },
  (named: NamedRecord) => named,
)

export const fullLinkView = view(
  'FullPaymentLink',
  {
    ...linkView.table,
    creator: nullable(output.view(namedView, { about: 'Quem criou' })),
    updater: nullable(output.view(namedView, { about: 'Quem alterou por último' })),
    customer: nullable(output.view(namedView, { about: 'O cliente para quem foi feito' })),
  },
  (detail: FullLink) => {
    const { creator, updater, customer } = detail
    return { ...linkView.of(detail), creator, updater, customer }
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

const findUsedLink = async (store: Store, id: string): Promise<UsedLink | null> => {
  const known = await findLink(store, id)
  if (!known) return null
  const { link, uses } = await store.read({ link: byId(links, id), uses: usesQuery(known.accountId, [id]) })
  return link?.removedAt === null ? { link, uses: usesByLink(uses)(id) } : null
}

/** Finds a link of this account. */
export const findOwnLink = async (store: Store, accountId: number, id: string): Promise<UsedLink | null> => {
  const found = await findUsedLink(store, id)
  return found?.link.accountId === accountId ? found : null
}

/** Returns the link for output, as of now. */
export const detailOf = (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings' | 'clock'>,
  { link, uses }: UsedLink,
): LinkDetail => {
  const { tokenSealed: _, cardPayments: __, ...shown } = link
  return { link: shown, uses, publicUrl: publicUrlOf(ports, link), asOf: ports.clock.steady() }
}

export const readLink =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: string) =>
    readUseCase('link.unknown', async (): Promise<FullLink | null> => {
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
