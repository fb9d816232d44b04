import { failure } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { oneOf } from '../../../kernel/input/scalars.ts'
import { insert, patch } from '../../../kernel/records/change.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, operationUseCase, startOperation, withValidInput } from '../../../kernel/running/use-case.ts'
import { dayOf } from '../../../kernel/values/day.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import { byId, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { charges, newCharge, orderIn } from '../../charging/charge.ts'
import { issueCharge } from '../../charging/issue.ts'
import { onceClosed, onceSettled } from '../../charging/once-closed.ts'
import { apiKeyIn, type PaymentAccount, paymentAccounts } from '../../charging/payment-account.ts'
import type { RealEstatePorts } from '../../real-estate-ports.ts'
import { type Client, clients } from '../../records/client.ts'
import { type Contract, contracts } from '../../records/contract.ts'
import { isOpen, type Payment, payment, payments } from '../../records/payment.ts'
import { chargeTerms, chargeText } from './charge-terms.ts'

/** By what a payer is asked to pay. */
export const newPaymentCharge = input('NewPaymentCharge', {
  method: oneOf(['Pix', 'Boleto'], { about: 'Como o cliente paga' }),
})

export type NewPaymentCharge = InputOf<typeof newPaymentCharge>
type Asked = DecodedOf<typeof newPaymentCharge>

/** What a charge is decided on. */
export interface ChargingFacts {
  readonly owed: Payment | null
  readonly terms: Contract | null
  /** Who owes it. */
  readonly payer: Client | null
  readonly account: PaymentAccount | null
}

const readFacts = async (store: Store, companyId: string, id: string): Promise<ChargingFacts> => {
  const owed = await payment.find(store, companyId, id)
  const terms = owed && (await store.find(byId(contracts, owed.contractId)))
  return {
    owed,
    terms,
    payer: terms && (await store.find(byId(clients, terms.clientId))),
    account: await store.find(byId(paymentAccounts, companyId)),
  }
}

const conflict = <const C extends string>(code: C) => left(failure('conflict', code))

/** That a payment is charged by a charge that is begun here, unless it is owed otherwise by then. */
const charging = ({ id, status, valueCents, dueDate, contractId }: Payment, chargeId: string, { now }: Fresh) =>
  patch<Payment>(payments, id, {
    set: { chargeId, updatedAt: now },
    when: all<keyof Payment & string>(
      eq('removedAt', null),
      eq('status', status),
      eq('valueCents', valueCents),
      eq('dueDate', dueDate),
      eq('contractId', contractId),
      eq('chargeId', null),
    ),
  })

/** Begins a charge of a payment; one that is there is carried on. */
export const decideCharge = (
  cipher: Pick<Cipher, 'seal' | 'open'>,
  { owed, terms, payer, account }: ChargingFacts,
  { method }: Asked,
  fresh: Fresh,
) => {
  if (!owed || !terms || !payer) return left(failure('not-found', 'payment.unknown'))
  if (!isOpen(owed)) return conflict('payment.closed')
  if (owed.chargeId !== null) return accept({ intent: owed.chargeId })
  if (!account) return conflict('payment.no-account')
  const { name, email, taxId } = payer
  if (taxId === null) return conflict('payment.no-tax-id')
  const asked = chargeTerms(owed, terms, fresh.today)
  if (asked.valueCents <= (asked.discountCents ?? 0)) return conflict('payment.nothing-due')
  const order = { apiKey: apiKeyIn(cipher, account), method, ...asked, description: chargeText(owed) }
  const charge = newCharge(cipher, owed, { ...order, payer: { name, email, taxId } }, fresh)
  return accept({ intent: charge.id }, insert(charges, charge), charging(owed, charge.id, fresh))
}

/** The payment if it is late and its open charge asks less than what is due today, as a boleto from before it was late does. */
const readUndercharged = async (ports: RealEstatePorts, companyId: string, id: string): Promise<Payment | null> => {
  const { store, cipher, clock } = ports
  const { owed, terms } = await readFacts(store, companyId, id)
  const open = owed?.chargeId ? await store.find(byId(charges, owed.chargeId)) : null
  if (!owed || !terms || !open) return null
  const { valueCents, discountCents } = chargeTerms(owed, terms, dayOf(clock.steady()))
  const ordered = orderIn(cipher, open)
  return discountCents === null && ordered.valueCents < valueCents ? owed : null
}

/**
 * Charges a payment's client by Pix or boleto, on the account of the agency. An open charge is returned, whatever its method;
 * one that asks less than a late payment owes today is cancelled first.
 * Fails: `fields`, `payment.unknown`, `payment.closed` (paid already, or cancelled), `payment.no-account`, `payment.no-tax-id`,
 * `payment.nothing-due` (the discount is all of it), `charge.refused`, `charge.ended` (meanwhile), `charge.uncancelled`,
 * `charging.unavailable` (it is being issued, and goes on).
 */
export const chargePayment =
  (ports: RealEstatePorts) =>
  ({ companyId }: Pick<Actor, 'companyId'>, id: string, given: NewPaymentCharge) =>
    withValidInput(ports, newPaymentCharge, given, (asked) =>
      onceSettled(
        ports,
        () => payment.find(ports.store, companyId, id),
        onceClosed(
          ports,
          async () => [await readUndercharged(ports, companyId, id)],
          operationUseCase(
            startOperation(
              ports,
              (store) => readFacts(store, companyId, id),
              (facts, fresh) => decideCharge(ports.cipher, facts, asked, fresh),
            ),
            ({ intent }) => issueCharge(ports)(intent),
            issueCharge(ports),
          ),
        ),
      ),
    )
