import { useState } from 'preact/hooks'
import { Mistakes } from '../../../panels/browser/connection.ts'
import { Title } from '../../../panels/browser/elements.tsx'
import {
  Choice,
  drafts,
  Field,
  Form,
  fieldsOf,
  refuseMistakes,
  sendWithMistakes,
  useDraft,
} from '../../../panels/browser/form.tsx'
import { addDays, MONEY_MISTAKE, readMoney, today } from '../../../panels/browser/format.ts'
import { useAction } from '../../../panels/browser/live.ts'
import { goTo } from '../../../panels/browser/route.ts'
import {
  AmountDue,
  type CardDraft,
  CardFields,
  cardBody,
  EMPTY_CARD,
  EMPTY_TERMS,
  PlanChoice,
  TermsFields,
  termMistakes,
  termsBody,
} from './charge-fields.tsx'
import { type Charge, NEW_CHARGE, type PaymentMethod } from './charges.tsx'
import { type Client, KnownClient, useKnownClient } from './clients/clients.tsx'
import { Back } from './parts.tsx'
import { requestOnce } from './session.ts'
import { type SplitDraft, SplitFields, splitMistakes, splitsBody } from './splits/split-fields.tsx'

const METHODS = [
  ['PIX', 'Pix'],
  ['BOLETO', 'Boleto'],
  ['BOLEPIX', 'Bolepix: boleto com Pix'],
  ['CREDIT_CARD', 'Cartão de crédito'],
] as const satisfies readonly (readonly [PaymentMethod, string])[]

const CARD: PaymentMethod = 'CREDIT_CARD'

const DAYS_TO_PAY = 3

const emptyDraft = () => ({
  value: '',
  payment_method: 'PIX',
  due_date: addDays(today(), DAYS_TO_PAY),
  payment_plan_id: '',
  name: '',
  email: '',
  document: '',
  description: '',
  quote_day: '',
  splits: [] as readonly SplitDraft[],
  ...EMPTY_TERMS,
})

type Draft = ReturnType<typeof emptyDraft>

/** Returns the fields that determine the amount due, as the API takes them. A value that is not readable is null. */
const amountsOf = (draft: Draft) => {
  const { value, payment_method, due_date, payment_plan_id } = draft
  const plan = payment_plan_id !== '' && payment_method !== CARD && { payment_plan_id: Number(payment_plan_id) }
  return { value: readMoney(value), payment_method, due_date, ...plan, ...termsBody(draft) }
}

/** Returns the fields to quote; null while the value, the due day or a rate is unfinished. */
const quotable = (draft: Draft) => {
  const amounts = amountsOf(draft)
  const isFinished = amounts.value !== null && draft.due_date !== '' && Object.keys(termMistakes(draft)).length === 0
  return isFinished ? amounts : null
}

/** Reports whether the typed payer has other data than the client who has the document. */
const differs = ({ name, email }: Draft, client: Client): boolean =>
  (name.trim() !== '' && name.trim() !== client.name) || (email.trim() !== '' && email.trim() !== (client.email ?? ''))

export const NewCharge = () => {
  const { draft: fields, set } = useDraft(NEW_CHARGE, emptyDraft())
  const [card, setCard] = useState<CardDraft>(EMPTY_CARD)
  const [isBlocked, setBlocked] = useState(false)
  const action = useAction()
  const client = useKnownClient(fields.document)
  const change = (changes: Partial<Draft>): void => {
    set(changes)
    setBlocked(false)
  }
  const isByCard = fields.payment_method === CARD
  const chooseClient = ({ name, email }: Client): void => change({ name, email: email ?? '' })
  const errors = action.fields
  const { splits, ...texts } = fields
  const field = fieldsOf(texts, change, errors)
  const issue = async (): Promise<void> => {
    const amounts = amountsOf(fields)
    const wrongTerms = { ...termMistakes(fields), ...splitMistakes(splits) }
    const mistakes = { ...wrongTerms, ...(amounts.value === null && { value: MONEY_MISTAKE }) }
    // The API reports a value that is not readable with the other wrong fields; a rate or share may be left out.
    if (Object.keys(wrongTerms).length > 0) throw new Mistakes(mistakes)
    if (client && differs(fields, client)) {
      setBlocked(true)
      refuseMistakes(mistakes)
      return
    }
    const body = { ...amounts, ...splitsBody(splits), ...payerOf(fields, client), ...(isByCard && cardBody(card)) }
    const path = 'payment_plan_id' in amounts ? 'invoices/with-plan' : 'invoices'
    const { data } = await sendWithMistakes(mistakes, () =>
      requestOnce<{ readonly data: Charge | readonly Charge[] }>(path, body),
    )
    drafts.delete(NEW_CHARGE)
    goTo(addressAfter(data))
  }
  return (
    <section class="card narrow wide">
      <Back href="#/cobrancas">Cobranças</Back>
      <Title>Nova cobrança</Title>
      <Form action={action} button="Emitir cobrança" send={issue}>
        <Choice {...field('payment_method', 'Meio de pagamento')} options={METHODS} />
        <div class="pair">
          <Field {...field('value', 'Valor em reais')} inputMode="decimal" />
          <Field {...field('due_date', 'Vencimento')} type="date" min={today()} />
        </div>
        {!isByCard && <PlanChoice {...field('payment_plan_id', 'Parcelas')} />}
        <TermsFields terms={fields} onTerms={change} errors={errors} />
        <AmountDue charge={quotable(fields)} day={fields.quote_day} onDay={(quote_day) => change({ quote_day })} />
        <Field {...field('document', 'CPF ou CNPJ')} hint="De quem paga." autocomplete="off" />
        {client && <KnownClient client={client} isBlocking={isBlocked} onUse={() => chooseClient(client)} />}
        <div class="pair">
          <Field {...field('name', 'Nome do cliente')} autocomplete="off" maxLength={255} />
          <Field {...field('email', 'E-mail')} type="email" autocomplete="off" />
        </div>
        {isByCard && <CardFields card={card} onCard={setCard} errors={errors} />}
        <SplitFields splits={splits} onSplits={(next) => change({ splits: next })} errors={errors} />
        <Field {...field('description', 'Descrição')} hint="O cliente lê. Não é obrigatória." maxLength={500} />
      </Form>
    </section>
  )
}

/**
 * Returns the payer as typed, so that the repeat of a request whose answer was lost has the same body, though its
 * client exists since. A client without an e-mail is named by the id, because typed data require one.
 */
const payerOf = ({ name, email, document, description }: Draft, client: Client | null) => ({
  ...(client && email === '' ? { client_id: client.id } : { name, document, ...(email && { email }) }),
  ...(description && { description }),
})

/** Returns the address of an issued charge, or of the list with the charges of a plan. */
const addressAfter = (data: Charge | readonly Charge[]): string => {
  if ('id' in data) return `/cobrancas/${data.id}`
  const clientId = data[0]?.client.id
  return clientId === undefined ? '/cobrancas' : `/cobrancas?client_id=${clientId}&ordem=due_date+asc`
}
