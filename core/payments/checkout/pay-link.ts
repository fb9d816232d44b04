import { type Failure, failure, invalid, isLeft, issue, left, right, throttled } from '../../failure.ts'
import {
  type DecodedOf,
  either,
  type InputOf,
  input,
  integer,
  money,
  nullIfAbsent,
  oneOf,
  pick,
  requiredWhen,
} from '../../kernel/input/mod.ts'
import { all, type Change, ensure, eq, expiringCollection, has, patch, record, t } from '../../kernel/records/record.ts'
import {
  accept,
  type FactsOf,
  type Fresh,
  mapUseCase,
  operationUseCase,
  startOperation,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { addDays, addSeconds, dayOf, type Instant, secondsBetween } from '../../kernel/values/day.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import { LINK_CHARGES } from '../../limits.ts'
import { byId, type Store } from '../../ports/store.ts'
import { networkOfTry } from '../access/code-tries.ts'
import { writableAccount } from '../accounts/account.ts'
import type { JoinedOperation } from '../bank/operation.ts'
import { readLinkPlaces, takeLinkPlaces } from '../bounded-count.ts'
import { cardOf, noCardDigits, printedCard, printedNotExpired } from '../cards/card.ts'
import { waitForCards } from '../cards/card-tries.ts'
import { type Charge, chargeFields, charges, statusAt } from '../charges/charge.ts'
import type { ChargeDetail } from '../charges/detail.ts'
import {
  buildCharge,
  type ChargeRequest,
  countCardTry,
  readChargeFacts,
  resumeCharge,
  type StartedCharge,
  sendCharge,
  withCardTries,
} from '../charges/issue.ts'
import { payerFields } from '../customers/client.ts'
import {
  isUsedUp,
  LINK_METHODS,
  type LinkMethod,
  links,
  MAX_LINK_INSTALLMENTS,
  type PaymentLink,
  USED_FIELD,
} from '../links/link.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { isConsumerOf, lawfulFine } from '../terms.ts'
import { findOpenLink, type LinkKey, type OpenLink, payableCents, requireOpenLink } from './open-link.ts'

/** A payment by a link; the payer is a client of the account or becomes one. */
export const linkPayment = input(
  'PaymentLinkPayment',
  {
    paymentMethod: oneOf(LINK_METHODS, { about: 'Meio de pagamento' }),
    payer: either(pick(chargeFields, 'clientId'), payerFields),
    amountCents: nullIfAbsent(money({ wire: 'amount', about: 'Valor, onde quem paga o escolhe' })),
    installments: nullIfAbsent(integer({ min: 1, max: MAX_LINK_INSTALLMENTS, about: 'Parcelas, no cartão' })),
    address: chargeFields.address,
    card: nullIfAbsent(printedCard({ about: 'Cartão' })),
  },
  requiredWhen(['address', 'card'], 'paymentMethod', 'CARD'),
  printedNotExpired,
  noCardDigits,
)
export type LinkPayment = InputOf<typeof linkPayment>
export type CheckedPayment = DecodedOf<typeof linkPayment>

const requestedCents = (link: Pick<PaymentLink, 'isVariableAmount' | 'amountCents'>, sent: CheckedPayment): number =>
  (link.isVariableAmount ? sent.amountCents : link.amountCents) ?? 0

/** Checks a payment against the methods, installments and amounts of the link. */
export const linkIssues = (link: PaymentLink, request: CheckedPayment) => {
  const { paymentMethods, installments: max } = link
  const isOther = !paymentMethods.includes(request.paymentMethod)
  const isOver = request.paymentMethod === 'CARD' && (request.installments ?? 1) > max
  return [
    ...(isOther ? [issue('paymentMethod', 'one-of', { values: paymentMethods.join(', ') })] : []),
    ...(isOver ? [issue('installments', 'integer.max', { max })] : []),
    ...amountIssues(link, request),
  ]
}

const MIN_CENTS = 1

const amountIssues = (
  { isVariableAmount, minAmountCents, maxAmountCents }: PaymentLink,
  { amountCents }: CheckedPayment,
) => {
  if (!isVariableAmount) return []
  if (amountCents === null) return [issue('amountCents', 'required')]
  const least = Math.max(MIN_CENTS, minAmountCents ?? 0)
  if (amountCents < least) return [issue('amountCents', 'money.min', { min: reaisFromCents(least) })]
  const isOver = maxAmountCents !== null && amountCents > maxAmountCents
  return isOver ? [issue('amountCents', 'money.max', { max: reaisFromCents(maxAmountCents) })] : []
}

/** The charge of a payment by a link. */
export interface PaymentOfLink extends ChargeDetail {
  readonly method: LinkMethod
  /** The URL for the payer after the payment; null if the link has none. */
  readonly successUrl: string | null
}

export const payLink = (ports: PaymentsPorts) => (by: LinkKey, sent: LinkPayment) =>
  withValidInput(ports, linkPayment, sent, (request) =>
    useCaseOf<PaymentOfLink>()(async (hooks) => {
      const opened = requireOpenLink(ports.cipher, await findOpenLink(ports.store, by.id), by, ports.clock.steady())
      if (isLeft(opened)) return opened
      return mapUseCase(startPayment(ports, by, request, opened.right.link.accountId), (detail) => ({
        ...detail,
        method: request.paymentMethod,
        successUrl: successUrlOf(opened.right.link, detail),
      }))(hooks)
    }),
  )

const startPayment = (ports: PaymentsPorts, by: LinkKey, request: CheckedPayment, accountId: number) =>
  operationUseCase(
    waitForCards(
      ports,
      accountId,
      startOperation(
        ports,
        (store) => readFacts(ports, store, by, request),
        (facts, fresh) => decidePayment(ports, facts, by, request, fresh),
      ),
    ),
    (started) =>
      started.order === null
        ? resumeCharge(ports)(started.intent)
        : sendCharge(ports, started, request.card && cardOf(request.card)),
    resumeCharge(ports),
  )

const readFacts = async (
  ports: PaymentsPorts,
  store: Store,
  { id, origin }: LinkKey,
  { payer, paymentMethod, card }: CheckedPayment,
) => {
  const open = await findOpenLink(store, id)
  const issuer = { userId: open?.link.createdBy ?? 0, accountId: open?.link.accountId ?? 0 }
  const charge = await readChargeFacts(ports, store, issuer, { payer, paymentMethod: CHARGE_METHODS[paymentMethod] })
  const network = networkOfTry(origin)
  const charged = paymentMethod === 'CARD' ? card : null
  return {
    open,
    charge: await withCardTries(ports, store, charge, { payer, card: charged }, network),
    payer: await readPayerFacts(store, id, charge.client?.id ?? null),
    places: await readLinkPlaces(ports, store, id, network, dayOf(ports.clock.steady())),
  }
}

/** Returns the link's `successUrl`, with `client_id` appended if the link has `sendClientId`. */
export const successUrlOf = (
  { successUrl, sendClientId }: Pick<PaymentLink, 'successUrl' | 'sendClientId'>,
  { client }: Pick<ChargeDetail, 'client'>,
): string | null => {
  if (successUrl === null || !sendClientId) return successUrl
  const [address = '', ...fragment] = successUrl.split('#')
  const separator = address.includes('?') ? '&' : '?'
  return [`${address}${separator}client_id=${client.id}`, ...fragment].join('#')
}

type PaymentFacts = FactsOf<typeof readFacts>

/** A started charge, or the payer's open charge, whose id is `intent`. */
export type StartedPayment = StartedCharge | JoinedOperation

type DecidingPorts = Parameters<typeof buildCharge>[0] & Pick<PaymentsPorts, 'cipher' | 'settings'>

const CHARGE_METHODS = { PIX: 'PIX', BOLETO: 'BOLETO', CARD: 'CREDIT_CARD' } as const
/** The days until a boleto is due. */
const BOLETO_DAYS = 3

const PROCESSING = failure('refused', 'link.processing')

/**
 * Issues a charge of the link's account in the name of the link's creator, if the link accepts the payment. If the
 * payer has an open charge of the same method and amount, returns that charge. An undecided card payment reserves one
 * of limited uses, so that two payers cannot take the last use.
 */
const decidePayment = (
  ports: DecidingPorts,
  { open, charge: facts, payer, places }: PaymentFacts,
  by: LinkKey,
  request: CheckedPayment,
  fresh: Fresh,
) => {
  const opened = requireOpenLink(ports.cipher, open, by, fresh.steady)
  if (isLeft(opened)) return opened
  const { link } = opened.right
  const writable = writableAccount(opened.right.account)
  if (isLeft(writable)) return writable
  const issues = linkIssues(link, request)
  if (issues.length > 0) return left(invalid(issues))
  const document = 'clientId' in request.payer ? (facts.client?.document ?? null) : request.payer.document
  const wanted = buildChargeRequest(opened.right, request, document, fresh)
  const same = findSameCharge(payer, wanted, fresh.steady)
  if (same) return accept<StartedPayment>({ intent: `${same.id}`, order: null }, ...hidePayer(same))
  const held = reserveUse(opened.right, request)
  if (held === null) return left(PROCESSING)
  const issuer = { userId: link.createdBy, accountId: link.accountId }
  const more = requireOpenSlot(payer, fresh.steady)
  if (isLeft(more)) return more
  const placed = takeLinkPlaces(ports, places, { accountId: link.accountId, linkId: link.id }, fresh)
  if (isLeft(placed)) return placed
  const tried = countCardTry(facts, fresh)
  if (isLeft(tried)) return tried
  const made = buildCharge(ports, facts, issuer, { ...wanted, linkPlace: placed.right.place }, fresh, tried.right)
  if (isLeft(made)) return left(withSentNames(made.left))
  const { started, charge, changes } = made.right
  const guards = [...placed.right.changes, ...addOpenCharge(payer, more.right, charge, fresh)]
  return accept<StartedPayment>(started, ...changes, ...recordMethodUse(link, request), ...held, ...guards)
}

/** Hides the payer's data on the public pages of a charge that another request receives. */
const hidePayer = ({ id, status, isVeiled }: Charge): readonly Change[] =>
  isVeiled ? [] : [patch(charges, id, { set: { isVeiled: true }, when: eq('status', status) })]

/**
 * Builds the request of a link's charge; the account's default discount does not apply to it. The fine of the link is
 * limited to the legal maximum for this payer and amount.
 */
const buildChargeRequest = (
  { link, account }: OpenLink,
  request: CheckedPayment,
  document: string | null,
  { today }: Pick<Fresh, 'today'>,
): ChargeRequest => {
  const { paymentMethod, payer, address, card, installments } = request
  const isCard = paymentMethod === 'CARD'
  const valueCents = payableCents(link, paymentMethod, requestedCents(link, request), account.taxes)
  return {
    ...lawfulFine({ ...link, valueCents }, isConsumerOf(account, document)),
    valueCents,
    paymentMethod: CHARGE_METHODS[paymentMethod],
    dueDate: paymentMethod === 'BOLETO' ? addDays(today, BOLETO_DAYS) : today,
    payer,
    address,
    card: isCard && card ? cardOf(card) : null,
    installments: isCard ? (installments ?? 1) : null,
    linkId: link.id,
    promised: link.splits,
    webhook: link.webhookUrl,
    description: link.title,
    discountHundredths: 0,
  }
}

/**
 * Returns the changes that reserve a use for a card payment; null if undecided card payments reserve all that are left.
 * Pix and boleto reserve none, since their late payments are accepted too.
 */
const reserveUse = (
  { link, uses, processing }: OpenLink,
  { paymentMethod }: CheckedPayment,
): readonly Change[] | null => {
  const { id, maxUses, cardPayments } = link
  if (isUsedUp(link, { ...uses, usesCount: uses.usesCount + processing })) return null
  if (paymentMethod !== 'CARD' || maxUses === null) return []
  const when = all(eq('cardPayments', cardPayments), eq('maxUses', maxUses), eq('removedAt', null))
  return [patch(links, id, { add: { cardPayments: 1 }, when })]
}

/** Records the first payment by a method: a used method cannot be removed from the link. */
const recordMethodUse = (link: PaymentLink, { paymentMethod }: CheckedPayment): readonly Change[] => {
  const used = USED_FIELD[paymentMethod]
  if (link[used]) return []
  const when = all(has('paymentMethods', paymentMethod), eq('removedAt', null))
  return [patch(links, link.id, { set: { [used]: true }, when })]
}

/** Reports wrong fields of the charge by the names of the payer's input. */
const withSentNames = <C extends string, I extends string>(wrong: Failure<C, I>): Failure<C, I> => {
  if (wrong.tag !== 'invalid') return wrong
  return {
    ...wrong,
    issues: wrong.issues.map((each) => (each.path === 'valueCents' ? { ...each, path: 'amountCents' } : each)),
  }
}

const linkPayer = record({
  /** The link and the client: `Rk9vQmFyQmF6UXV4Q29ycm|7`. */
  id: t.string,
  accountId: t.number,
  /** The charges that were open when the newest of them was made. */
  openIds: t.array(t.number),
  /** The number of charges issued: of two simultaneous ones the second is retried and reads the first. */
  version: t.number,
  expiresAt: t.string,
})

/** The guard record of a payer's open charges by a link; each new charge patches it. */
export const linkPayers = expiringCollection('payments.link-payers', linkPayer, 'accountId')

/** Longer than a boleto of a link is payable. */
const STORED_SECONDS = 60 * 86_400
/** The `Retry-After` if no open charge has an expiry: undecided cards. */
const WAIT_SECONDS = 3_600

/** The guard record of a payer, and the charges in it. */
export type PayerFacts = FactsOf<typeof readPayerFacts>

const payerId = (linkId: string, clientId: number): string => `${linkId}|${clientId}`

/** Reads a payer's charges by a link; none for a new client. */
export const readPayerFacts = async (store: Store, linkId: string, clientId: number | null) => {
  const known = clientId === null ? null : await store.find(byId(linkPayers, payerId(linkId, clientId)))
  if (known === null) return { known, charges: [] }
  const found = await store.read(Object.fromEntries(known.openIds.map((id) => [id, byId(charges, id)])))
  return { known, charges: Object.values(found).filter((charge) => charge !== null) }
}

const openOf = ({ charges: found }: PayerFacts, now: Instant): readonly Charge[] =>
  found.filter((charge) => statusAt(charge, now) === 'pending')

/** Finds the payer's open charge of the same method and amount. */
const findSameCharge = (
  facts: PayerFacts,
  { paymentMethod, valueCents }: Pick<Charge, 'paymentMethod' | 'valueCents'>,
  now: Instant,
): Charge | null =>
  openOf(facts, now).find((charge) => charge.paymentMethod === paymentMethod && charge.valueCents === valueCents) ??
  null

/** Checks the limit of open charges of a payer. Fails: `link.throttled`, until the next one expires. */
const requireOpenSlot = (facts: PayerFacts, now: Instant) => {
  const open = openOf(facts, now)
  if (open.length < LINK_CHARGES.openOfPayer) return right(open)
  const ends = open.flatMap(({ lapsesAt }) => (lapsesAt === null ? [] : [secondsBetween(now, lapsesAt)]))
  return left(throttled('link.throttled', Math.min(WAIT_SECONDS, ...ends)))
}

/** Adds a charge to the guard record. The commit is stale if another charge was added since the read. */
const addOpenCharge = (
  { known }: PayerFacts,
  open: readonly Charge[],
  { id: chargeId, accountId, clientId, linkId }: Charge,
  { steady }: Pick<Fresh, 'steady'>,
): readonly Change[] => {
  const id = payerId(linkId ?? '', clientId)
  const version = known?.version ?? 0
  const expiresAt = addSeconds(steady, STORED_SECONDS)
  return [
    ensure(linkPayers, { id, accountId, openIds: [], version: 0, expiresAt }),
    patch(linkPayers, id, {
      set: { openIds: [...open.map((charge) => charge.id), chargeId], version: version + 1, expiresAt },
      when: eq('version', version),
    }),
  ]
}
