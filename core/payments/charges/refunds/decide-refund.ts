import { failure, invalid, issue } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { ensure, insert, patch } from '../../../kernel/records/change.ts'
import { gte } from '../../../kernel/records/where.ts'
import { type Fresh, randomCode } from '../../../kernel/running/fresh.ts'
import { accept } from '../../../kernel/running/use-case.ts'
import { addSeconds } from '../../../kernel/values/day.ts'
import { formatReais } from '../../../kernel/values/money.ts'
import type { RefundOrder } from '../../../ports/bank.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import { type Account, stillActive } from '../../accounts/account.ts'
import type { Actor } from '../../actor.ts'
import { bankOperations, newOperation, subjectOf } from '../../bank/operation.ts'
import type { BegunOperation } from '../../bank/run-operation.ts'
import { type LedgerAccount, ledgerAccountId, ledgerAccounts } from '../../ledger/ledger.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import type { Charge } from '../charge.ts'
import { NO_CHARGE } from '../charge-failure.ts'
import type { AskedRefund } from './new-refund.ts'
import { hasSomeLeft, isTooLate, type ReceivedPixEntry, refundableId, untouched } from './received-pix.ts'
import { type Refund, refundablePix, refunds } from './refund.ts'

/** The kind of the operations that give a received Pix back. */
export const REFUND = 'refund'
export const REFUND_LEASE_SECONDS = 60
/** What the API Pix takes at most is 35. */
const ID_CHARS = 32

/** What a refund is decided on. */
export interface NewRefundFacts {
  readonly charge: Charge
  readonly account: Account
  readonly book: LedgerAccount | null
  /** Newest first. */
  readonly received: readonly ReceivedPixEntry[]
}

type DecidingPorts = Pick<PaymentsPorts, 'cipher' | 'bank'>

/**
 * Takes what goes back out of what is left of its Pix and of what may be spent, before the bank is asked. Of several at once
 * no more begin than there is.
 */
export const decideNewRefund = (
  ports: DecidingPorts,
  facts: NewRefundFacts | null,
  actor: Pick<Actor, 'userId'>,
  asked: AskedRefund,
  fresh: Fresh,
) => {
  if (!facts) return left(NO_CHARGE)
  // Money leaves only from an active organization.
  if (facts.account.status !== 'ACTIVE') return left(failure('forbidden', 'organization.inactive'))
  if (!ports.bank.refunds) return left(failure('refused', 'bank.unsupported'))
  if (facts.received.length === 0) return left(failure('refused', 'refund.not-pix'))
  const meant = facts.received.filter(({ entry }) => asked.endToEndId === null || entry.endToEnd === asked.endToEndId)
  if (meant.length === 0) return left(invalid([issue('endToEndId', 'unknown')]))
  const inTime = meant.filter(({ entry }) => !isTooLate(entry, fresh.today))
  if (inTime.length === 0) return left(failure('refused', 'refund.late'))
  const [chosen, another] = inTime.filter(hasSomeLeft)
  if (another) return left(invalid([issue('endToEndId', 'refund.several')]))
  const mostCents = chosen?.leftCents ?? 0
  const valueCents = asked.valueCents ?? mostCents
  if (!chosen || valueCents > mostCents)
    return left(invalid([issue('valueCents', 'refund.left', { max: formatReais(mostCents) })]))
  if ((facts.book?.availableCents ?? 0) < valueCents) return left(invalid([issue('valueCents', 'refund.balance')]))
  return begin(ports.cipher, facts, actor, { chosen, valueCents, reason: asked.reason }, fresh)
}

interface Chosen extends Pick<Refund, 'valueCents' | 'reason'> {
  readonly chosen: ReceivedPixEntry
}

const begin = (
  cipher: Pick<Cipher, 'seal'>,
  { charge }: NewRefundFacts,
  { userId }: Pick<Actor, 'userId'>,
  { chosen: { entry }, valueCents, reason }: Chosen,
  fresh: Fresh,
) => {
  const { accountId } = charge
  const id = randomCode(fresh, ID_CHARS)
  const order: RefundOrder = { id, endToEndId: entry.endToEnd ?? '', valueCents, reason }
  const refund: Refund = {
    ...order,
    accountId,
    chargeId: charge.id,
    entryId: entry.id,
    status: 'pending',
    failure: null,
    returnId: null,
    createdBy: userId,
    createdAt: fresh.now,
    completedAt: null,
  }
  const operation = newOperation<RefundOrder>(
    cipher,
    {
      id,
      accountId,
      kind: REFUND,
      subject: subjectOf(refunds, id),
      order,
      dueAt: addSeconds(fresh.now, REFUND_LEASE_SECONDS),
    },
    fresh,
  )
  return accept<BegunOperation<RefundOrder>>(
    { intent: id, order, operation },
    stillActive(accountId),
    ensure(refundablePix, untouched(entry)),
    patch(refundablePix, refundableId(entry), {
      add: { refundableCents: -valueCents },
      when: gte('refundableCents', valueCents),
    }),
    patch(ledgerAccounts, ledgerAccountId(accountId, 'main'), {
      add: { availableCents: -valueCents },
      when: gte('availableCents', valueCents),
    }),
    insert(refunds, refund),
    insert(bankOperations, operation),
  )
}
