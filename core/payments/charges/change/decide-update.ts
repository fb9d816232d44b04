import { failure, invalid, issue } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { type Change, ensure, insert, patch } from '../../../kernel/records/change.ts'
import { type Fresh, randomCode } from '../../../kernel/running/fresh.ts'
import { accept } from '../../../kernel/running/use-case.ts'
import { addSeconds } from '../../../kernel/values/day.ts'
import type { Account } from '../../accounts/account.ts'
import { bankOperations, newOperation, type Operation, subjectOf } from '../../bank/operation.ts'
import type { BegunOperation, DoneOrBegun } from '../../bank/run-operation.ts'
import type { LedgerAccount } from '../../ledger/ledger.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { discountIssues, reachIssues } from '../../terms/charge-rules.ts'
import { asRead, type Charge, charges, lapsesAtOf, statusAt } from '../charge.ts'
import { NO_CHARGE } from '../charge-failure.ts'
import type { ChargeDetail } from '../find-charge.ts'
import { amountIssues, isOffered } from '../issue/offered.ts'
import { recordChargeEvent } from '../record-charge-event.ts'
import { issueFeeOf, reserveIssueFee } from '../titles/issue-fee.ts'
import { otherTitles } from '../titles/other-title.ts'
import { TITLE_LEASE_SECONDS, titleOrder } from '../titles/title-order.ts'
import type { AskedChange } from './charge-change.ts'
import { type ChangedCharge, REPLACE_TITLE, type ReplaceOrder } from './replace-title.ts'

export interface UpdateFacts {
  readonly detail: ChargeDetail
  readonly account: Account
  readonly book: LedgerAccount | null
}

/** A charge that is changed, or what gives it another title. */
type Update = DoneOrBegun<ChangedCharge, BegunOperation<ReplaceOrder> & { readonly operation: Operation }>

type DecidingPorts = Pick<PaymentsPorts, 'cipher' | 'bank'>

/** Changes the charge at once, or begins what gives it another title. */
export const decideUpdate = (ports: DecidingPorts, facts: UpdateFacts | null, asked: AskedChange, fresh: Fresh) => {
  if (!facts) return left(NO_CHARGE)
  const { charge } = facts.detail
  if (statusAt(charge, fresh.steady) !== 'pending') return left(failure('refused', 'charge.not-pending'))
  if (charge.operationId !== null) return left(failure('conflict', 'charge.busy'))
  const after: Charge = { ...charge, ...asked, pixKey: charge.pixKey ?? facts.account.pixKey }
  const issues = issuesOf(facts, charge, after, fresh)
  if (issues.length > 0) return left(invalid(issues))
  if (after.paymentMethod !== 'CREDIT_CARD' && !isOffered(ports.bank, after.paymentMethod))
    return left(failure('refused', 'bank.unsupported'))
  const lapsesAt = lapsesAtOf(after)
  const change = { ...asked, lapsesAt }
  if (needsTitle(charge, after)) return beginReplacement(ports, facts, change, after, fresh)
  const changed = { ...charge, ...change, updatedAt: fresh.now }
  return accept<Update>(
    { done: { ...facts.detail, charge: changed, isAnswered: true } },
    patch(charges, charge.id, { set: { ...change, updatedAt: fresh.now }, when: asRead(charge) }),
    ...recordChargeEvent(fresh, 'charge.updated', { ...facts.detail, charge: changed }),
  )
}

const issuesOf = ({ account, book }: UpdateFacts, charge: Charge, after: Charge, { today }: Fresh) => {
  const isCard = after.paymentMethod === 'CREDIT_CARD'
  const wasCard = charge.paymentMethod === 'CREDIT_CARD'
  const isFixed = wasCard && (after.valueCents !== charge.valueCents || after.dueDate !== charge.dueDate)
  return [
    // A card never travels by PUT, and what its acquirer was asked for stays.
    ...(isCard !== wasCard ? [issue('paymentMethod', 'charge.method')] : []),
    ...(isFixed ? [issue('valueCents', 'charge.card-value')] : []),
    ...amountIssues(account, book, { ...after, issueFee: feeOf(charge, after, account) }),
    ...discountIssues(after.valueCents, after.discountHundredths, after.typeDiscount),
    // A boleto that is not registered again keeps the day that its bars have.
    ...(needsTitle(charge, after) ? reachIssues(after, today) : []),
  ]
}

/** What is still to be paid for the boleto: nothing where it was paid before. */
const feeOf = (charge: Charge, { paymentMethod }: Charge, account: Account): Charge['issueFee'] =>
  charge.issueFee ?? issueFeeOf(paymentMethod, account, charge.linkId)

/** What a boleto, or a code that the bank makes, says of its charge. */
const REGISTERED = [
  'dueDate',
  'amountRateHundredths',
  'typeRate',
  'discountHundredths',
] as const satisfies readonly (keyof Charge)[]

/** Whether its title says something else now. A static code is made when it is shown, but for its value. */
const needsTitle = (charge: Charge, after: Charge): boolean => {
  if (after.paymentMethod === 'CREDIT_CARD') return false
  if (charge.paymentMethod !== after.paymentMethod || charge.valueCents !== after.valueCents) return true
  const isRegistered = charge.boleto !== null || (charge.pix?.dynamicCode ?? null) !== null
  return isRegistered && REGISTERED.some((field) => charge[field] !== after[field])
}

const beginReplacement = (
  { cipher, bank }: DecidingPorts,
  { detail, account }: UpdateFacts,
  change: ReplaceOrder['change'],
  after: Charge,
  fresh: Fresh,
) => {
  const { charge, client } = detail
  const { paymentMethod: method } = after
  const intent = randomCode(fresh, bank.txidLength)
  if (method === 'CREDIT_CARD' || charge.txid === null) return left(failure('conflict', 'charge.busy'))
  const title = titleOrder(intent, method, { charge: after, account, client })
  const order: ReplaceOrder = { title, formerTxid: charge.txid, change }
  const operation = newOperation(
    cipher,
    {
      id: intent,
      accountId: account.id,
      kind: REPLACE_TITLE,
      subject: subjectOf(charges, charge.id),
      order,
      dueAt: addSeconds(fresh.now, TITLE_LEASE_SECONDS),
    },
    fresh,
  )
  const issueFee = feeOf(charge, after, account)
  const isNew = charge.issueFee === null
  const begun: readonly Change[] = [
    patch(charges, charge.id, { set: { operationId: intent, issueFee, updatedAt: fresh.now }, when: asRead(charge) }),
    insert(bankOperations, operation),
    // Whoever pays it before we hear of it pays this charge.
    ensure(otherTitles, { id: intent, accountId: account.id, chargeId: charge.id }),
    ...(isNew ? reserveIssueFee({ accountId: account.id, issueFee }) : []),
  ]
  return accept<Update>({ begun: { intent, order, operation } }, ...begun)
}
