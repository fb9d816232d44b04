import { formatDay } from '../../kernel/values/day.ts'
import { atEnd } from '../accounts/payee.ts'
import { type ChargeStatus, statusAt } from '../charges/charge.ts'
import { returnedOf, returnedText } from '../charges/charge-view.ts'
import type { Cause, Trigger } from './trigger.ts'

/** What a payer is told by a rule whose account gave no text of its own. */
interface Words {
  readonly subject: string
  readonly body: string
}

type Said = Pick<Trigger, 'account' | 'charge' | 'steady' | 'today'>

const PAID_ALREADY = 'Se você já pagou, desconsidere este aviso.'

const fell = ({ charge, today }: Said): string => (charge.dueDate < today ? 'venceu' : 'vence')

const unpayable = ({ account, charge }: Said): string => {
  const text = `A sua cobrança não pode mais ser paga. Em caso de dúvida, fale com ${atEnd(account.name)}`
  const returned = returnedOf(charge)
  return returned ? `${text} ${returnedText(returned)}` : text
}
const paid = ({ charge }: Said): string => {
  const returned = returnedOf(charge)
  return returned ? `Recebemos o seu pagamento. ${returnedText(returned)}` : 'A sua cobrança está paga. Obrigado!'
}

/** Of a charge that is paid, a change is a refund. */
const updated = ({ account, charge }: Said): Words => {
  const returned = returnedOf(charge)
  if (returned)
    return {
      subject: `Devolução de ${account.name}`,
      body: `Houve uma devolução do seu pagamento. ${returnedText(returned)}`,
    }
  const body = 'Os dados de uma cobrança sua foram alterados. Valem os que estão aqui.'
  return { subject: `Cobrança de ${account.name} atualizada`, body }
}

/** How a charge stands of which somebody asked to tell. */
const STANDS: Readonly<Record<ChargeStatus, (about: Said) => string>> = {
  pending: (about) =>
    `A sua cobrança ${fell(about)} em ${formatDay(about.charge.dueDate)} e aguarda o pagamento. ${PAID_ALREADY}`,
  paid,
  paidwithpix: paid,
  cancelled: unpayable,
  expired: unpayable,
  failed: unpayable,
  DELETED: unpayable,
}

const WORDS: Readonly<Record<Cause, (about: Said) => Words>> = {
  on_creation: ({ account }) => ({
    subject: `Nova cobrança de ${account.name}`,
    body: 'Há uma nova cobrança para você.',
  }),
  on_payment: ({ account }) => ({
    subject: `Pagamento recebido por ${account.name}`,
    body: 'Recebemos o seu pagamento. Obrigado!',
  }),
  on_update: updated,
  on_delete: ({ account }) => ({
    subject: `Cobrança de ${account.name} cancelada`,
    body: 'Uma cobrança sua foi cancelada. Não é preciso pagá-la.',
  }),
  before_due: ({ account, charge }) => ({
    subject: `Sua cobrança de ${account.name} vence em ${formatDay(charge.dueDate)}`,
    body: `Lembramos que a sua cobrança vence em ${formatDay(charge.dueDate)}. ${PAID_ALREADY}`,
  }),
  on_due: ({ account }) => ({
    subject: `Sua cobrança de ${account.name} vence hoje`,
    body: `Lembramos que a sua cobrança vence hoje. ${PAID_ALREADY}`,
  }),
  after_due: (about) => ({
    subject: `Sua cobrança de ${about.account.name} ${fell(about)} em ${formatDay(about.charge.dueDate)}`,
    body: [
      `A sua cobrança ${fell(about)} em ${formatDay(about.charge.dueDate)} e ainda não recebemos o pagamento.`,
      ...(statusAt(about.charge, about.steady) === 'pending'
        ? []
        : [`Para pagar, fale com ${atEnd(about.account.name)}`]),
      PAID_ALREADY,
    ].join(' '),
  }),
  notice: (about) => ({
    subject: `Sua cobrança de ${about.account.name}`,
    body: STANDS[statusAt(about.charge, about.steady)](about),
  }),
}

export const wordsOf = (about: Trigger): Words => WORDS[about.name](about)
