import { failure, type Issue, invalid, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { type Change, insert } from '../../kernel/records/change.ts'
import { tenantKey } from '../../kernel/resources/facts.ts'
import { type Fresh, randomCode } from '../../kernel/running/fresh.ts'
import { accept, operationUseCase, startOperation, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { brandOf, type CardBrand, last4Of } from '../../kernel/values/card-number.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { parseId } from '../../kernel/values/text.ts'
import type { TitleMethod, TitleOrder } from '../../ports/bank.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts, takesWrites } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { bankOperations, newOperation, subjectOf } from '../bank/operation.ts'
import type { StartedBankOperation } from '../bank/run-operation.ts'
import { brandIssues, type Card } from '../cards/card.ts'
import { countTry, readCardTries, waitForCards } from '../cards/card-tries.ts'
import { type Client, client as clientResource, clients } from '../customers/client.ts'
import { type LedgerAccount, ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { chargeCard, newCardOperation, readCardFacts, resumeCard, type StoredCardOrder, sendCard } from './card.ts'
import { type Charge, charges, lapsesAtOf, searchTextOf } from './charge.ts'
import type { ChargeDetail } from './detail.ts'
import { issueFeeOf, reserveIssueFee } from './issue-fee.ts'
import { amountIssues, bankSupports, chargeTerms, type DecodedCharge, type NewCharge, newCharge } from './new-charge.ts'
import { type References, readReferences, referenceIssues } from './references.ts'
import { CREATE_TITLE, createTitle, resumeTitle, sendTitle, TITLE_LEASE_SECONDS, titleOrder } from './titles.ts'
import { dueOn } from './views.ts'

/**
 * Issues a charge, and registers its title at the bank or charges its card.
 * Fails: `fields`, `account.unknown`, `organization.inactive`, `bank.unsupported`, `card.unsupported`, `bank.refused`,
 * `card.throttled`, `card.waiting`, `card.declined` and `bank.unavailable` (a failed charge is kept).
 * Source: 02-billing.md, Charges; decisions.md §3 and §9.
 */
export const issueCharge = (ports: PaymentsPorts) => (actor: Issuer, given: NewCharge) =>
  withValidInput(ports, newCharge, given, (asked) =>
    operationUseCase(
      waitForCards(
        ports,
        actor.accountId,
        startOperation(
          ports,
          async (store) =>
            withCardTries(ports, store, await readChargeFacts(store, actor, asked), {
              payer: asked.payer,
              card: asked.paymentMethod === 'CREDIT_CARD' ? asked.card : null,
            }),
          (facts, fresh) => {
            const tried = countCardTry(facts, fresh)
            return isLeft(tried) ? tried : decideCharge(ports, facts, actor, asked, fresh, tried.right)
          },
        ),
      ),
      (begun) => sendCharge(ports, begun, asked.card),
      resumeCharge(ports),
    ),
  )

/** Who issues it, and for which account. */
export type Issuer = Pick<Actor, 'userId' | 'accountId'>

/** What a charge is decided on. */
export interface ChargeFacts extends References {
  /** The counts in which a card would count; left out where none is charged. */
  readonly tries?: Awaited<ReturnType<typeof readCardTries>>
  readonly account: Account | null
  readonly client: Client | null
  readonly book: LedgerAccount | null
}

type KnownPayer = Extract<DecodedCharge['payer'], { readonly clientId: number }>
type PayerData = Omit<Exclude<DecodedCharge['payer'], KnownPayer>, 'email'> & { readonly email: string | null }

/** The request of a charge, with the fields that its source sets: an e-mail may be unknown. */
export type ChargeRequest = Omit<DecodedCharge, 'payer'> & {
  readonly payer: KnownPayer | PayerData
} & {
  readonly linkId?: string | null
  readonly linkPlace?: Charge['linkPlace']
  readonly isInstant?: boolean
}

interface Parties {
  readonly account: Account
  readonly client: Client
}

type TitleRequest = ChargeRequest & Partial<CountedRequest> & { readonly paymentMethod: TitleMethod }

type DecidingPorts = Pick<PaymentsPorts, 'cipher' | 'bank' | 'acquirer'>

const CODE_LENGTH = 22

export const readChargeFacts = async (
  store: Store,
  { accountId }: Issuer,
  {
    payer,
    paymentMethod,
    ...named
  }: Pick<ChargeRequest, 'payer' | 'paymentMethod'> & Partial<Pick<ChargeRequest, 'chargeGroupId' | 'paymentPlanId'>>,
): Promise<ChargeFacts> => {
  const known = await store.read({
    account: byId(accounts, accountId),
    client:
      'clientId' in payer
        ? byId(clients, payer.clientId)
        : byKey(clients, 'document', tenantKey(accountId, payer.document)),
  })
  // Nothing else costs anything before it is there.
  const isCharged = known.account !== null && issueFeeOf(paymentMethod, known.account) !== null
  const book = isCharged ? await store.find(byId(ledgerAccounts, ledgerAccountId(accountId, 'main'))) : null
  return { ...known, book, ...(await readReferences(store, accountId, named)) }
}

/** What makes a charge, and what the bank is then asked. */
export interface NewTitle {
  readonly charge: Charge
  readonly client: Client
  readonly begun: StartedBankOperation<TitleOrder>
  readonly changes: readonly Change[]
}

/** Decides on a pending charge, and the operation that asks the bank for its title or charges its card. */
export const decideCharge = (
  ports: DecidingPorts,
  facts: ChargeFacts,
  issuer: Issuer,
  asked: ChargeRequest,
  fresh: Fresh,
  tried: CountedTry = NO_TRIES,
) => {
  const made = buildCharge(ports, facts, issuer, asked, fresh, tried)
  return isLeft(made) ? made : accept<BegunCharge>(made.right.begun, ...made.right.changes)
}

/** Makes the same charge for a caller that writes more of it: returns the charge with its changes. */
export const buildCharge = (
  ports: DecidingPorts,
  facts: ChargeFacts,
  issuer: Issuer,
  asked: ChargeRequest,
  fresh: Fresh,
  tried: CountedTry = NO_TRIES,
) => {
  const { account } = facts
  if (!account) return left(failure('not-found', 'account.unknown'))
  if (!takesWrites(account)) return left(failure('forbidden', 'organization.inactive'))
  const payer = findPayer(facts, account, asked)
  const issues = [...issuesOf(facts, account, asked), ...(payer ? [] : [issue('payer.clientId', 'unknown')])]
  if (!payer || issues.length > 0) return left(invalid(issues, causeOf(issues)))
  const { record: client, changes } = buildClient(account, payer, fresh)
  const made = beginCharge(
    ports,
    { account, client },
    issuer,
    { ...asked, isKnown: 'id' in payer, cardTries: tried.tries },
    fresh,
  )
  if (!made) return left(failure('refused', 'bank.unsupported'))
  const begun: BegunCharge = made.begun
  return right({ begun, charge: made.charge, changes: [...changes, ...tried.changes, ...made.changes] })
}

/** A try by card that was counted, in these counts; by any other method none is. */
export interface CountedTry {
  readonly tries: Charge['cardTries']
  readonly changes: readonly Change[]
}

const NO_TRIES: CountedTry = { tries: null, changes: [] }

/** Decides on a charge that may be paid by card: its try is counted first. Fails: `card.throttled`, `card.waiting`. */
export const countCardTry = ({ account, tries }: ChargeFacts, fresh: Fresh) =>
  account && tries ? countTry(tries, account.id, fresh) : right(NO_TRIES)

/** Reads the counts in which the card of a request counts: by its payer, its number, and a link's caller by their network. */
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

/** A request with what is known of its payer and its card. */
type CountedRequest = ChargeRequest & { readonly isKnown: boolean; readonly cardTries: Charge['cardTries'] }

/** Begins a title or a card's charge; null where neither the bank nor an acquirer takes it. */
const beginCharge = (ports: DecidingPorts, parties: Parties, issuer: Issuer, asked: CountedRequest, fresh: Fresh) => {
  const { card, paymentMethod } = asked
  if (bankSupports(ports.bank, paymentMethod))
    return buildTitleCharge(ports, parties, issuer, { ...asked, paymentMethod }, fresh)
  const brand = card && brandOf(card.cardNumber)
  const isCharged = paymentMethod === 'CREDIT_CARD' && ports.acquirer !== null
  return isCharged && brand ? buildCardCharge(ports, parties, issuer, { ...asked, card, brand }, fresh) : null
}

/** What the bank is then asked, or the acquirer of a card. */
export type BegunCharge = StartedBankOperation<TitleOrder> | StartedBankOperation<StoredCardOrder>

/** A brand that is not taken has a message of its own. Source: 02-billing.md, Public payer routes. */
const causeOf = (issues: readonly Issue[]): 'fields' | 'card.unsupported' =>
  issues.some(({ code }) => code === 'card.unsupported') ? 'card.unsupported' : 'fields'

/** The same of a client who is known, where nothing is wrong with it: several of them may be made in one commit. */
export const buildTitleCharge = (
  { cipher, bank }: DecidingPorts,
  { account, client }: Parties,
  issuer: Issuer,
  asked: TitleRequest,
  fresh: Fresh,
): NewTitle => {
  const intent = randomCode(fresh, bank.txidLength)
  const charge = pendingCharge({ account, client, txid: intent }, issuer, asked, fresh)
  const order = titleOrder(intent, asked.paymentMethod, { charge, account, client })
  const operation = newOperation(
    cipher,
    {
      id: intent,
      accountId: account.id,
      kind: CREATE_TITLE,
      subject: subjectOf(charges, charge.id),
      order,
      dueAt: addSeconds(fresh.now, TITLE_LEASE_SECONDS),
    },
    fresh,
  )
  const changes = [insert(charges, charge), insert(bankOperations, operation), ...reserveIssueFee(charge)]
  return { charge, client, begun: { intent, order, operation }, changes }
}

type CardRequest = Omit<CountedRequest, 'card'> & { readonly card: Card; readonly brand: CardBrand }

/** The same of a card that was looked at: it is charged what is due today. */
const buildCardCharge = (
  { cipher }: Pick<DecidingPorts, 'cipher'>,
  { account, client }: Parties,
  issuer: Issuer,
  { card, brand, ...asked }: CardRequest,
  fresh: Fresh,
) => {
  const { cardNumber, cardholderName: holder } = card
  const unpaid = pendingCharge({ account, client, txid: null }, issuer, { ...asked, card: null }, fresh)
  const charge = {
    ...unpaid,
    card: {
      brand,
      last4: last4Of(cardNumber),
      holder,
      installments: asked.installments ?? 1,
      valueCents: dueOn(unpaid, fresh.today),
      token: null,
      feeCents: null,
      netCents: null,
    },
  }
  const { order, operation } = newCardOperation(cipher, charge, account, fresh)
  const changes = [insert(charges, charge), insert(bankOperations, operation)]
  return { charge, begun: { intent: operation.id, order, operation }, changes }
}

/** What a payer says nothing of. */
const UNKNOWN_DETAILS = { type: null, gender: null, birthdate: null, metadata: null }

/** Who pays as a client, with what makes them one where they are not. */
export const buildClient = ({ id }: Account, payer: Client | PayerData, fresh: Fresh) =>
  'id' in payer ? { record: payer, changes: [] } : clientResource.build(id, { ...UNKNOWN_DETAILS, ...payer }, fresh)

/** The client who pays, or who becomes one; null where the one that is named is not the account's. */
export const findPayer = ({ client }: ChargeFacts, account: Account, { payer }: Pick<ChargeRequest, 'payer'>) => {
  if (!('clientId' in payer)) return client ?? payer
  return client?.accountId === account.id && client.removedAt === null ? client : null
}

const issuesOf = ({ book, ...found }: ChargeFacts, account: Account, asked: ChargeRequest) => {
  const { paymentMethod, valueCents, linkId } = asked
  return [
    ...(paymentMethod === 'CREDIT_CARD' ? cardIssues(asked) : []),
    ...amountIssues(account, book, { valueCents, paymentMethod, issueFee: issueFeeOf(paymentMethod, account, linkId) }),
    ...referenceIssues(found, asked),
  ]
}

/** What is asked by a card is asked with one, whoever asks. */
const cardIssues = ({ card }: Pick<ChargeRequest, 'card'>) => (card ? brandIssues(card) : [issue('card', 'required')])

const pendingCharge = (
  { account, client, txid }: Parties & Pick<Charge, 'txid'>,
  issuer: Issuer,
  asked: ChargeRequest & Partial<CountedRequest>,
  fresh: Fresh,
): Charge => {
  const { payer: _, card: __, linkId = null, linkPlace = null, isInstant = null, ...more } = asked
  const { isKnown = true, cardTries = null, ...plain } = more
  const found = { code: randomCode(fresh, CODE_LENGTH), txid, nossoNumero: null }
  return {
    id: fresh.id(charges),
    accountId: account.id,
    ...found,
    status: 'pending',
    ...plain,
    ...chargeTerms(asked, account.boletoConfigs),
    amountPaidCents: null,
    refundedCents: null,
    paymentDate: null,
    clientId: client.id,
    pixKey: account.pixKey,
    pix: null,
    boleto: null,
    card: null,
    issueFee: issueFeeOf(asked.paymentMethod, account, linkId),
    linkId,
    isVeiled: linkId === null ? null : isKnown,
    linkPlace,
    cardTries,
    isInstant,
    operationId: txid ?? found.code,
    lapsesAt: lapsesAtOf(asked),
    failure: null,
    createdBy: issuer.userId,
    createdAt: fresh.now,
    createdDay: fresh.today,
    updatedAt: fresh.now,
    lastEventMs: null,
    search: searchTextOf(found, client),
  }
}

/**
 * Asks for what a charge that was begun is paid by: the bank for its title, or the acquirer for its card, which is nowhere but
 * in the request that has it.
 * Fails: `charge.unknown`, `bank.refused`, `card.declined`, `bank.unavailable` (a failed charge is kept).
 */
export const sendCharge = (ports: PaymentsPorts, begun: BegunCharge, card: Card | null) =>
  useCaseOf<ChargeDetail>()(async (hooks) => {
    if (!isCardOrder(begun)) return createTitle(ports).send(begun, sendTitle(ports))(hooks)
    return card ? chargeCard(ports).send(begun, sendCard(ports, card))(hooks) : resumeCard(ports)(begun.intent)(hooks)
  })

const isCardOrder = (begun: BegunCharge): begun is StartedBankOperation<StoredCardOrder> => 'lostAt' in begun.order

/**
 * Carries on a charge of which the bank, or its acquirer, has said nothing yet: by its id, its txid, or the code of one that is
 * paid by card. A card is not charged again. Whoever comes after the answer is told the same.
 * Fails: `charge.unknown`, `bank.refused`, `card.declined`, `bank.unavailable`. Source: decisions.md §9.
 */
export const resumeCharge = (ports: PaymentsPorts) => (of: number | string) =>
  useCaseOf<ChargeDetail>()(async (hooks) => {
    const id = parseId(`${of}`)
    const facts = await readCardFacts(ports, id === null ? { code: `${of}` } : { id })
    return facts ? resumeCard(ports)(facts.detail.charge.code)(hooks) : resumeTitle(ports)(of)(hooks)
  })
