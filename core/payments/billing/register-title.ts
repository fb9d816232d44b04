import { type Either, left, right } from '../../fp.ts'
import { type Change, patch } from '../../kernel/change.ts'
import { plusSeconds } from '../../kernel/day.ts'
import { type Failure, failure } from '../../kernel/failure.ts'
import type { Fresh } from '../../kernel/fresh.ts'
import { conclude, type Decided, decided, type UseCase } from '../../kernel/use-case.ts'
import { eq } from '../../kernel/where.ts'
import type { BankAnswer, PixOrder, PixTitle } from '../../ports/bank.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import type { EventType } from '../events/event.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, charges } from './charge.ts'
import { dueOn } from './charge-view.ts'
import { type ChargeDetail, findCharge } from './find-charge.ts'
import { tellCharge } from './tell-charge.ts'

/** What the bank was asked for, and what it said. */
export interface Asked {
  readonly order: PixOrder
  readonly answer: BankAnswer<PixTitle>
}

/** An account has no address yet, and a Pix code needs a city. */
const PAYEE_CITY = 'BRASIL'
const FIRST_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 600

/**
 * Asks the bank for a charge's title and records its answer: the one way in which the operation `create` ends, called
 * by the request that issued the charge, by a repeat of it and by the worker. A time-out leaves the charge pending,
 * without its Pix, and is asked again.
 * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`. Source: decisions.md §9.
 */
export const registerTitle =
  (ports: PaymentsPorts) =>
  (chargeId: number): UseCase<ChargeDetail> =>
  async (rider) => {
    const charge = await ports.store.find(byId(charges, chargeId))
    const account = charge && (await ports.store.find(byId(accounts, charge.accountId)))
    const asked = charge && account ? await ask(ports, charge, account) : null
    return conclude(
      ports,
      () => findCharge(ports, { id: chargeId }),
      (detail, fresh) => decideTitle(detail, asked, fresh),
    )(rider)
  }

const ask = async ({ bank }: PaymentsPorts, charge: Charge, account: Account): Promise<Asked | null> => {
  const { txid, operation, attempts } = charge
  if (operation === null || txid === null) return null
  const order: PixOrder = {
    txid,
    pixKey: account.pixKey ?? '',
    payeeName: account.name,
    payeeCity: PAYEE_CITY,
    valueCents: dueOn(charge, charge.dueDate),
    dueDate: charge.dueDate,
  }
  if (!account.pixKey) return { order, answer: { outcome: 'refused', reason: 'A conta não tem chave Pix.' } }
  if (attempts === 0) return { order, answer: await bank.createPix(order) }

  // Somebody asked before and did not hear the answer: only what the bank does not know yet is sent, and nothing but
  // its refusal ends the charge.
  const known = await bank.findPix(txid)
  if (known.outcome !== 'done') return { order, answer: { outcome: 'unknown' } }
  const answer: BankAnswer<PixTitle> = known.value
    ? { outcome: 'done', value: known.value }
    : await bank.createPix(order)
  return { order, answer: answer.outcome === 'unavailable' ? { outcome: 'unknown' } : answer }
}

/** Turns the bank's answer into the charge's next state, once. */
export const decideTitle = (
  detail: ChargeDetail | null,
  asked: Asked | null,
  fresh: Fresh,
): Decided<Either<Failure, ChargeDetail>> => {
  if (!detail) return left(failure('not-found', 'charge.unknown'))
  if (detail.charge.operation === null || !asked) return decided<Either<Failure, ChargeDetail>>(right(detail))
  const { order, answer } = asked
  if (answer.outcome === 'unknown') return decided(right(detail), askAgain(detail.charge, fresh))
  if (answer.outcome === 'done') {
    const { txid, pixKey: key, payeeName, payeeCity } = order
    const pix = { txid, key, payeeName, payeeCity, dynamicCode: answer.value.dynamicCode }
    return ended(detail, { pix }, 'charge.created', fresh, right)
  }
  const reason = answer.outcome === 'refused' ? answer.reason : null
  const refusal: Failure = { tag: 'refused', code: `bank.${answer.outcome}`, ...(reason ? { reason } : {}) }
  const fields = { status: 'failed', failure: reason ?? answer.outcome } as const
  return ended(detail, fields, 'charge.failed', fresh, () => left(refusal))
}

const ended = (
  { charge, client, asOf }: ChargeDetail,
  fields: Partial<Charge>,
  type: EventType,
  fresh: Fresh,
  answer: (detail: ChargeDetail) => Either<Failure, ChargeDetail>,
): Decided<Either<Failure, ChargeDetail>> => {
  const set = { ...fields, operation: null, dueAt: null, updatedAt: fresh.now }
  const after: Charge = { ...charge, ...set }
  return decided(
    answer({ charge: after, client, asOf }),
    patch(charges, charge.id, { set, when: eq('operation', 'create') }),
    tellCharge(fresh, type, after, client),
  )
}

const askAgain = (charge: Charge, fresh: Fresh): Change => {
  const waitSeconds = Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(charge.attempts, 10))
  return patch(charges, charge.id, {
    set: { dueAt: plusSeconds(fresh.now, waitSeconds) },
    when: eq('operation', 'create'),
  })
}
