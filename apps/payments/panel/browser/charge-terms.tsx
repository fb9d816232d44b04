import { count, counted, dayText, money } from '../../../panels/browser/format.ts'
import { noteOf, payableUntil, type QuotedCharge } from './charge-fields.tsx'
import { Part } from './parts.tsx'
import { useLive } from './session.ts'

type RateType = 'ABSOLUTE' | 'PERCENTAGE' | null

interface Terms {
  readonly amount_rate: number | null
  readonly type_rate: RateType
  readonly fine: number | null
  readonly type_fine: RateType
  readonly discount: number | null
  readonly type_discount: RateType
  readonly days_discount: number | null
  readonly accept_partial: boolean
  /** Null once the charge accepts no payment. */
  readonly today: QuotedCharge | null
}

/** Returns a rate as a percentage or in reais; null without one. */
const rateText = (rate: number | null, type: RateType): string | null => {
  if (!rate || type === null) return null
  return type === 'PERCENTAGE' ? `${count(rate)}%` : money(rate)
}

/** Returns the terms in sentences; none for a charge that asks for its value alone. */
const sentencesOf = (terms: Terms): readonly string[] => {
  const fine = rateText(terms.fine, terms.type_fine)
  const interest = rateText(terms.amount_rate, terms.type_rate)
  const discount = rateText(terms.discount, terms.type_discount)
  const late = [
    ...(fine ? [`multa de ${fine}`] : []),
    ...(interest ? [`juros de ${interest} ${terms.type_rate === 'PERCENTAGE' ? 'ao mês' : 'por dia'}`] : []),
  ].join(' e ')
  return [
    ...(late === '' ? [] : [`${late.charAt(0).toUpperCase()}${late.slice(1)} após o vencimento.`]),
    ...(discount ? [`Desconto de ${discount} ${discountEnd(terms)}.`] : []),
    ...(terms.accept_partial ? ['Aceita pagamento em partes.'] : []),
  ]
}

const discountEnd = ({ days_discount: days, today }: Terms): string => {
  if (today?.discount_until) return `até ${dayText(today.discount_until)}`
  if (!days) return 'até o vencimento'
  return `até ${counted(days, 'dia', 'dias')} antes do vencimento`
}

interface ChargeTermsProps {
  readonly id: number
  /** True while the charge accepts payments. */
  readonly isPending: boolean
}

/** The fine, interest and discount of a charge, and the amount due today; nothing for a charge without any. */
export const ChargeTerms = ({ id, isPending }: ChargeTermsProps) => {
  const live = useLive<{ readonly terms: Terms }>(`v1/charges/${id}/terms`)
  const terms = live.data?.terms
  const sentences = terms ? sentencesOf(terms) : []
  if (terms && sentences.length === 0) return null
  const today = terms?.today
  return (
    <Part title="Condições" live={live} lines={1}>
      <ul class="plain">
        {sentences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {isPending && today && (
        <p class="quote" role="status">
          Hoje se paga <strong class="amount">{money(today.amount_due)}</strong>.{' '}
          {[noteOf(today), payableUntil(today)].filter(Boolean).join(' ')}
        </p>
      )}
    </Part>
  )
}
