import { dayOf, formatDay } from '../../../../core/kernel/values/day.ts'
import { endOfSentence } from '../../../../core/payments/accounts/views.ts'
import { type ChargeStatus, statusAt } from '../../../../core/payments/charges/charge.ts'
import type { PublicCharge } from '../../../../core/payments/charges/read.ts'
import { dueOn, type Returned, returnedOf, returnedText } from '../../../../core/payments/charges/views.ts'
import { reais, unbroken } from './payee.ts'

/** What has become of a charge, to whoever is to pay it. */
export interface ChargeState {
  /** In a word or two, with the colour it has. */
  readonly word: string
  readonly tone: 'waits' | 'paid' | 'wrong' | ''
  readonly text: string | null
}

const isByCard = ({ charge }: PublicCharge): boolean => charge.paymentMethod === 'CREDIT_CARD'

const pending = (found: PublicCharge): ChargeState => {
  const { charge, account } = found
  if (isByCard(found)) {
    const text = `A operadora do cartão ainda não respondeu. Não é preciso pagar de novo: avisaremos aqui.`
    return { word: 'Pagamento em análise', tone: 'waits', text }
  }
  if (charge.pix === null && charge.boleto === null) {
    const text = 'O banco está preparando o código de pagamento. Costuma levar alguns segundos.'
    return { word: 'Preparando o pagamento', tone: 'waits', text }
  }
  // Until its payer is to hurry, nothing need be said.
  const isLate = charge.dueDate < dayOf(found.asOf)
  const text = isLate
    ? `A cobrança venceu em ${formatDay(charge.dueDate)}, e ${account.name} ainda aceita o pagamento.`
    : null
  return { word: 'Aguardando pagamento', tone: 'waits', text }
}

const paid = (found: PublicCharge): ChargeState => {
  const { charge, account } = found
  const returned = returnedOf(charge)
  if (returned) return givenBack(found, returned)
  const when = charge.paymentDate === null ? '' : ` em ${formatDay(charge.paymentDate)}`
  const amount = reais(charge.amountPaidCents ?? charge.valueCents)
  const text = `Obrigado! ${account.name} recebeu ${amount}${when}.${shortOf(found)}`
  return { word: 'Pagamento recebido', tone: 'paid', text }
}

/** A payment that went back to its payer, whole or in part. */
const givenBack = (found: PublicCharge, returned: Returned): ChargeState => {
  const { charge } = found
  const when = charge.paymentDate === null ? '' : ` em ${formatDay(charge.paymentDate)}`
  const text = `Pagamento de ${reais(charge.amountPaidCents ?? charge.valueCents)}${when}. ${unbroken(returnedText(returned))}`
  if (returned.leftCents === 0) return { word: 'Pagamento devolvido', tone: '', text }
  return { word: 'Pagamento devolvido em parte', tone: 'paid', text: `${text}${shortOf(found)}` }
}

/** Any payment pays: whoever paid less than was asked that day hears of it. */
const shortOf = ({ charge, account }: PublicCharge): string => {
  const { paymentDate, amountPaidCents } = charge
  if (paymentDate === null || amountPaidCents === null) return ''
  const askedCents = dueOn(charge, paymentDate)
  if (amountPaidCents >= askedCents) return ''
  return ` Foi menos que o valor pedido, ${reais(askedCents)}: para saber se falta pagar, fale com ${endOfSentence(account.name)}`
}

const failed = (found: PublicCharge): ChargeState => {
  const { name } = found.account
  if (isByCard(found)) {
    const text = `O cartão não foi aceito e nada foi cobrado. Para tentar de outro modo, fale com ${endOfSentence(name)}`
    return { word: 'Pagamento não aprovado', tone: 'wrong', text }
  }
  const text = `O banco não aceitou esta cobrança. Não há o que pagar aqui: fale com ${endOfSentence(name)}`
  return { word: 'Cobrança não emitida', tone: 'wrong', text }
}

const expired = ({ account: { name } }: PublicCharge): ChargeState => ({
  word: 'Cobrança expirada',
  tone: 'wrong',
  text: `O prazo para pagar terminou. Se você já pagou, o pagamento será reconhecido assim que o banco avisar; senão, peça outra cobrança a ${endOfSentence(name)}`,
})

const cancelled = ({ account: { name } }: PublicCharge): ChargeState => ({
  word: 'Cobrança cancelada',
  tone: '',
  text: `Não é preciso pagar. Em caso de dúvida, fale com ${endOfSentence(name)}`,
})

const STATES: Readonly<Record<ChargeStatus, (found: PublicCharge) => ChargeState>> = {
  pending,
  paid,
  paidwithpix: paid,
  expired,
  cancelled,
  failed,
  DELETED: cancelled,
}

export const chargeState = (found: PublicCharge): ChargeState => {
  const { charge, asOf } = found
  const state = STATES[statusAt(charge, asOf)](found)
  // Money that came when it was not to be paid any more, and went back.
  const returned = charge.paymentDate === null ? returnedOf(charge) : null
  if (!returned) return state
  return { ...state, text: `${state.text ?? ''} ${unbroken(returnedText(returned))}`.trim() }
}
