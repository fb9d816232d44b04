import { failure, invalid, issue, left } from '../../failure.ts'
import { allOptional, type DecodedOf, type InputOf, input, pick } from '../../kernel/input/mod.ts'
import {
  accept,
  type Done,
  type FactsOf,
  type Fresh,
  operationUseCase,
  startOperation,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import type { StartedBankOperation } from '../bank/operation.ts'
import { readLinkPlace } from '../bounded-count.ts'
import { noCardDigits } from '../cards/card.ts'
import { checkNotErased } from '../customers/client.ts'
import { bookOf } from '../ledger/ledger.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { amountIssues as splitAmountIssues } from '../splits/split.ts'
import { discountIssues, dueDateRule, fineIssues, isConsumerOf, reachIssues, typedFine } from '../terms.ts'
import { type Charge, chargeFields, lapsesAtOf, statusAt } from './charge.ts'
import { type ChangedCharge, findCharge, isTitleOutdated, NO_CHARGE } from './detail.ts'
import { amountIssues, bankSupports } from './new-charge.ts'
import { closeSettled, isSettled, restIssues, valuePaid } from './partial.ts'
import { BUSY, beginReplacement, type ReplaceOrder, replaceTitle, sendReplacement } from './replace-title.ts'
import { issueFeeOf } from './titles.ts'
import { changeWithEvent, NOT_PENDING } from './write.ts'

/** The fields of a pending charge that may change: an absent field keeps its value, null clears it. */
export const chargeChangeFields = allOptional({
  ...pick(chargeFields, 'valueCents', 'paymentMethod', 'dueDate', 'webhook', 'description', 'details', 'instructions'),
  ...pick(chargeFields, 'amountRateHundredths', 'typeRate', 'fineHundredths', 'typeFine', 'discountHundredths'),
})

export const chargeChangeRules = [dueDateRule, noCardDigits]

export const chargeChange = input('ChargeChange', chargeChangeFields, ...chargeChangeRules)
export type ChargeChange = InputOf<typeof chargeChange>
export type ChangeRequest = DecodedOf<typeof chargeChange>

export const updateCharge =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, chargeId: number, sent: ChargeChange) =>
    withValidInput(ports, chargeChange, sent, (request) =>
      operationUseCase(
        startOperation(
          ports,
          (store) => readUpdate(ports, store, actor, chargeId),
          (facts, fresh) => decideUpdate(ports, facts, request, fresh),
        ),
        (started) => replaceTitle(ports).send(started, sendReplacement(ports)),
        replaceTitle(ports).repeat,
      ),
    )

const readUpdate = async (
  ports: PaymentsPorts,
  store: Store,
  { accountId }: Pick<Actor, 'accountId'>,
  chargeId: number,
) => {
  const detail = await findCharge(ports, { id: chargeId })
  if (detail?.charge.accountId !== accountId) return null
  const { account, book } = await store.read({ account: byId(accounts, accountId), book: bookOf(accountId) })
  return account && { detail, account, book, place: await readLinkPlace(store, detail.charge) }
}

type UpdateFacts = FactsOf<typeof readUpdate>

/** The changed charge, or the started replacement of its title. */
type Update = Done<ChangedCharge> | StartedBankOperation<ReplaceOrder>

/** Changes a charge at once, closes it if nothing is left to pay, or starts the replacement of its title. */
export const decideUpdate = (
  { cipher, bank }: Pick<PaymentsPorts, 'cipher' | 'bank'>,
  facts: UpdateFacts | null,
  request: ChangeRequest,
  fresh: Fresh,
) => {
  if (!facts) return left(NO_CHARGE)
  const { detail, account } = facts
  const { charge, client } = detail
  // After the erasure of its client has begun, a charge cannot change, even if it is open by the clock of this process.
  const isOpen = statusAt(charge, fresh.steady) === 'pending' && client.erasureAt === null
  if (!isOpen) return left(NOT_PENDING)
  if (charge.operationId !== null) return left(BUSY)
  const fine = fineAfter(charge, request)
  const after: Charge = { ...charge, ...request, ...fine, pixKey: charge.pixKey ?? account.pixKey }
  const issueFee = charge.issueFee ?? issueFeeOf(after.paymentMethod, account, charge.linkId)
  const issues = issuesOf(facts, { ...after, issueFee }, fresh)
  if (issues.length > 0) return left(invalid(issues))
  if (after.paymentMethod !== 'CREDIT_CARD' && !bankSupports(bank, after.paymentMethod))
    return left(failure('refused', 'bank.unsupported'))
  const change = { ...request, ...fine, lapsesAt: lapsesAtOf(after) }
  if (isSettled(after, account, fresh.today)) {
    const closed = closeSettled(cipher, facts, change, fresh)
    return accept<Update>({ done: { ...closed.after, isAnswered: true } }, ...checkNotErased(client), ...closed.changes)
  }
  if (needsTitle(charge, after)) {
    const begun = beginReplacement({ cipher, bank }, facts, { after, change, issueFee }, fresh)
    return begun ? accept<Update>(begun.started, ...begun.changes) : left(BUSY)
  }
  const set = { ...change, ...valuePaid(after) }
  const { after: changed, changes } = changeWithEvent(detail, set, 'charge.updated', fresh)
  return accept<Update>({ done: { ...changed, isAnswered: true } }, ...checkNotErased(client), ...changes)
}

/** Returns the fine after a change. If only its rate or only its type changes, the other keeps its value. */
const fineAfter = (charge: Charge, { fineHundredths, typeFine }: ChangeRequest) => {
  if (fineHundredths === undefined && typeFine === undefined) return {}
  const { fineHundredths: rate, typeFine: type } = charge
  return typedFine({
    fineHundredths: fineHundredths === undefined ? rate : fineHundredths,
    typeFine: typeFine === undefined ? type : typeFine,
  })
}

const issuesOf = (facts: UpdateFacts, after: Charge, { today }: Fresh) => {
  const { account, book, detail } = facts
  const { charge } = detail
  const isCard = after.paymentMethod === 'CREDIT_CARD'
  const wasCard = charge.paymentMethod === 'CREDIT_CARD'
  const isFixed = wasCard && (after.valueCents !== charge.valueCents || after.dueDate !== charge.dueDate)
  return [
    // A change has no card data, and the amount of the acquirer's order is fixed.
    ...(isCard !== wasCard ? [issue('paymentMethod', 'charge.method')] : []),
    ...(isFixed ? [issue('valueCents', 'charge.card-value')] : []),
    ...amountIssues(account, book, after),
    ...discountIssues(after.valueCents, after.discountHundredths, after.typeDiscount),
    ...restIssues(charge, after, today),
    ...splitAmountIssues(charge.splits ?? [], after.valueCents).map(({ code }) => issue('valueCents', code)),
    ...fineIssuesOf(facts, after),
    // A boleto that is not registered again keeps its due day, so that day is not checked.
    ...(needsTitle(charge, after) ? reachIssues(after, today) : []),
  ]
}

/** The fields that determine the fine. */
const FINED = ['valueCents', 'fineHundredths', 'typeFine', 'paymentMethod', 'dueDate'] as const

/**
 * Returns the issues of a changed fine. An unchanged one is not checked: since the issue of the charge, the account may
 * have withdrawn its declaration, and its client may have become a consumer.
 */
const fineIssuesOf = ({ account, detail: { charge, client } }: UpdateFacts, after: Charge) => {
  const isSame = FINED.every((name) => charge[name] === after[name])
  return isSame ? [] : fineIssues(after, isConsumerOf(account, client.document))
}

/** The fields that a boleto, and a code made by the bank, contain. */
const REGISTERED = [
  'dueDate',
  'amountRateHundredths',
  'typeRate',
  'fineHundredths',
  'typeFine',
  'discountHundredths',
] as const satisfies readonly (keyof Charge)[]

/** Reports whether the title must be replaced. A static code is replaced only for a new value or method. */
const needsTitle = (charge: Charge, after: Charge): boolean => {
  if (after.paymentMethod === 'CREDIT_CARD') return false
  if (isTitleOutdated(charge)) return true
  if (charge.paymentMethod !== after.paymentMethod || charge.valueCents !== after.valueCents) return true
  const isRegistered = charge.boleto !== null || (charge.pix?.dynamicCode ?? null) !== null
  return isRegistered && REGISTERED.some((field) => charge[field] !== after[field])
}
