import { operationUseCase, startOperation, withValidInput } from '../../../kernel/running/use-case.ts'
import { dayOf } from '../../../kernel/values/day.ts'
import type { BankAnswer, BankRefund, RefundOrder } from '../../../ports/bank.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { accounts } from '../../accounts/account.ts'
import type { Actor } from '../../actor.ts'
import type { Operation } from '../../bank/operation.ts'
import { operationsOf } from '../../bank/run-operation.ts'
import { entries, ledgerAccountId, ledgerAccounts } from '../../ledger/ledger.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { charges } from '../charge.ts'
import { NO_CHARGE } from '../charge-failure.ts'
import { findCharge } from '../find-charge.ts'
import { fullOf } from '../read-charge.ts'
import { decideNewRefund, type NewRefundFacts, REFUND, REFUND_LEASE_SECONDS } from './decide-refund.ts'
import {
  decideLateRefund,
  decideRefunded,
  type RefundCode,
  type RefundedCharge,
  type RefundFacts,
} from './decide-refunded.ts'
import { type AskedRefund, type NewRefund, newRefund } from './new-refund.ts'
import { receivedOf } from './received-pix.ts'
import { refunds } from './refund.ts'

const PLACES = 4
const FIRST_WAIT_SECONDS = 2

/** A bank that gives nothing back any more was not asked. */
const NO_REFUNDS: BankAnswer<never> = { outcome: 'unavailable' }

const sendRefund =
  ({ bank }: Pick<PaymentsPorts, 'bank'>) =>
  async (order: RefundOrder): Promise<BankAnswer<BankRefund>> =>
    bank.refunds ? bank.refunds.refund(order) : NO_REFUNDS

/** Refunds of received Pix that the bank is asked for, until it says what became of them. */
export const refundOperations = (ports: PaymentsPorts) =>
  operationsOf<RefundFacts | null, RefundOrder, BankRefund, RefundedCharge, RefundCode>(ports, {
    kind: REFUND,
    places: PLACES,
    leaseSeconds: REFUND_LEASE_SECONDS,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    read: (store, operation) => readRefund(ports, store, operation),
    // Nobody takes a refund back.
    wanted: () => true,
    send: sendRefund(ports),
    find: async (order) => (ports.bank.refunds ? ports.bank.refunds.findRefund(order) : NO_REFUNDS),
    decide: decideRefunded,
    ended: (_, facts, reply, fresh) => decideLateRefund(facts, reply, fresh),
    unknown: NO_CHARGE,
  })

const readRefund = async (
  ports: PaymentsPorts,
  store: Store,
  { subject: [, id] }: Pick<Operation, 'subject'>,
): Promise<RefundFacts | null> => {
  const refund = await store.find(byId(refunds, id))
  const found = refund && (await findCharge(ports, { id: refund.chargeId }))
  if (!refund || !found) return null
  const entry = await store.find(byId(entries, refund.entryId))
  return entry ? { refund, detail: await fullOf(ports, found), entry } : null
}

/**
 * Gives a Pix that paid a charge back to whoever paid it, whole or in part: the charge stays as it is, and what went back is a
 * debit of the account.
 * Fails: `fields` (`refund.several`, `refund.left`, `refund.balance`, `unknown` id), `charge.unknown` (another account's too), `organization.inactive`,
 * `bank.unsupported`, `refund.not-pix`, `refund.late`, `bank.refused`, `bank.unavailable` (nothing went back).
 * Source: issue 14; decisions.md §1 and §8.
 */
export const refundCharge =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'userId' | 'accountId'>, chargeId: number, given: NewRefund) =>
    withValidInput(ports, newRefund, given, (asked) =>
      operationUseCase(
        startOperation(
          ports,
          (store) => readFacts(ports, store, actor, chargeId, asked),
          (facts, fresh) => decideNewRefund(ports, facts, actor, asked, fresh),
        ),
        (begun) => refundOperations(ports).first(begun, sendRefund(ports)),
        refundOperations(ports).again,
      ),
    )

const ANY_PIX = { endToEndId: null }

const readFacts = async (
  { clock }: Pick<PaymentsPorts, 'clock'>,
  store: Store,
  { accountId }: Pick<Actor, 'accountId'>,
  chargeId: number,
  asked: AskedRefund,
): Promise<NewRefundFacts | null> => {
  const { charge, account, book } = await store.read({
    charge: byId(charges, chargeId),
    account: byId(accounts, accountId),
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
  })
  if (charge?.accountId !== accountId || !account) return null
  const today = dayOf(clock.steady())
  const named = await receivedOf(store, charge, asked, today)
  // Whether the charge was paid by Pix at all is asked where none has the id.
  const isUnknown = asked.endToEndId !== null && named.length === 0
  const received = isUnknown ? await receivedOf(store, charge, ANY_PIX, today) : named
  return { charge, account, book, received }
}
