import { useEffect, useState } from 'preact/hooks'
import { fieldMessageOf, isOnline } from '../../../panels/browser/connection.ts'
import { Button, Dialog } from '../../../panels/browser/elements.tsx'
import { Choice, Field, type FieldState, Form, fieldsOf, useForm } from '../../../panels/browser/form.tsx'
import { counted, dayText, money, NUMBER_MISTAKE, readMoney } from '../../../panels/browser/format.ts'
import { NEVER_MS, request, requestOnce, useLive } from './session.ts'

/** The interest, fine and discount of a charge, as typed. An empty rate leaves the one of the account. */
export const EMPTY_TERMS = {
  amount_rate: '',
  type_rate: 'PERCENTAGE',
  fine: '',
  type_fine: 'PERCENTAGE',
  discount: '',
  type_discount: 'PERCENTAGE',
  days_discount: '',
}

export type TermsDraft = typeof EMPTY_TERMS

/** Returns the messages of rates that are no numbers. */
export const termMistakes = ({ amount_rate, fine, discount }: TermsDraft): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ amount_rate, fine, discount })
      .filter(([, text]) => text.trim() !== '' && readMoney(text) === null)
      .map(([name]) => [name, NUMBER_MISTAKE]),
  )

/** Returns the terms as the API takes them; an empty rate is left out. */
export const termsBody = (terms: TermsDraft) => {
  const { type_rate, type_fine, type_discount, days_discount } = terms
  const [rate, fine, reduction] = [readMoney(terms.amount_rate), readMoney(terms.fine), readMoney(terms.discount)]
  return {
    ...(rate !== null && { amount_rate: rate, type_rate }),
    ...(fine !== null && { fine, type_fine }),
    ...(reduction !== null && { discount: reduction, type_discount, days_discount: Number(days_discount) || 0 }),
  }
}

interface TermsProps {
  readonly terms: TermsDraft
  readonly onTerms: (changes: Partial<TermsDraft>) => void
  readonly errors: Readonly<Record<string, string>>
}

const termField = ({ terms, onTerms, errors }: TermsProps) => fieldsOf(terms, onTerms, errors)

const PART_OR_REAIS = [
  ['PERCENTAGE', '% do valor'],
  ['ABSOLUTE', 'reais'],
] as const

/** The interest, fine and discount, each with its unit. */
export const RateFields = (props: TermsProps) => {
  const field = termField(props)
  return (
    <div class="pair">
      <Field {...field('amount_rate', 'Juros por atraso')} inputMode="decimal" />
      <Choice
        {...field('type_rate', 'Juros em')}
        options={[
          ['PERCENTAGE', '% ao mês'],
          ['ABSOLUTE', 'reais por dia'],
        ]}
      />
      <Field {...field('fine', 'Multa por atraso')} inputMode="decimal" />
      <Choice {...field('type_fine', 'Multa em')} options={PART_OR_REAIS} />
      <Field {...field('discount', 'Desconto')} inputMode="decimal" />
      <Choice {...field('type_discount', 'Desconto em')} options={PART_OR_REAIS} />
    </div>
  )
}

export const TermsFields = (props: TermsProps) => {
  const { terms } = props
  const field = termField(props)
  const isOpen = terms.amount_rate !== '' || terms.fine !== '' || terms.discount !== ''
  return (
    <details class="more" open={isOpen || undefined}>
      <summary>Juros, multa e desconto</summary>
      <p class="hint">Em branco, valem os da conta.</p>
      <RateFields {...props} />
      <Field
        {...field('days_discount', 'Desconto até quantos dias antes do vencimento')}
        inputMode="numeric"
        hint="Em branco, até o vencimento."
      />
    </details>
  )
}

interface PaymentPlan {
  readonly id: number
  readonly description: string
  readonly installments_count: number
}

const UNITS = [
  ['months', 'meses'],
  ['weeks', 'semanas'],
  ['days', 'dias'],
] as const

/** The choice between one charge and the installments of a payment plan, and the form of a new plan. */
export const PlanChoice = (field: FieldState) => {
  const { data, refresh } = useLive<{ readonly data: readonly PaymentPlan[] }>('payment-plans', NEVER_MS)
  const [isOpen, setOpen] = useState(false)
  const plans = data?.data.map(({ id, description, installments_count: parts }) => {
    return [`${id}`, `${description} (${counted(parts, 'parcela', 'parcelas')})`] as const
  })
  return (
    <>
      <Choice {...field} options={[['', 'Uma cobrança só'], ...(plans ?? [])]} />
      <p class="beside">
        <Button kind="link" onClick={() => setOpen(true)}>
          Criar um plano de parcelas
        </Button>
      </p>
      {isOpen && (
        <NewPlan
          onClose={() => setOpen(false)}
          onCreated={(id) => {
            setOpen(false)
            refresh()
            field.onValue(`${id}`)
          }}
        />
      )}
    </>
  )
}

const EMPTY_PLAN = { description: '', installments_count: '3', interval: '1', interval_type: 'months' }

interface NewPlanProps {
  readonly onClose: () => void
  readonly onCreated: (id: number) => void
}

const NewPlan = ({ onClose, onCreated }: NewPlanProps) => {
  const { action, draft, field } = useForm(EMPTY_PLAN)
  const create = async (): Promise<void> => {
    const { installments_count, interval, ...rest } = draft
    const numbers = { installments_count: Number(installments_count), interval: Number(interval) }
    const { data } = await requestOnce<{ readonly data: PaymentPlan }>('payment-plans', { ...rest, ...numbers })
    onCreated(data.id)
  }
  return (
    <Dialog title="Novo plano de parcelas" onClose={onClose}>
      <Form action={action} button="Criar plano" send={create}>
        <Field {...field('description', 'Nome do plano')} maxLength={255} />
        <Field {...field('installments_count', 'Número de parcelas')} inputMode="numeric" />
        <div class="pair">
          <Field {...field('interval', 'Uma a cada')} inputMode="numeric" />
          <Choice {...field('interval_type', 'Unidade')} options={UNITS} />
        </div>
      </Form>
    </Dialog>
  )
}

/** The card and the address of a payer. They are not part of a draft: card data exist only in the open form. */
export const EMPTY_CARD = {
  card_number: '',
  cardholder_name: '',
  expiry: '',
  cvv: '',
  installments: '1',
  zipcode: '',
  street: '',
  number: '',
  district: '',
  city: '',
  state: '',
}

export type CardDraft = typeof EMPTY_CARD

const MAX_INSTALLMENTS = 12
const COUNTS = Array.from({ length: MAX_INSTALLMENTS }, (_, at) => {
  const text = `${at + 1}`
  return [text, at === 0 ? 'À vista' : `${text}x`] as const
})

/** Returns the fields of a card charge in the body of `POST /invoices`. */
export const cardBody = ({ card_number, cardholder_name, expiry, cvv, installments, ...address }: CardDraft) => {
  const [expiry_month = '', expiry_year = ''] = expiry.split('/').map((part) => part.trim())
  return {
    card: { card_number, cardholder_name, cvv, expiry_month, expiry_year },
    address,
    installments: Number(installments),
  }
}

interface CardFieldsProps {
  readonly card: CardDraft
  readonly onCard: (card: CardDraft) => void
  readonly errors: Readonly<Record<string, string>>
}

export const CardFields = ({ card, onCard, errors }: CardFieldsProps) => {
  const change = (changes: Partial<CardDraft>): void => onCard({ ...card, ...changes })
  const field = fieldsOf(card, change, errors)
  const fieldIn = (part: 'card' | 'address') => (name: keyof CardDraft, label: string) => ({
    ...field(name, label),
    error: errors[`${part}.${name}`] ?? errors[part],
  })
  const [ofCard, ofAddress] = [fieldIn('card'), fieldIn('address')]
  return (
    <>
      <fieldset>
        <legend>Cartão</legend>
        <Field {...ofCard('card_number', 'Número do cartão')} inputMode="numeric" autocomplete="off" />
        <Field {...ofCard('cardholder_name', 'Nome impresso no cartão')} autocomplete="off" maxLength={100} />
        <div class="pair">
          <Field
            {...ofCard('expiry', 'Validade')}
            hint="MM/AA"
            autocomplete="off"
            error={errors['card.expiry_month'] ?? errors['card.expiry_year'] ?? errors.card}
          />
          <Field {...ofCard('cvv', 'Código de segurança')} hint="3 dígitos" inputMode="numeric" autocomplete="off" />
        </div>
        <Choice {...field('installments', 'Parcelas no cartão')} options={COUNTS} />
      </fieldset>
      <fieldset>
        <legend>Endereço de quem paga</legend>
        <div class="pair">
          <Field {...ofAddress('zipcode', 'CEP')} inputMode="numeric" autocomplete="off" />
          <Field {...ofAddress('state', 'Estado')} hint="Sigla, como SP" maxLength={2} autocomplete="off" />
          <Field {...ofAddress('street', 'Rua ou avenida')} autocomplete="off" />
          <Field {...ofAddress('number', 'Número')} autocomplete="off" />
          <Field {...ofAddress('district', 'Bairro')} autocomplete="off" />
          <Field {...ofAddress('city', 'Cidade')} autocomplete="off" />
        </div>
      </fieldset>
    </>
  )
}

/** The amount due on a day. */
export interface QuotedCharge {
  readonly value: number
  readonly due_date: string
  readonly day: string
  readonly fine: number
  readonly interest: number
  readonly discount: number
  readonly amount_due: number
  readonly discount_until: string | null
  readonly payable_until: string | null
  readonly is_payable: boolean
}

interface QuoteReply {
  readonly quote: { readonly amount_due: number; readonly installments: readonly QuotedCharge[] }
}

/** The wait after the last key, so that a typed number is not quoted digit by digit. */
const PAUSE_MS = 400

type Quote = { readonly reply: QuoteReply | null; readonly error: string | null }
const NO_QUOTE: Quote = { reply: null, error: null }

/** Quotes a body of `POST /v1/charges/amount-due` when it changes, and when the server is back; null quotes nothing. */
const useQuote = (body: object | null): Quote => {
  const [quote, setQuote] = useState(NO_QUOTE)
  const text = body === null ? null : JSON.stringify(body)
  useEffect(() => {
    if (text === null) {
      setQuote(NO_QUOTE)
      return
    }
    let isCurrent = true
    const set = (next: Quote): void => {
      if (isCurrent) setQuote(next)
    }
    const timer = setTimeout(() => {
      request<QuoteReply>('POST', 'v1/charges/amount-due', { body: JSON.parse(text) })
        .then((reply) => set({ reply, error: null }))
        .catch((error: unknown) => set({ reply: null, error: fieldMessageOf(error) }))
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text, isOnline.value])
  return quote
}

interface AmountDueProps {
  /** The charge to quote, without the day; null while its value or due day is unfinished. */
  readonly charge: { readonly due_date: string } | null
  readonly day: string
  readonly onDay: (day: string) => void
}

/** Shows the amount due on a day before a charge is issued. */
export const AmountDue = ({ charge, day, onDay }: AmountDueProps) => {
  const { reply, error } = useQuote(charge && { ...charge, ...(day !== '' && { day }) })
  return (
    <section class="quote" aria-label="Quanto se paga">
      <Field
        label="Quanto se paga no dia"
        name="quote-day"
        type="date"
        hint="Em branco, no vencimento."
        value={day}
        onValue={onDay}
      />
      <div aria-live="polite">
        {charge === null && <p class="hint">Preencha o valor e o vencimento.</p>}
        {error && <p class="error">{error}</p>}
        {reply && <Quoted {...reply.quote} />}
      </div>
    </section>
  )
}

const Quoted = ({ amount_due, installments }: QuoteReply['quote']) => {
  const [first] = installments
  if (installments.length === 1 && first) return <QuotedOne {...first} />
  return (
    <>
      <p class="total">{money(amount_due)}</p>
      <p class="hint">Soma de {installments.length} parcelas</p>
      <ol class="lines">
        {installments.map((each, at) => (
          <li key={each.due_date}>
            <span>
              {at + 1}ª, vence em {dayText(each.due_date)}
              <small>{noteOf(each)}</small>
            </span>
            <strong>{money(each.amount_due)}</strong>
          </li>
        ))}
      </ol>
    </>
  )
}

/** Returns the parts of the amount due beside the value. */
export const noteOf = ({ fine, interest, discount, is_payable, payable_until }: QuotedCharge): string => {
  if (!is_payable && payable_until !== null) return `Nesse dia não se paga mais: só até ${dayText(payable_until)}.`
  const late = [
    ...(fine > 0 ? [`${money(fine)} de multa`] : []),
    ...(interest > 0 ? [`${money(interest)} de juros`] : []),
  ]
  if (late.length > 0) return `Com ${late.join(' e ')}.`
  return discount > 0 ? `Com ${money(discount)} de desconto.` : ''
}

/** Returns the last day on which a charge is paid; empty without one. */
export const payableUntil = ({ payable_until }: QuotedCharge): string =>
  payable_until === null ? '' : `Pode ser paga até ${dayText(payable_until)}.`

const QuotedOne = (quoted: QuotedCharge) => {
  const { amount_due, day, discount_until } = quoted
  const limits = [
    ...(discount_until === null ? [] : [`Desconto até ${dayText(discount_until)}.`]),
    payableUntil(quoted),
  ]
  return (
    <>
      <p class="total">
        {money(amount_due)} <small>em {dayText(day)}</small>
      </p>
      <p class="hint">{[noteOf(quoted), ...(quoted.is_payable ? limits : [])].filter(Boolean).join(' ')}</p>
    </>
  )
}
