import { formatDay } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import { copy, type EmailTemplate, facts, link, text } from '../../office/mail.ts'
import { statusAt } from '../charges/charge.ts'
import { chargePageUrl, dueOn, pixCodeOf, returnedOf } from '../charges/charge-view.ts'
import type { Cause, Trigger } from './trigger.ts'
import { wordsOf } from './words.ts'

const COPY_LABEL = 'Pix copia e cola'

/** The mail of a rule: its message as it was given, else a text of ours, with what a payer needs to pay at once. */
export const emailFor = (about: Trigger): EmailTemplate => {
  const { rule, client, charge } = about
  const { subject, body } = wordsOf(about)
  const code = codeOf(about)
  const page = pageOf(about)
  const described: readonly Fact[] = charge.description === null ? [] : [['Descrição', charge.description]]
  return {
    subject,
    blocks: [
      text(`Olá, ${client.name}!`),
      text(rule.message ?? body),
      facts(...factsOf(about), ...described),
      ...(page === null ? [] : [link(...page)]),
      ...(code === null ? [] : [copy(COPY_LABEL, code)]),
    ],
  }
}

/** The same for a telephone: a message that was given is all of it. */
export const shortTextFor = (about: Trigger): string => {
  const { rule, account } = about
  if (rule.message !== null) return rule.message
  const code = codeOf(about)
  const page = pageOf(about)
  return [
    `${account.name}: ${wordsOf(about).body}`,
    ...factsOf(about).map(([fact, value]) => `${fact}: ${value}`),
    ...(page === null ? [] : [page.join(': ')]),
    ...(code === null ? [] : [`${COPY_LABEL}:`, code]),
  ].join('\n')
}

type Fact = readonly [name: string, value: string]

const dueFacts = ({ charge, steady, today }: Trigger): readonly Fact[] => {
  const dueCents = dueOn(charge, today)
  const isOther = statusAt(charge, steady) === 'pending' && dueCents !== charge.valueCents
  return [
    ['Valor', formatReais(charge.valueCents)],
    ...(isOther ? [['Valor hoje', formatReais(dueCents)] as const] : []),
    ['Vencimento', formatDay(charge.dueDate)],
  ]
}

const paymentFacts = ({ charge, paidCents, today }: Trigger): readonly Fact[] => [
  ['Valor pago', formatReais(paidCents ?? charge.amountPaidCents ?? charge.valueCents)],
  ['Data do pagamento', formatDay(charge.paymentDate ?? today)],
]

const returnedFacts = ({ charge }: Trigger): readonly Fact[] => {
  const returned = returnedOf(charge)
  if (!returned) return []
  const { cents, leftCents } = returned
  return [
    ['Devolvido', formatReais(cents)],
    ...(leftCents === null ? [] : [['Restam', formatReais(leftCents)] as const]),
  ]
}

/** Returns the facts of the payment if it is told or refunded, else the amount due; then the refunds. */
const factsOf = (about: Trigger): readonly Fact[] => {
  const returned = returnedFacts(about)
  const isPaid = about.name === 'on_payment' || (returned.length > 0 && about.charge.amountPaidCents !== null)
  return [...(isPaid ? paymentFacts(about) : dueFacts(about)), ...returned]
}

const ASKING: ReadonlySet<Cause> = new Set(['on_creation', 'on_update', 'before_due', 'on_due', 'after_due', 'notice'])

/** Where its payer sees it, pays it and finds that it was paid; a deleted one is nowhere to be seen. */
const pageOf = ({ name, charge, publicUrl, steady }: Trigger): Fact | null => {
  if (name === 'on_delete' || charge.status === 'DELETED') return null
  const label = ASKING.has(name) && statusAt(charge, steady) === 'pending' ? 'Ver e pagar' : 'Ver a cobrança'
  return [label, chargePageUrl(publicUrl, charge)]
}

/** What pays it today: only while it can be paid, so that nobody pays twice. */
const codeOf = ({ name, charge, steady, today }: Trigger): string | null =>
  ASKING.has(name) && statusAt(charge, steady) === 'pending' ? pixCodeOf(charge, today) : null
