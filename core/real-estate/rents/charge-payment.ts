import { conflict, failure, left } from '../../failure.ts'
import {
  type DecodedOf,
  day,
  guid,
  type InputOf,
  input,
  nullable,
  oneOf,
  output,
  view,
} from '../../kernel/input/mod.ts'
import { all, eq, insert, patch } from '../../kernel/records/record.ts'
import {
  accept,
  decideAndCommit,
  type Fresh,
  operationUseCase,
  startOperation,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { type Day, dayOf, nextBusinessDay } from '../../kernel/values/day.ts'
import type { ChargeOrder } from '../../ports/charging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type ChargeDetail, charges, issueCharge, newCharge, orderIn } from '../charging/charge.ts'
import { after, afterClosingCharges, afterSettlingCharge } from '../charging/close-charge.ts'
import { apiKeyIn, paymentAccounts } from '../charging/payment-account.ts'
import type { CompanyActor, RealEstatePorts } from '../real-estate-ports.ts'
import { contracts } from '../records/contract.ts'
import { monthText, unchanged } from '../records/fields.ts'
import { isOpen, PAYMENT_TYPE_TEXTS, type Payment, payment, payments } from '../records/payment.ts'
import { clients } from '../records/people.ts'
import { paidByParts, readPaidFacts } from '../terms/paid-terms.ts'
import { type LateTerms, type Quote, quoteOf } from '../terms/quote.ts'

type Owed = Pick<Payment, 'id' | 'type' | 'period' | 'valueCents' | 'dueDate' | 'receivedCents' | 'propertyCode'>

/** The description of a charge for its payer. */
export const chargeText = ({ type, period, propertyCode }: Pick<Payment, 'type' | 'period' | 'propertyCode'>): string =>
  `${PAYMENT_TYPE_TEXTS[type]} ${monthText(period)}, ${propertyCode}`

/**
 * Returns the terms of a payment's charge, for the money that has not arrived. In time, the charge has the value of the
 * payment, with the contract's interest and discount. After a due date that a weekend or holiday moves, it is due on
 * the next business day, since no charge is issued for a past day. The charge of a late payment has the total of
 * today's quote, is due today and bears no further interest.
 */
export const chargeTerms = (
  owed: Owed,
  terms: LateTerms,
  today: Day,
): Pick<ChargeOrder, 'valueCents' | 'dueDate' | 'interestPercentage' | 'discountCents'> => {
  const { daysLate, totalCents, discount } = quoteOf(owed, terms, today)
  if (daysLate > 0) return { valueCents: totalCents, dueDate: today, interestPercentage: null, discountCents: null }
  return {
    valueCents: owed.valueCents - (owed.receivedCents ?? 0),
    dueDate: owed.dueDate < today ? nextBusinessDay(owed.dueDate) : owed.dueDate,
    interestPercentage: terms.interestPercentage,
    discountCents: discount.cents === 0 ? null : discount.cents,
  }
}

export const newPaymentCharge = input('NewPaymentCharge', {
  method: oneOf(['Pix', 'Boleto'], { about: 'Como o cliente paga' }),
})

/** Reads the records that a charge depends on: the payment, its contract, the contract's client, and the account. */
const readFacts = async (store: Store, companyId: string, id: string) => {
  const owed = await payment.find(store, companyId, id)
  const terms = owed && (await store.find(byId(contracts, owed.contractId)))
  return {
    owed,
    terms,
    payer: terms && (await store.find(byId(clients, terms.clientId))),
    account: await store.find(byId(paymentAccounts, companyId)),
  }
}

/** Patches a payment without a charge. The commit is stale if the payment has changed or has a charge. */
const patchUncharged = (owed: Payment, set: Partial<Payment>, { now }: Fresh) => {
  const same = unchanged(owed, 'removedAt', 'status', 'valueCents', 'dueDate', 'contractId', 'receivedCents')
  return patch<Payment>(payments, owed.id, {
    set: { ...set, updatedAt: now },
    when: all(same, eq('chargeId', null)),
  })
}

/** Creates the charge of a payment, or resumes the current one. */
const decideCharge = (
  cipher: Pick<Cipher, 'seal' | 'open'>,
  { owed, terms, payer, account }: Awaited<ReturnType<typeof readFacts>>,
  { method }: DecodedOf<typeof newPaymentCharge>,
  fresh: Fresh,
) => {
  if (!owed || !terms || !payer) return left(failure('not-found', 'payment.unknown'))
  if (!isOpen(owed)) return conflict('payment.closed')
  if (owed.chargeId !== null) return accept({ intent: owed.chargeId })
  if (!account) return conflict('payment.no-account')
  const { name, email, taxId } = payer
  if (taxId === null) return conflict('payment.no-tax-id')
  const amounts = chargeTerms(owed, terms, fresh.today)
  if (amounts.valueCents <= (amounts.discountCents ?? 0)) return conflict('payment.nothing-due')
  const order = { apiKey: apiKeyIn(cipher, account), method, ...amounts, description: chargeText(owed) }
  const charge = newCharge(cipher, owed, { ...order, payer: { name, email, taxId } }, fresh)
  return accept({ intent: charge.id }, insert(charges, charge), patchUncharged(owed, { chargeId: charge.id }, fresh))
}

/**
 * Reports whether a charge that has received a part is for the quoted total; a late one with own interest is for more.
 */
const isForQuotedTotal = (
  { valueCents, discountCents, interestPercentage }: ChargeOrder,
  partCents: number,
  { daysLate, totalCents }: Quote,
): boolean => {
  const isLate = daysLate > 0
  const discounted = isLate ? 0 : (discountCents ?? 0)
  return valueCents - discounted - partCents === totalCents && !(isLate && interestPercentage)
}

/**
 * Returns the payment if its charge is for another amount than is owed today: for less because the payment is late, or
 * for more because money has arrived otherwise.
 */
const findWrongCharge = async (ports: RealEstatePorts, companyId: string, id: string): Promise<Payment | null> => {
  const { store, cipher, clock } = ports
  const { owed, terms } = await readFacts(store, companyId, id)
  const charge = owed?.chargeId ? await store.find(byId(charges, owed.chargeId)) : null
  if (!owed || !terms || !charge) return null
  const quote = quoteOf(owed, terms, dayOf(clock.steady()))
  return isForQuotedTotal(orderIn(cipher, charge), charge.receivedCents ?? 0, quote) ? null : owed
}

/** Marks a payment without a charge as paid, if the money that has arrived is all that is owed today. */
const payIfCovered = (ports: RealEstatePorts, companyId: string, id: string) =>
  decideAndCommit(
    ports,
    async (store) => {
      const owed = await payment.find(store, companyId, id)
      return { owed, facts: owed && (await readPaidFacts(store, owed)) }
    },
    ({ owed, facts }, fresh) => {
      const paid = owed && facts && owed.chargeId === null && paidByParts(owed, facts, fresh)
      return owed && paid ? accept(null, patchUncharged(owed, paid, fresh)) : accept(null)
    },
  )

export const chargePayment =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, id: string, submitted: InputOf<typeof newPaymentCharge>) =>
    withValidInput(ports, newPaymentCharge, submitted, (request) =>
      afterSettlingCharge(
        ports,
        () => payment.find(ports.store, companyId, id),
        afterClosingCharges(
          ports,
          async () => [await findWrongCharge(ports, companyId, id)],
          after(
            () => payIfCovered(ports, companyId, id),
            operationUseCase(
              startOperation(
                ports,
                (store) => readFacts(store, companyId, id),
                (facts, fresh) => decideCharge(ports.cipher, facts, request, fresh),
              ),
              ({ intent }) => issueCharge(ports)(intent),
              issueCharge(ports),
            ),
          ),
        ),
      ),
    )

/** A charge with its Pix code or boleto. */
export const paymentChargeView = view(
  'PaymentCharge',
  {
    id: guid({ about: 'Identificador da cobrança' }),
    paymentId: guid({ about: 'Identificador do pagamento' }),
    method: oneOf(['Pix', 'Boleto'], { about: 'Como o cliente paga' }),
    status: oneOf(['Open', 'Paid', 'Ended'], { about: 'Se ainda pode ser paga' }),
    value: output.money({ about: 'Quanto se cobra até o vencimento, sem o desconto' }),
    dueDate: day({ about: 'Vencimento' }),
    discount: output.money({ about: 'Desconto para quem paga até o vencimento' }),
    receivedValue: nullable(
      output.money({
        about: 'Quanto já chegou por ela, em parte: o Pix e o boleto cobram o resto; nulo se nada chegou',
      }),
    ),
    pixCode: nullable(output.text({ about: 'Pix copia e cola; nulo em um boleto' })),
    digitableLine: nullable(output.text({ about: 'Linha digitável, 47 dígitos; nula em um Pix' })),
    boletoUrl: nullable(output.text({ about: 'Endereço do boleto em PDF; nulo em um Pix' })),
    url: output.text({ about: 'Endereço em que o cliente vê e paga a cobrança' }),
  },
  ({ charge, order, issued }: ChargeDetail) => ({
    id: charge.id,
    paymentId: charge.paymentId,
    method: order.method,
    status: issued.status,
    value: issued.valueCents,
    dueDate: issued.dueDate,
    discount: order.discountCents ?? 0,
    receivedValue: issued.receivedCents === 0 ? null : issued.receivedCents,
    pixCode: issued.pixText,
    digitableLine: issued.digitableLine,
    boletoUrl: issued.boletoUrl,
    url: issued.url,
  }),
)
