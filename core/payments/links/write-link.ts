import { failure, invalid, isLeft, issue, left } from '../../failure.ts'
import {
  allOptional,
  type DecodedOf,
  type InputOf,
  id,
  input,
  nullIfAbsent,
  pick,
  type Rule,
  rule,
} from '../../kernel/input/mod.ts'
import { all, check, eq, insert, newRecord, patch, type Where } from '../../kernel/records/record.ts'
import { accept, type FactsOf, type Fresh, randomCode, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { MAX_AMOUNT_CENTS } from '../../kernel/values/money.ts'
import { foldLines } from '../../kernel/values/text.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { type Challenge, findConfirmation } from '../challenges/challenge.ts'
import { bankSupports } from '../charges/new-charge.ts'
import { clients } from '../customers/client.ts'
import { auditInAccount } from '../office.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { promisedSplits, promiseShares, readSplitFacts, type Split, splitIssues, splitsField } from '../splits/split.ts'
import { fineIssues, isConsumerOf, typedFine } from '../terms.ts'
import {
  type Expiry,
  expiryInstant,
  LINK_METHODS,
  type LinkMethod,
  lastDayOf,
  linkFields,
  linkStatusAt,
  links,
  type PaymentLink,
  sealedToken,
  USED_FIELD,
} from './link.ts'
import { detailOf, findOwnLink, NO_LINK, type UsedLink } from './read-link.ts'

/** Applies only if the caller decodes with a day. */
const requiresFutureExpiry: Rule<{ readonly expiresAt?: Expiry | null }, 'day.future'> = rule(
  ['expiresAt'],
  ({ expiresAt = null }, today) =>
    expiresAt !== null && today !== null && lastDayOf(expiresAt) <= today ? [issue('expiresAt', 'day.future')] : [],
)

type Amounts = Pick<PaymentLink, 'isVariableAmount' | 'amountCents' | 'minAmountCents' | 'maxAmountCents'>

const amountRules: readonly Rule<Amounts, 'required' | 'link.max-amount'>[] = [
  rule(['isVariableAmount', 'amountCents'], ({ isVariableAmount, amountCents }) =>
    !isVariableAmount && amountCents === null ? [issue('amountCents', 'required')] : [],
  ),
  rule(['isVariableAmount', 'minAmountCents'], ({ isVariableAmount, minAmountCents }) =>
    isVariableAmount && minAmountCents === null ? [issue('minAmountCents', 'required')] : [],
  ),
  rule(['minAmountCents', 'maxAmountCents'], ({ minAmountCents, maxAmountCents }) =>
    minAmountCents !== null && maxAmountCents !== null && maxAmountCents <= minAmountCents
      ? [issue('maxAmountCents', 'link.max-amount')]
      : [],
  ),
]

export const newLink = input(
  'NewPaymentLink',
  { ...linkFields, clientId: nullIfAbsent(id({ about: 'Cliente existente' })), splits: splitsField },
  ...amountRules,
  requiresFutureExpiry,
)
export type NewLink = InputOf<typeof newLink>
export type CheckedLink = DecodedOf<typeof newLink>

/** The change of a link; an omitted field stays. */
export const linkChange = input(
  'PaymentLinkChange',
  allOptional(
    pick(
      linkFields,
      'paymentMethods',
      'passTransactionFeeToCustomer',
      'sendClientId',
      'expiresAt',
      'maxUses',
      'successUrl',
      'cancelUrl',
      'installments',
      'fineHundredths',
      'typeFine',
    ),
  ),
  requiresFutureExpiry,
)
export type LinkChange = InputOf<typeof linkChange>
export type CheckedLinkChange = DecodedOf<typeof linkChange>

/** The length of a public id, too long to guess. */
const ID_LENGTH = 22
const TOKEN_LENGTH = 40
const REFERENCE_LENGTH = 12

type LinkActor = Pick<Actor, 'userId' | 'accountId'>
type AuditedActor = LinkActor & Pick<Actor, 'origin'>
type LinkField = keyof PaymentLink & string

export const createLink = (ports: PaymentsPorts) => (actor: LinkActor & Pick<Actor, 'confirmation'>, sent: NewLink) =>
  withValidInput(ports, newLink, sent, (request) =>
    useCase(
      ports,
      async (store) => ({
        ...(await readParties(store, actor, request)),
        ...(request.splits ? await store.read(findConfirmation(ports, actor)) : {}),
      }),
      (parties, fresh) => decideLink(ports, actor, request, parties, fresh),
    ),
  )

/** Reads the account only for a fine or splits, which most links lack. The type alone may change a stored fine. */
const readParties = async (
  store: Store,
  { accountId }: LinkActor,
  { clientId = null, fineHundredths, typeFine, splits }: Partial<CheckedLink>,
) => {
  const isFined = fineHundredths === undefined ? typeFine !== undefined : fineHundredths !== null
  return {
    splits: await readSplitFacts(store, accountId, splits),
    client: clientId === null ? null : await store.find(byId(clients, clientId)),
    account: isFined || splits ? await store.find(byId(accounts, accountId)) : null,
  }
}

/** Limits a fine as that of a consumer, since the payer is unknown. Each charge limits one in reais again. */
const linkFineIssues = (
  account: Account | null,
  {
    isVariableAmount,
    amountCents,
    maxAmountCents,
    ...fine
  }: Amounts & Pick<PaymentLink, 'fineHundredths' | 'typeFine'>,
) => {
  const valueCents = (isVariableAmount ? maxAmountCents : amountCents) ?? MAX_AMOUNT_CENTS
  return fineIssues({ ...fine, valueCents }, isConsumerOf(account ?? { hasNoConsumers: null }, null))
}

type LinkFacts = FactsOf<typeof readParties> & { readonly confirmation?: Challenge | null | undefined }

const decideLink = (
  ports: Pick<PaymentsPorts, 'settings' | 'clock' | 'bank' | 'acquirer'> & { readonly cipher: Cipher },
  actor: LinkActor,
  request: CheckedLink,
  { client, account, splits, confirmation }: LinkFacts,
  fresh: Fresh,
) => {
  const { clientId } = request
  const isTheirs = client?.accountId === actor.accountId && client.removedAt === null
  const unknown = clientId !== null && !isTheirs ? [issue('clientId', 'unknown')] : []
  const ofSplits = account ? splitIssues(account, splits, request.splits, leastCents(request)) : []
  const issues = [...unknown, ...linkFineIssues(account, request), ...ofSplits]
  if (issues.length > 0) return left(invalid(issues))
  if (!isPayableBy(ports, request.paymentMethods)) return left(UNSUPPORTED_METHOD)
  const promised = promiseShares({ account, splits, confirmation }, actor, fresh)
  if (isLeft(promised)) return promised
  const link = linkOf(ports.cipher, actor, request, promisedSplits(splits, request.splits), fresh)
  const referred = clientId === null ? [] : [check(clients, clientId, eq('removedAt', null))]
  const uses = { usesCount: 0, receivedCents: 0 }
  return accept(detailOf(ports, { link, uses }), ...referred, ...promised.right, insert(links, link))
}

/** Returns the least amount that a payer may pay by the link. */
const leastCents = ({ isVariableAmount, minAmountCents, amountCents }: CheckedLink): number =>
  Math.max(1, (isVariableAmount ? minAmountCents : amountCents) ?? 0)

const UNSUPPORTED_METHOD = failure('refused', 'bank.unsupported')

/** Reports whether the bank and the acquirer support each of these methods. */
const isPayableBy = (
  { bank, acquirer }: Pick<PaymentsPorts, 'bank' | 'acquirer'>,
  methods: readonly LinkMethod[],
): boolean => methods.every((method) => (method === 'CARD' ? acquirer !== null : bankSupports(bank, method)))

const linkOf = (
  cipher: Cipher,
  { userId, accountId }: LinkActor,
  request: CheckedLink,
  splits: readonly Split[] | null,
  fresh: Fresh,
): PaymentLink => {
  const id = randomCode(fresh, ID_LENGTH)
  const token = randomCode(fresh, TOKEN_LENGTH)
  const fields = {
    ...request,
    splits: splits && [...splits],
    ...typedFine(request),
    paymentMethods: distinct(request.paymentMethods),
    referenceCode: request.referenceCode ?? randomCode(fresh, REFERENCE_LENGTH),
  }
  return newRecord(links, {
    id,
    accountId,
    ...fields,
    ...expiryFields(request.expiresAt),
    tokenSealed: sealedToken(cipher, id, token),
    usedPix: false,
    usedBoleto: false,
    usedCard: false,
    cardPayments: 0,
    receivedCents: 0,
    createdBy: userId,
    createdAt: fresh.now,
    createdDay: fresh.today,
    updatedAt: fresh.now,
    updatedDay: fresh.today,
    search: foldLines([fields.title, fields.description, fields.referenceCode]),
  })
}

const distinct = (methods: readonly LinkMethod[]): LinkMethod[] => [...new Set(methods)]

/** Returns the stored fields of the expiry. */
const expiryFields = (expiresAt: PaymentLink['expiresAt']): Pick<PaymentLink, 'lapsesAt' | 'dueDay'> => ({
  lapsesAt: expiresAt === null ? null : expiryInstant(expiresAt),
  dueDay: expiresAt === null ? null : lastDayOf(expiresAt),
})

export const updateLink = (ports: PaymentsPorts) => (actor: LinkActor, id: string, sent: LinkChange) =>
  withValidInput(ports, linkChange, sent, (request) =>
    useCase(
      ports,
      async (store) => ({
        used: await findOwnLink(store, actor.accountId, id),
        account: (await readParties(store, actor, request)).account,
      }),
      ({ used, account }, fresh) => decideLinkChange(ports, used, account, actor, request, fresh),
    ),
  )

const decideLinkChange = (
  ports: Parameters<typeof detailOf>[0] & Pick<PaymentsPorts, 'bank' | 'acquirer'>,
  used: UsedLink | null,
  account: Account | null,
  { userId }: LinkActor,
  request: CheckedLinkChange,
  fresh: Fresh,
) => {
  if (!used) return left(NO_LINK)
  const { link } = used
  if (linkStatusAt(link, fresh.steady) === 'expired') return left(failure('conflict', 'link.expired'))
  const { paymentMethods, expiresAt } = request
  const dropped = paymentMethods ? LINK_METHODS.filter((method) => !paymentMethods.includes(method)) : []
  if (dropped.some((method) => link[USED_FIELD[method]]))
    return left(invalid([issue('paymentMethods', 'link.method-used')]))
  if (paymentMethods && !isPayableBy(ports, paymentMethods)) return left(UNSUPPORTED_METHOD)
  if (Object.keys(request).length === 0) return accept(detailOf(ports, used))
  const { fineHundredths = link.fineHundredths, typeFine = link.typeFine } = request
  const fine = typedFine({ fineHundredths, typeFine })
  const isFined = fine.fineHundredths !== link.fineHundredths || fine.typeFine !== link.typeFine
  const issues = isFined ? linkFineIssues(account, { ...link, ...fine }) : []
  if (issues.length > 0) return left(invalid(issues))
  const set: Partial<PaymentLink> = {
    ...request,
    ...(isFined && fine),
    ...(paymentMethods && { paymentMethods: distinct(paymentMethods) }),
    ...(expiresAt !== undefined && expiryFields(expiresAt)),
    updatedBy: userId,
    updatedAt: fresh.now,
    updatedDay: fresh.today,
  }
  const unused = dropped.map((method): Where<LinkField> => eq(USED_FIELD[method], false))
  const when = all(eq('removedAt', null), ...unused)
  return accept(detailOf(ports, { ...used, link: { ...link, ...set } }), patch(links, link.id, { set, when }))
}

/**
 * Stops or continues the payments by a link. A repetition changes nothing. A payment that began before the pause, and
 * its charge, stay payable.
 */
const setPause = (ports: PaymentsPorts, isPaused: boolean) => (actor: AuditedActor, id: string) =>
  useCase(
    ports,
    (store) => findOwnLink(store, actor.accountId, id),
    (used, fresh) => {
      if (!used) return left(NO_LINK)
      const { link } = used
      if (linkStatusAt(link, fresh.steady) === 'expired') return left(failure('conflict', 'link.expired'))
      if (isPaused === (link.pausedAt !== null)) return accept(detailOf(ports, used))
      const { now: updatedAt, today: updatedDay } = fresh
      const set = { pausedAt: isPaused ? updatedAt : null, updatedBy: actor.userId, updatedAt, updatedDay }
      return accept(
        detailOf(ports, { ...used, link: { ...link, ...set } }),
        patch(links, id, { set, when: all(eq('removedAt', null), eq('pausedAt', link.pausedAt)) }),
        ...auditInAccount(fresh, actor, actor.accountId, isPaused ? 'link.paused' : 'link.resumed', `link:${id}`),
      )
    },
  )

export const pauseLink = (ports: PaymentsPorts) => setPause(ports, true)

export const resumeLink = (ports: PaymentsPorts) => setPause(ports, false)

export const removeLink = (ports: PaymentsPorts) => (actor: LinkActor, id: string) =>
  useCase(
    ports,
    (store) => findOwnLink(store, actor.accountId, id),
    (used, fresh) => {
      if (!used) return left(NO_LINK)
      const set = { removedAt: fresh.now, updatedBy: actor.userId, updatedAt: fresh.now, updatedDay: fresh.today }
      return accept(null, patch(links, used.link.id, { set, when: eq('removedAt', null) }))
    },
  )
