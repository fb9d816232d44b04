import { failure, type Issue, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { all, type Change, eq, insert, type NewFields, newRecord } from '../../kernel/records/record.ts'
import { tenantKey } from '../../kernel/resources/queries.ts'
import {
  accept,
  type Fresh,
  operationUseCase,
  randomCode,
  startOperation,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { brandOf, type CardBrand, last4Of } from '../../kernel/values/card-number.ts'
import { parseId } from '../../kernel/values/text.ts'
import type { TitleMethod, TitleOrder } from '../../ports/bank.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts, writableAccount } from '../accounts/account.ts'
import { beginOperation, type StartedBankOperation, subjectOf } from '../bank/operation.ts'
import { brandIssues, type Card } from '../cards/card.ts'
import { countTry, readCardTries, waitForCards } from '../cards/card-tries.ts'
import { type Challenge, findConfirmation } from '../challenges/challenge.ts'
import { type Client, checkPayer, client as clientResource, clients } from '../customers/client.ts'
import { bookOf, type LedgerAccount } from '../ledger/ledger.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import {
  promisedSplits,
  promiseShares,
  readSplitFacts,
  type Split,
  type SplitFacts,
  splitIssues,
} from '../splits/split.ts'
import { fineIssues, isConsumerOf } from '../terms.ts'
import { beginCardOperation, chargeCard, readCardFacts, resumeCard, type StoredCardOrder, sendCard } from './card.ts'
import { type Charge, charges, lapsesAtOf, searchTextOf } from './charge.ts'
import { type ChargeDetail, dueOn } from './detail.ts'
import {
  amountIssues,
  bankSupports,
  chargeTerms,
  type DecodedCharge,
  type NewCharge,
  newCharge,
  type References,
  readReferences,
  referenceIssues,
} from './new-charge.ts'
import { CREATE_TITLE, createTitle, issueFeeOf, reserveIssueFee, resumeTitle, sendTitle, titleOrder } from './titles.ts'

export const issueCharge = (ports: PaymentsPorts) => (actor: Issuer, submitted: NewCharge) =>
  withValidInput(ports, newCharge, submitted, (request) =>
    operationUseCase(
      waitForCards(
        ports,
        actor.accountId,
        startOperation(
          ports,
          async (store) =>
            withCardTries(ports, store, await readChargeFacts(ports, store, actor, request), {
              payer: request.payer,
              card: request.paymentMethod === 'CREDIT_CARD' ? request.card : null,
            }),
          (facts, fresh) => {
            const tried = countCardTry(facts, fresh)
            return isLeft(tried) ? tried : decideIssue(ports, facts, actor, request, fresh, tried.right)
          },
        ),
      ),
      (started) => sendCharge(ports, started, request.card),
      resumeCharge(ports),
    ),
  )

/** The user who issues a charge, and the account. */
export type Issuer = Pick<Actor, 'userId' | 'accountId' | 'confirmation'>

/** The facts for the decision on a new charge. */
export interface ChargeFacts extends References {
  /** The counts of card tries; absent without a card. */
  readonly tries?: Awaited<ReturnType<typeof readCardTries>>
  readonly account: Account | null
  readonly client: Client | null
  readonly book: LedgerAccount | null
  /** The receivers of the requested splits. */
  readonly splits: SplitFacts
  /** The confirmation that the issuer attached; absent without one. */
  readonly confirmation?: Challenge | null
}

type KnownPayer = Extract<DecodedCharge['payer'], { readonly clientId: number }>
type PayerData = Omit<Exclude<DecodedCharge['payer'], KnownPayer>, 'email'> & { readonly email: string | null }

/** A validated request for a charge, with the fields that its source sets. The payer's e-mail may be unknown. */
export type ChargeRequest = Omit<NewFields<DecodedCharge>, 'payer'> & { readonly payer: KnownPayer | PayerData } & {
  readonly linkId?: string | null
  readonly linkPlace?: Charge['linkPlace']
  readonly isInstant?: boolean
  /** The splits of its payment link, which were checked when the link was created. */
  readonly promised?: readonly Split[] | null
}

interface Parties {
  readonly account: Account
  readonly client: Client
}

type TitleRequest = ChargeRequest & Partial<CountedRequest> & { readonly paymentMethod: TitleMethod }

type DecidingPorts = Pick<PaymentsPorts, 'cipher' | 'bank' | 'acquirer'>

const CODE_LENGTH = 22

export const readChargeFacts = async (
  ports: Pick<PaymentsPorts, 'digest'>,
  store: Store,
  { accountId, ...by }: Issuer,
  {
    payer,
    paymentMethod,
    splits = null,
    ...named
  }: Pick<ChargeRequest, 'payer' | 'paymentMethod'> &
    Partial<Pick<ChargeRequest, 'chargeGroupId' | 'paymentPlanId' | 'splits'>>,
): Promise<ChargeFacts> => {
  const known = await store.read({
    account: byId(accounts, accountId),
    client:
      'clientId' in payer
        ? byId(clients, payer.clientId)
        : byKey(clients, 'document', tenantKey(accountId, payer.document)),
    ...(splits ? findConfirmation(ports, by) : {}),
  })
  // Only a boleto has a fee that is reserved at issue.
  const isCharged = known.account !== null && issueFeeOf(paymentMethod, known.account) !== null
  const book = isCharged ? await store.find(bookOf(accountId)) : null
  const receivers = await readSplitFacts(store, accountId, splits)
  return { book, splits: receivers, ...known, ...(await readReferences(store, accountId, named)) }
}

/** Decides as `decideCharge` does, and promises the requested splits. Fails also: `second-factor.required`. */
const decideIssue = (
  ports: DecidingPorts,
  facts: ChargeFacts,
  issuer: Issuer,
  request: ChargeRequest,
  fresh: Fresh,
  tried: CountedTry,
) => {
  const made = buildCharge(ports, facts, issuer, request, fresh, tried)
  if (isLeft(made)) return made
  const promised = promiseShares(facts, issuer, fresh)
  if (isLeft(promised)) return promised
  return accept<StartedCharge>(made.right.started, ...promised.right, ...made.right.changes)
}

/** Decides on a pending charge and the operation that requests its title or charges its card, without new promises. */
export const decideCharge = (
  ports: DecidingPorts,
  facts: ChargeFacts,
  issuer: Issuer,
  request: ChargeRequest,
  fresh: Fresh,
  tried: CountedTry = NO_TRIES,
) => {
  const made = buildCharge(ports, facts, issuer, request, fresh, tried)
  return isLeft(made) ? made : accept<StartedCharge>(made.right.started, ...made.right.changes)
}

/** Builds a pending charge and returns it with its changes, for a caller that commits further changes with it. */
export const buildCharge = (
  ports: DecidingPorts,
  facts: ChargeFacts,
  issuer: Issuer,
  request: ChargeRequest,
  fresh: Fresh,
  tried: CountedTry = NO_TRIES,
) => {
  const writable = writableAccount(facts.account)
  if (isLeft(writable)) return writable
  const account = writable.right
  const payer = findPayer(facts, account, request)
  const issues = [
    ...issuesOf(facts, account, request),
    ...fineIssues(request, isConsumerOf(account, payer?.document ?? null)),
    ...(payer ? [] : [issue('payer.clientId', 'unknown')]),
  ]
  if (!payer || issues.length > 0) return left(invalid(issues, causeOf(issues)))
  const { record: client, changes } = buildClient(account, payer, fresh)
  const made = buildByMethod(
    ports,
    { account, client },
    issuer,
    { isKnown: 'id' in payer, cardTries: tried.tries, ...request, promised: splitsOfRequest(facts, request) },
    fresh,
  )
  if (!made) return left(failure('refused', 'bank.unsupported'))
  const started: StartedCharge = made.started
  return right({ started, charge: made.charge, changes: [...changes, ...tried.changes, ...made.changes] })
}

/** Returns the splits of a new charge: those of its payment link, else the requested ones; null without any. */
export const splitsOfRequest = (
  { splits }: Pick<ChargeFacts, 'splits'>,
  request: Pick<ChargeRequest, 'splits' | 'promised'>,
): readonly Split[] | null => request.promised ?? promisedSplits(splits, request.splits)

/** A counted card try, and the ids of its counts; empty for other payment methods. */
export interface CountedTry {
  readonly tries: Charge['cardTries']
  readonly changes: readonly Change[]
}

const NO_TRIES: CountedTry = { tries: null, changes: [] }

/** Counts the try of a card charge, before the charge is decided. Fails: `card.throttled`, `card.waiting`. */
export const countCardTry = ({ account, tries }: ChargeFacts, fresh: Fresh) =>
  account && tries ? countTry(tries, account.id, fresh) : right(NO_TRIES)

/** Adds the counts of card tries: by payer, by card number and, for the caller of a payment link, by network. */
export const withCardTries = async (
  ports: Pick<PaymentsPorts, 'cipher'>,
  store: Store,
  facts: ChargeFacts,
  { payer, card }: Pick<ChargeRequest, 'payer'> & { readonly card: Pick<Card, 'cardNumber'> | null },
  address: string | null = null,
): Promise<ChargeFacts> => {
  if (!card || !facts.account) return facts
  const named = 'document' in payer ? payer.document : (facts.client?.document ?? `client ${payer.clientId}`)
  const by = { document: named, card: card.cardNumber, address }
  return { ...facts, tries: await readCardTries(ports, store, facts.account.id, by) }
}

/** A request whose card try was counted; `isKnown` if the payer is an existing client. */
type CountedRequest = ChargeRequest & { readonly isKnown: boolean; readonly cardTries: Charge['cardTries'] }

/** Builds a title charge or a card charge; null if neither the bank nor an acquirer supports the payment method. */
const buildByMethod = (
  ports: DecidingPorts,
  parties: Parties,
  issuer: Issuer,
  request: CountedRequest,
  fresh: Fresh,
) => {
  const { card, paymentMethod } = request
  if (bankSupports(ports.bank, paymentMethod))
    return buildTitleCharge(ports, parties, issuer, { ...request, paymentMethod }, fresh)
  const brand = card && brandOf(card.cardNumber)
  const isCharged = paymentMethod === 'CREDIT_CARD' && ports.acquirer !== null
  return isCharged && brand ? buildCardCharge(ports, parties, issuer, { brand, ...request, card }, fresh) : null
}

/** A started operation: a title at the bank, or a card at the acquirer. */
export type StartedCharge = StartedBankOperation<TitleOrder, Charge> | StartedBankOperation<StoredCardOrder>

/** An unsupported card brand has a failure code of its own. */
const causeOf = (issues: readonly Issue[]): 'fields' | 'card.unsupported' =>
  issues.some(({ code }) => code === 'card.unsupported') ? 'card.unsupported' : 'fields'

/** Builds a charge with a title from a valid request of an existing client. One commit may contain several. */
export const buildTitleCharge = (
  { cipher, bank }: DecidingPorts,
  { account, client }: Parties,
  issuer: Issuer,
  request: TitleRequest,
  fresh: Fresh,
) => {
  const intent = randomCode(fresh, bank.txidLength)
  const charge = pendingCharge({ account, client, txid: intent }, issuer, request, fresh)
  const order = titleOrder(intent, request.paymentMethod, { charge, account, client })
  const input = { id: intent, accountId: account.id, subject: subjectOf(charges, charge.id), order }
  const { started: operation, change } = beginOperation(cipher, CREATE_TITLE, input, fresh)
  // The payer of a link's charge may be hidden while the bank is called, which no guard detects: it is read again.
  const started: StartedBankOperation<TitleOrder, Charge> =
    charge.linkId === null ? { committed: charge, ...operation } : operation
  return { charge, client, started, changes: [insert(charges, charge), change, ...reserveIssueFee(charge)] }
}

type CardRequest = Omit<CountedRequest, 'card'> & { readonly card: Card; readonly brand: CardBrand }

/** Builds a card charge of the amount due today; the brand is checked before. */
const buildCardCharge = (
  { cipher }: Pick<DecidingPorts, 'cipher'>,
  { account, client }: Parties,
  issuer: Issuer,
  { card, brand, ...request }: CardRequest,
  fresh: Fresh,
) => {
  const { cardNumber, cardholderName: holder } = card
  const unpaid = pendingCharge({ account, client, txid: null }, issuer, request, fresh)
  const charge = {
    ...unpaid,
    card: {
      brand,
      last4: last4Of(cardNumber),
      holder,
      installments: request.installments ?? 1,
      valueCents: dueOn(unpaid, fresh.today),
      token: null,
      feeCents: null,
      netCents: null,
    },
  }
  const { started, change } = beginCardOperation(cipher, charge, account, fresh)
  return { charge, started, changes: [insert(charges, charge), change] }
}

/** The client fields that the input of a payer does not have. */
const UNKNOWN_DETAILS = { type: null, gender: null, birthdate: null, metadata: null }

/** Returns the payer as a client, with the changes that create it, or the guard of a stored one (`samePayer`). */
export const buildClient = ({ id }: Account, payer: Client | PayerData, fresh: Fresh) => {
  if (!('id' in payer)) return clientResource.build(id, { ...UNKNOWN_DETAILS, ...payer }, fresh)
  return { record: payer, changes: checkPayer(payer, samePayer(payer)) }
}

/** The guard that a client is not removed and has the document that limits its late fine. */
const samePayer = ({ document }: Client) => all(eq('removedAt', null), eq('document', document))

/** Returns the client who pays, or the data of a new one; null if the referenced client is not the account's. */
export const findPayer = ({ client }: ChargeFacts, account: Account, { payer }: Pick<ChargeRequest, 'payer'>) => {
  if (!('clientId' in payer)) return client ?? payer
  return client?.accountId === account.id && client.removedAt === null ? client : null
}

const issuesOf = ({ book, ...found }: ChargeFacts, account: Account, request: ChargeRequest) => {
  const { paymentMethod, valueCents, linkId } = request
  return [
    ...(paymentMethod === 'CREDIT_CARD' ? cardIssues(request) : []),
    ...amountIssues(account, book, { valueCents, paymentMethod, issueFee: issueFeeOf(paymentMethod, account, linkId) }),
    ...referenceIssues(found, request),
    ...splitIssues(account, found.splits, request.splits, valueCents),
  ]
}

/** A card charge requires card data, also from callers that do not use `newCharge`. */
const cardIssues = ({ card }: Pick<ChargeRequest, 'card'>) => (card ? brandIssues(card) : [issue('card', 'required')])

const pendingCharge = (
  { account, client, txid }: Parties & Pick<Charge, 'txid'>,
  issuer: Issuer,
  request: ChargeRequest & Partial<CountedRequest>,
  fresh: Fresh,
): Charge => {
  const { payer: _, card: __, splits: ___, promised, isKnown = true, linkId = null, ...plain } = request
  const found = { code: randomCode(fresh, CODE_LENGTH), txid, nossoNumero: null }
  return newRecord(charges, {
    id: fresh.id(charges),
    accountId: account.id,
    ...found,
    status: 'pending',
    ...plain,
    ...chargeTerms(request, account.boletoConfigs, isConsumerOf(account, client.document)),
    splits: promised ? [...promised] : null,
    clientId: client.id,
    pixKey: account.pixKey,
    issueFee: issueFeeOf(request.paymentMethod, account, linkId),
    linkId,
    isVeiled: linkId === null ? null : isKnown,
    operationId: txid ?? found.code,
    lapsesAt: lapsesAtOf(request),
    createdBy: issuer.userId,
    createdAt: fresh.now,
    createdDay: fresh.today,
    updatedAt: fresh.now,
    search: searchTextOf(found, client),
  })
}

/** Requests the title from the bank, or charges the card: its data exist only in the request. */
export const sendCharge = (ports: PaymentsPorts, started: StartedCharge, card: Card | null) =>
  useCaseOf<ChargeDetail>()(async (hooks) => {
    if (!isCardOrder(started)) return createTitle(ports).send(started, sendTitle(ports))(hooks)
    return card
      ? chargeCard(ports).send(started, sendCard(ports, card))(hooks)
      : resumeCard(ports)(started.intent)(hooks)
  })

const isCardOrder = (started: StartedCharge): started is StartedBankOperation<StoredCardOrder> =>
  'lostAt' in started.order

/** Resumes the issue of a charge, by its id, txid or code. Does not charge a card again. */
export const resumeCharge = (ports: PaymentsPorts) => (of: number | string) =>
  useCaseOf<ChargeDetail>()(async (hooks) => {
    const id = parseId(`${of}`)
    const facts = await readCardFacts(ports, id === null ? { code: `${of}` } : { id })
    return facts ? resumeCard(ports)(facts.detail.charge.code)(hooks) : resumeTitle(ports)(of)(hooks)
  })
