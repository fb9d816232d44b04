import { operationUseCase, startOperation, withValidInput } from '../../kernel/running/use-case.ts'
import type { BankAnswer, CompletedPayOut, PayOutOrder } from '../../ports/bank.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { operationsOf } from '../bank/resume-operation.ts'
import { SENT_ONCE } from '../bank/sent-once.ts'
import { postedOf } from '../charges/payment/receive-pix.ts'
import { adminsOf } from '../members/team.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { payOutSums } from '../withdrawals/keepers/pay-out-sum.ts'
import { decideTransfer, readTransferFacts, type Sender, TRANSFER, TRANSFER_LEASE_SECONDS } from './begin-transfer.ts'
import { decideLate, decideSent, type Sent, type SentCode, type SentFacts } from './decide-sent.ts'
import { type NewTransfer, newTransfer } from './new-transfer.ts'
import { sentId, sentTransfers } from './sent-transfer.ts'
import { NO_TRANSFER, type Transfer, transfers } from './transfer.ts'

const PLACES = 8
/** Source: decisions.md §11, Withdrawals. */
const FIRST_WAIT_SECONDS = 2
const LONGEST_WAIT_SECONDS = 60

/** Transfers that the bank is asked for, each once, by its own id. Source: decisions.md §5. */
export const transferOperations = (ports: PaymentsPorts) =>
  operationsOf<SentFacts | null, PayOutOrder, Sent, Transfer, SentCode>(ports, {
    kind: TRANSFER,
    places: PLACES,
    leaseSeconds: TRANSFER_LEASE_SECONDS,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    longestWaitSeconds: LONGEST_WAIT_SECONDS,
    read: (store, { subject: [, id] }) => readSent(store, id),
    // A transfer that was sent cannot be cancelled.
    wanted: () => true,
    send: null,
    once: SENT_ONCE,
    find: findTransferOrder(ports),
    decide: decideSent,
    ended: (_, facts, reply, fresh) => decideLate(facts, reply, fresh),
    unknown: NO_TRANSFER,
  })

const readSent = async (store: Store, id: string | number): Promise<SentFacts | null> => {
  const transfer = await store.find(byId(transfers, id))
  if (!transfer) return null
  const { from, to, ...sums } = await store.read({
    from: byId(accounts, transfer.accountId),
    to: byId(accounts, transfer.toAccountId),
    daySum: byId(payOutSums, transfer.sumId ?? ''),
    nightSum: byId(payOutSums, transfer.nightSumId ?? ''),
  })
  if (!from || !to) return null
  return { transfer, from, to, ...sums, late: transfer.status === 'failed' ? await readLate(store, transfer) : null }
}

const readLate = async (store: Store, { id: _, ...sent }: Transfer) => {
  const found = await store.read({
    admins: adminsOf(sent.accountId),
    sent: byId(sentTransfers.collection, sentId(sent)),
  })
  return { admins: found.admins.records, sent: found.sent }
}

type AtBank = Pick<PaymentsPorts, 'bank' | 'store'>

/** A bank that pays nothing out any more was not asked. */
const AWAY: BankAnswer<never> = { outcome: 'unavailable' }

const sendTransferOrder =
  ({ bank, store }: AtBank) =>
  async (order: PayOutOrder): Promise<BankAnswer<Sent>> => {
    const answer = (await bank.payOuts?.payOut(order)) ?? AWAY
    return answer.outcome === 'done' ? { outcome: 'done', value: await sentOf(store, answer.value) } : answer
  }

const findTransferOrder =
  ({ bank, store }: AtBank) =>
  async ({ id }: PayOutOrder): Promise<BankAnswer<Sent | null>> => {
    const answer = (await bank.payOuts?.findPayOut(id)) ?? AWAY
    if (answer.outcome !== 'done') return answer
    return { outcome: 'done', value: answer.value && (await sentOf(store, answer.value)) }
  }

/** The bank may have told of it at the other end before it answered: what arrives meanwhile is a Conflict, and asked again. */
const sentOf = async (store: Store, { endToEndId }: CompletedPayOut): Promise<Sent> => ({
  endToEndId,
  isCredited: (await postedOf(store, { endToEndId })) !== null,
})

/**
 * Sends money by Pix to another account of the platform, both at the same bank, without a fee: what leaves the one arrives at the
 * other in the same commit.
 * Fails: `fields` (`unknown` key, `withdrawal.limit-left`), `account.unknown`, `organization.inactive`, `bank.unsupported`, `transfer.source-bank`,
 * `transfer.self`, `transfer.destination-inactive`, `transfer.destination-bank`, `transfer.no-key`, `transfer.repeated`,
 * `transfer.balance`, `transfer.unknown`, `bank.refused`, `bank.unavailable` (nothing left).
 * Source: 02-billing.md, Internal transfer; decisions.md §5 and §11.
 */
export const sendTransfer = (ports: PaymentsPorts) => (sender: Sender, given: NewTransfer) =>
  withValidInput(ports, newTransfer, given, (asked) =>
    operationUseCase(
      startOperation(
        ports,
        (store) => readTransferFacts(ports, store, sender, asked),
        (facts, fresh) => decideTransfer(ports, facts, sender, asked, fresh),
      ),
      (begun) => transferOperations(ports).first(begun, sendTransferOrder(ports)),
      transferOperations(ports).again,
    ),
  )
