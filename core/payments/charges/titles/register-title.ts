import { failure, refusal } from '../../../failure.ts'
import { type Either, isLeft, left, right } from '../../../fp.ts'
import { type Change, patch } from '../../../kernel/records/change.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh/fresh.ts'
import { decided, finishOperation, useCaseOf } from '../../../kernel/running/use-case.ts'
import { plusSeconds } from '../../../kernel/values/day.ts'
import type { BankAnswer, PixOrder, PixTitle } from '../../../ports/bank.ts'
import { byId } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Charge, chargeMoves, charges } from '../charge.ts'
import { dueOn } from '../charge-view.ts'
import { type ChargeDetail, findCharge } from '../find-charge.ts'
import { type ChargeEventType, recordChargeEvent } from '../record-charge-event.ts'

/** What the bank was asked for, and what it said. */
export interface BankReply {
  readonly order: PixOrder
  readonly answer: BankAnswer<PixTitle>
}

/** An account has no address yet, and a Pix code needs a city. */
const PAYEE_CITY = 'BRASIL'
const FIRST_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 600

/** Whether the bank was asked before by somebody who may not have heard its answer. */
export type Asking = 'first' | 'again'

/** What a charge's `failure` says when the bank could not be reached; else it is the bank's own reason. */
const UNAVAILABLE = 'unavailable'

/**
 * Asks the bank for a charge's title and records its answer: the one way in which the operation `create` ends, called
 * by the request that issued the charge, by a repeat of it and by the worker. A time-out leaves the charge pending,
 * without its Pix, and is asked again. Whoever comes after the answer is told the same.
 * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`. Source: decisions.md §9.
 */
export const registerTitle =
  (ports: PaymentsPorts) =>
  (chargeId: number, asking: Asking = 'again') =>
    useCaseOf<ChargeDetail>()(async (hooks) => {
      const charge = await ports.store.find(byId(charges, chargeId))
      const account = charge && (await ports.store.find(byId(accounts, charge.accountId)))
      const asked = charge && account ? await ask(ports, charge, account, asking) : null
      const concluded = await finishOperation(
        ports,
        () => findCharge(ports, { id: chargeId }),
        (detail, fresh) => decideTitle(detail, asked, fresh),
      )(hooks)
      // Made for a call that came late, when the bank had refused another one: nobody is to pay what failed.
      if (asked?.answer.outcome === 'done' && isLeft(concluded) && concluded.left.tag === 'refused')
        await ports.bank.cancelTitle(asked.order.txid)
      return concluded
    })

/**
 * As `registerTitle`, for somebody who repeats a request: they are counted first, like a worker that claims the charge, so
 * that whoever asked before them and did not reach the bank knows that somebody else may.
 */
export const resumeTitle = (ports: PaymentsPorts) => (chargeId: number) =>
  useCaseOf<ChargeDetail>()(async (hooks) => {
    if (!Number.isSafeInteger(chargeId)) return left(failure('not-found', 'charge.unknown'))
    await ports.store.commit([patch(charges, chargeId, { add: { attempts: 1 }, when: eq('operation', 'create') })])
    return registerTitle(ports)(chargeId, 'again')(hooks)
  })

const ask = async (
  { bank }: Pick<PaymentsPorts, 'bank'>,
  charge: Charge,
  account: Account,
  asking: Asking,
): Promise<BankReply | null> => {
  const { txid, pixKey, operation } = charge
  if (operation === null || txid === null) return null
  const order: PixOrder = {
    txid,
    pixKey: pixKey ?? '',
    payeeName: account.name,
    payeeCity: PAYEE_CITY,
    valueCents: dueOn(charge, charge.dueDate),
    dueDate: charge.dueDate,
  }
  if (pixKey === null) return { order, answer: { outcome: 'refused', reason: 'A conta não tem chave Pix.' } }
  if (asking === 'first') return { order, answer: await bank.createPix(order) }

  // Only what the bank does not know yet is sent, and nothing but its refusal ends the charge.
  const known = await bank.findPix(txid)
  if (known.outcome !== 'done') return { order, answer: { outcome: 'unknown' } }
  const answer: BankAnswer<PixTitle> = known.value
    ? { outcome: 'done', value: known.value }
    : await bank.createPix(order)
  return { order, answer: answer.outcome === 'unavailable' ? { outcome: 'unknown' } : answer }
}

/** Turns the bank's answer into the charge's next state, once. */
export const decideTitle = (detail: ChargeDetail | null, asked: BankReply | null, fresh: Fresh) => {
  if (!detail) return left(failure('not-found', 'charge.unknown'))
  const { charge } = detail
  if (charge.operation === null || !asked) {
    return decided(charge.failure === null ? right(detail) : left(refusalOf(charge.failure)))
  }
  const { order, answer } = asked
  if (answer.outcome === 'unknown') return decided(right(detail), askAgain(charge, fresh))
  // The first to ask took so long that somebody else asks too: what the bank says to them counts.
  if (answer.outcome === 'unavailable' && charge.attempts > 0) return decided(right(detail))
  if (answer.outcome === 'done') {
    const { txid, pixKey: key, payeeName, payeeCity } = order
    const pix = { txid, key, payeeName, payeeCity, dynamicCode: answer.value.dynamicCode }
    return ended(detail, { pix }, 'charge.created', fresh, right)
  }
  const why = answer.outcome === 'refused' ? answer.reason : UNAVAILABLE
  const fails = chargeMoves.can(charge.status, 'failed')
  const fields = { ...(fails ? { status: 'failed' as const } : {}), failure: why }
  return ended(detail, fields, fails ? 'charge.failed' : null, fresh, () => left(refusalOf(why)))
}

const refusalOf = (why: string) =>
  why === UNAVAILABLE ? failure('refused', 'bank.unavailable') : refusal('bank.refused', why)

const ended = (
  { charge, client, asOf }: ChargeDetail,
  fields: Partial<Charge>,
  /** What is told of it, if anything. */
  type: ChargeEventType | null,
  fresh: Fresh,
  answer: (detail: ChargeDetail) => Either<ReturnType<typeof refusalOf>, ChargeDetail>,
) => {
  const set = { ...fields, operation: null, dueAt: null, updatedAt: fresh.now }
  const after: Charge = { ...charge, ...set }
  return decided(
    answer({ charge: after, client, asOf }),
    patch(charges, charge.id, {
      set,
      when: all(eq('operation', 'create'), eq('status', charge.status), eq('attempts', charge.attempts)),
    }),
    ...(type ? [recordChargeEvent(fresh, type, after, client)] : []),
  )
}

const askAgain = (charge: Charge, fresh: Fresh): Change => {
  const waitSeconds = Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(charge.attempts, 10))
  return patch(charges, charge.id, {
    set: { dueAt: plusSeconds(fresh.now, waitSeconds) },
    when: eq('operation', 'create'),
  })
}
