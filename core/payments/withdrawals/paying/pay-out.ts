import { left } from '../../../fp.ts'
import { accept, finishOperation, useCaseOf } from '../../../kernel/running/use-case.ts'
import type { BankAnswer, CompletedPayOut, PayOutOrder } from '../../../ports/bank.ts'
import { byId, byKey, type Store } from '../../../ports/store.ts'
import { accounts } from '../../accounts/account.ts'
import { bankOperations } from '../../bank/operation.ts'
import { operationsOf } from '../../bank/resume-operation.ts'
import { SENT_ONCE } from '../../bank/sent-once.ts'
import { adminsOf } from '../../members/team.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { payOutSums, waitingSumId } from '../keepers/pay-out-sum.ts'
import { sentId, sentWithdrawals } from '../keepers/sent-withdrawal.ts'
import { type WithdrawalDetail, withEntry } from '../read-withdrawal.ts'
import { paidParties, recipientKey, recipients } from '../recipients/recipient.ts'
import { NO_WITHDRAWAL, type Withdrawal, withdrawals } from '../withdrawal.ts'
import { type BegunPayOut, PAY_OUT, PAY_OUT_LEASE_SECONDS } from './begin-pay-out.ts'
import { decideLatePayOut, decidePayOut, type PayOutCode, type PayOutSubject, toldOfPayOut } from './decide-pay-out.ts'
import type { Valued } from './reserve.ts'

const PLACES = 8
/** Source: decisions.md §11, Withdrawals. */
const FIRST_WAIT_SECONDS = 2
const LONGEST_WAIT_SECONDS = 60

/** Withdrawals that the bank is asked for, each once, by its own txid. Source: decisions.md §5. */
export const payOut = (ports: PaymentsPorts) =>
  operationsOf<PayOutSubject | null, PayOutOrder, CompletedPayOut, Withdrawal, PayOutCode>(ports, {
    kind: PAY_OUT,
    places: PLACES,
    leaseSeconds: PAY_OUT_LEASE_SECONDS,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    longestWaitSeconds: LONGEST_WAIT_SECONDS,
    read: (store, { subject: [, id] }) => readSubject(store, Number(id)),
    // Nobody takes back what was confirmed.
    wanted: () => true,
    send: null,
    once: SENT_ONCE,
    find: async (order) => (await ports.bank.payOuts?.findPayOut(order.id)) ?? AWAY,
    decide: decidePayOut,
    ended: decideLatePayOut,
    unknown: NO_WITHDRAWAL,
  })

const AWAY = { outcome: 'unavailable' } as const

const sendPayOut =
  ({ bank }: Pick<PaymentsPorts, 'bank'>) =>
  async (order: PayOutOrder): Promise<BankAnswer<CompletedPayOut>> =>
    (await bank.payOuts?.payOut(order)) ?? AWAY

const isValued = (withdrawal: Withdrawal): withdrawal is Valued => withdrawal.valueCents !== null

const readSubject = async (store: Store, id: number): Promise<PayOutSubject | null> => {
  const withdrawal = await store.find(byId(withdrawals, id))
  if (!withdrawal || !isValued(withdrawal)) return null
  const { accountId, destination, document, sumId, nightSumId } = withdrawal
  const { account, ...known } = await store.read({
    account: byId(accounts, accountId),
    daySum: byId(payOutSums, sumId ?? ''),
    nightSum: byId(payOutSums, nightSumId ?? ''),
    waiting: byId(payOutSums, waitingSumId(accountId)),
    recipient: byKey(recipients, 'destination', recipientKey(accountId, destination)),
    party: byKey(paidParties, 'document', recipientKey(accountId, document)),
  })
  return (
    account && {
      withdrawal,
      account,
      ...known,
      late: withdrawal.status === 'failed' ? await readLate(store, withdrawal) : null,
    }
  )
}

const readLate = async (store: Store, { id: _, ...sent }: Valued) => {
  const found = await store.read({
    admins: adminsOf(sent.accountId),
    sent: byId(sentWithdrawals.collection, sentId(sent)),
  })
  return { admins: found.admins.records, sent: found.sent }
}

/** Hands a withdrawal that was begun to the bank, and tells what became of it. */
export const carryOut = (ports: PaymentsPorts, begun: BegunPayOut) =>
  useCaseOf<WithdrawalDetail>()(async (hooks) => {
    await payOut(ports).first(begun, sendPayOut(ports))()
    return outcomeOf(ports, begun.intent)(hooks)
  })

/**
 * Carries on a withdrawal of which the bank has said nothing yet, by what it was begun as.
 * Fails: `withdrawal.unknown`, `bank.refused`, `bank.unavailable`. Source: decisions.md §5.
 */
export const resumePayOut = (ports: PaymentsPorts) => (intent: string) =>
  useCaseOf<WithdrawalDetail>()(async (hooks) => {
    await payOut(ports).again(intent)()
    return outcomeOf(ports, intent)(hooks)
  })

/** As it stands, with the line of its statement: what is told is kept with the caller's key. */
const outcomeOf = (ports: PaymentsPorts, intent: string) =>
  finishOperation(
    ports,
    async (store) => {
      const operation = await store.find(byId(bankOperations, intent))
      if (operation?.kind !== PAY_OUT) return null
      const withdrawal = await store.find(byId(withdrawals, operation.subject[1]))
      return { operation, detail: withdrawal && (await withEntry(store, withdrawal)) }
    },
    (facts) =>
      facts
        ? accept(toldOfPayOut(facts.operation, facts.detail?.withdrawal ?? null, facts.detail))
        : left(NO_WITHDRAWAL),
  )
