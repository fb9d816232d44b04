import { isLeft } from '../../failure.ts'
import { all, eq } from '../../kernel/records/record.ts'
import { applyOutcome, type Queue, queueOf, type Report } from '../../kernel/running/queue.ts'
import { readSlice, type Walk } from '../../kernel/running/slices.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { byId } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { CALL_SECONDS } from '../bank/operation.ts'
import { clients, type NewConsumer, newConsumers } from '../customers/client.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { fineIssues, isConsumerOf, lawfulFine } from '../terms.ts'
import { updateCharge } from './change.ts'
import { type Charge, charges, statusAt } from './charge.ts'

const CHARGES_PER_SLICE = 20
const AT_ONCE = 2
/** The waits before the charges of a client are walked again, after a walk that could not change all of them. */
const WAITS_SECONDS = [60, 600, 3_600, 6 * 3_600, 24 * 3_600, 24 * 3_600]

/** The queue that lowers the fines of the open charges of clients who became consumers. */
export const consumerFineQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: newConsumers,
    // A change of a registered title calls the bank.
    leaseSeconds: (CHARGES_PER_SLICE + 1) * CALL_SECONDS,
    atOnce: AT_ONCE,
    owner: 'accountId',
    handle: (wanted, report) => lowerFines(ports, wanted, report),
  })

const lowerFines = async (ports: PaymentsPorts, wanted: NewConsumer, report: Report): Promise<void> => {
  const { store, clock } = ports
  const finish = (set: Pick<NewConsumer, 'dueAt'> & Partial<NewConsumer>) =>
    applyOutcome(store, newConsumers, wanted, { place: null, missed: 0, ...set })
  const { client, account } = await store.read({
    client: byId(clients, Number(wanted.id)),
    account: byId(accounts, wanted.accountId),
  })
  // The document or the declaration of the account may have changed since.
  if (!client || !account || !isConsumerOf(account, client.document)) {
    await finish({ dueAt: null })
    return
  }
  const { records, next } = await readSlice(store, openChargesOf(client), wanted.place)
  let { missed } = wanted
  for (const charge of records) missed += (await hasLawfulFine(ports, charge)) ? 0 : 1
  const now = clock.steady()
  if (next !== null) {
    await finish({ place: next, missed, dueAt: now, attempts: wanted.attempts - 1 })
    return
  }
  const wait = missed === 0 ? null : (WAITS_SECONDS[wanted.attempts - 1] ?? null)
  if (missed > 0 && wait === null)
    report(new Error(`${missed} charges keep a fine over the limit`), `${clients.name}/${client.id}`)
  await finish({ dueAt: wait === null ? null : addSeconds(now, wait) })
}

const openChargesOf = ({ id, accountId }: Pick<Charge, 'id' | 'accountId'>): Walk<Charge> => ({
  from: charges,
  where: all(eq('accountId', accountId), eq('clientId', id), eq('status', 'pending')),
  when: 'listed',
  sort: 'createdAt',
  limit: CHARGES_PER_SLICE,
})

/** Lowers the fine of a charge to that of a consumer. Returns false if that was refused or is not answered yet. */
const hasLawfulFine = async (ports: PaymentsPorts, charge: Charge): Promise<boolean> => {
  const isOver = fineIssues(charge, true).length > 0
  if (!isOver || statusAt(charge, ports.clock.steady()) !== 'pending') return true
  const { id, accountId } = charge
  const changed = await updateCharge(ports)({ accountId }, id, lawfulFine(charge, true))()
  if (isLeft(changed)) return changed.left.code === 'charge.not-pending'
  return changed.right.isAnswered
}
