import { failure } from '../../../failure.ts'
import { isLeft, left } from '../../../fp.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase } from '../../../kernel/running/use-case.ts'
import type { PaymentNotice } from '../../../ports/bank.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import { byId } from '../../../ports/store.ts'
import { accounts } from '../../accounts/account.ts'
import type { Actor } from '../../actor.ts'
import { readTryFacts } from '../../cards/card-tries.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { endToEndId } from '../../pix/pix-id.ts'
import { isOfCard } from '../cards/card-order.ts'
import type { CardFacts } from '../cards/decide-card.ts'
import { applyNotice } from '../cards/take-decision.ts'
import { type Charge, statusAt } from '../charge.ts'
import { NO_CHARGE } from '../charge-failure.ts'
import { dueOn } from '../charge-view.ts'
import { type ChargeDetail, findOwnCharge } from '../find-charge.ts'
import { readLinkPlace } from '../link-places.ts'
import { confirmed } from '../payment/confirm-payment.ts'

/** Accounts that try the service. Source: decisions.md §3, Simulated payment. */
const TEST_ACCOUNTS: readonly number[] = [1, 2, 3]

/** No bank has it: whoever reads an extract sees that nobody paid. */
const ISPB = '00000000'
const RANDOM_CHARS = 11
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

type Facts = Pick<CardFacts, 'account' | 'tries' | 'place'> & { readonly detail: ChargeDetail }

/**
 * Pays a charge of a test account as if its bank had confirmed the amount due today: posted, moved and notified alike. Refused
 * in production, and at a bank whose money is real: simulated money must not stand beside it.
 * Fails: `simulation.forbidden`, `bank.unsupported`, `charge.unknown` (another account's, too), `charge.not-pending`, `charge.busy`.
 * Source: 02-billing.md, Charges; decisions.md §7 and §9.
 */
export const simulatePayment = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, idOrCode: string) =>
  useCase(
    ports,
    () => readFacts(ports, actor, idOrCode),
    (facts, fresh) => {
      const isTest = TEST_ACCOUNTS.includes(actor.accountId) && !ports.settings.isProduction
      if (!isTest) return left(failure('forbidden', 'simulation.forbidden'))
      if (!ports.bank.can.includes('simulated-payments')) return left(failure('refused', 'bank.unsupported'))
      return decideSimulation(ports.cipher, facts, fresh)
    },
  )

const readFacts = async (
  ports: PaymentsPorts,
  { accountId }: Pick<Actor, 'accountId'>,
  idOrCode: string,
): Promise<Facts | null> => {
  const detail = await findOwnCharge(ports, accountId, idOrCode)
  const account = detail && (await ports.store.find(byId(accounts, accountId)))
  if (!detail || !account) return null
  const tries = await readTryFacts(ports.store, detail.charge)
  return { detail, account, tries, place: await readLinkPlace(ports.store, detail.charge) }
}

export const decideSimulation = (cipher: Pick<Cipher, 'seal'>, facts: Facts | null, fresh: Fresh) => {
  if (!facts) return left(NO_CHARGE)
  const { detail } = facts
  const { charge } = detail
  const { txid } = charge
  if (isOfCard(charge) && charge.status === 'pending')
    return decideCard(cipher, { ...facts, detail: { ...detail, charge } }, fresh)
  if (txid === null || statusAt(charge, fresh.steady) !== 'pending')
    return left(failure('refused', 'charge.not-pending'))
  const { after, changes } = confirmed(cipher, facts, noticeOf(charge, txid, fresh), fresh)
  return accept<ChargeDetail>({ ...detail, charge: after, asOf: fresh.steady }, ...changes)
}

/** A card that its acquirer left pending is approved, as if it had told so. */
const decideCard = (cipher: Pick<Cipher, 'seal'>, facts: CardFacts, fresh: Fresh) => {
  const { code, operationId } = facts.detail.charge
  if (operationId !== null) return left(failure('conflict', 'charge.busy'))
  const { value, changes } = applyNotice(
    cipher,
    facts,
    { id: code, status: 'approved', token: null, reason: null },
    fresh,
  )
  return isLeft(value) ? value : accept(value.right, ...changes)
}

/** As the bank would tell it: a boleto by its own number, anything else by Pix. */
const noticeOf = (charge: Charge, txid: string, fresh: Fresh): PaymentNotice => {
  const { steady: paidAt, today } = fresh
  const told = { txid, valueCents: dueOn(charge, today), paidAt, payer: null }
  const { nossoNumero } = charge
  if (charge.paymentMethod === 'BOLETO' && nossoNumero !== null)
    return { ...told, method: 'boleto', endToEndId: nossoNumero }
  const random = fresh.text(LETTERS_AND_DIGITS, RANDOM_CHARS)
  return { ...told, method: 'pix', endToEndId: endToEndId({ ispb: ISPB, instant: paidAt, random }) }
}
