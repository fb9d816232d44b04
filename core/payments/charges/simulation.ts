import { failure, isLeft, left } from '../../failure.ts'
import { accept, type FactsOf, type Fresh, useCase } from '../../kernel/running/use-case.ts'
import type { PaymentNotice } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { endToEndId } from '../pix/pix-id.ts'
import { type CardFacts, isCardCharge, readPaymentFacts } from './card.ts'
import { type Charge, statusAt } from './charge.ts'
import { type ChargeDetail, dueOn, isRestRefused, isTitleOutdated, NO_CHARGE } from './detail.ts'
import { applyNotice } from './notifications.ts'
import { postPayment } from './payment.ts'
import { findOwnCharge } from './queries/read.ts'
import { readNetPaid } from './refund-records.ts'

/** The accounts for tests of the service. */
const TEST_ACCOUNTS: readonly number[] = [1, 2, 3]

/** The ISPB of no bank, so that simulated payments are visible in extracts. */
const ISPB = '00000000'
const RANDOM_CHARS = 11
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

type Facts = FactsOf<typeof readFacts>

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

const readFacts = async (ports: PaymentsPorts, { accountId }: Pick<Actor, 'accountId'>, idOrCode: string) => {
  const detail = await findOwnCharge(ports, accountId, idOrCode)
  const facts = detail && (await readPaymentFacts(ports, detail))
  return facts && { ...facts, netPaidCents: await readNetPaid(ports.store, facts.detail.charge) }
}

const decideSimulation = (cipher: Pick<Cipher, 'seal'>, facts: Facts | null, fresh: Fresh) => {
  if (!facts) return left(NO_CHARGE)
  const { detail } = facts
  const { charge } = detail
  const { txid } = charge
  if (isCardCharge(charge) && charge.status === 'pending')
    return decideCard(cipher, { ...facts, detail: { ...detail, charge } }, fresh)
  if (txid === null || statusAt(charge, fresh.steady) !== 'pending')
    return left(failure('refused', 'charge.not-pending'))
  // The boleto was paid in part, and none is paid twice: the rest is paid by a boleto of its own.
  if (charge.paymentMethod === 'BOLETO' && isTitleOutdated(charge))
    return left(isRestRefused(charge) ? failure('not-found', 'boleto.unknown') : failure('conflict', 'charge.busy'))
  const { after, changes } = postPayment(cipher, facts, noticeOf(charge, txid, fresh), fresh)
  return accept<ChargeDetail>({ ...detail, charge: after, asOf: fresh.steady }, ...changes)
}

/** Approves a pending card as if the acquirer had notified of it. */
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

/** Builds the bank's notice: by nosso número for a boleto, by Pix for any other. */
const noticeOf = (charge: Charge, txid: string, fresh: Fresh): PaymentNotice => {
  const { steady: paidAt, today } = fresh
  const common = { txid, valueCents: dueOn(charge, today), paidAt, payer: null }
  const { nossoNumero } = charge
  if (charge.paymentMethod === 'BOLETO' && nossoNumero !== null)
    return { ...common, method: 'boleto', endToEndId: nossoNumero }
  const random = fresh.text(LETTERS_AND_DIGITS, RANDOM_CHARS)
  return { ...common, method: 'pix', endToEndId: endToEndId({ ispb: ISPB, instant: paidAt, random }) }
}
