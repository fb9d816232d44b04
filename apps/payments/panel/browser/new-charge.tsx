import { useState } from 'preact/hooks'
import { Title } from '../../../panels/browser/elements.tsx'
import { Choice, Field, Form } from '../../../panels/browser/form.tsx'
import { addDays, readMoney, today } from '../../../panels/browser/format.ts'
import { useAction } from '../../../panels/browser/live.ts'
import { goTo } from '../../../panels/browser/route.ts'
import type { Charge, PaymentMethod } from './charges.tsx'
import { drafts, requestOnce } from './session.ts'

const METHODS = [
  ['PIX', 'Pix'],
  ['BOLETO', 'Boleto'],
  ['BOLEPIX', 'Bolepix: boleto com Pix'],
] as const satisfies readonly (readonly [PaymentMethod, string])[]

const DAYS_TO_PAY = 3

const emptyDraft = () => ({
  value: '',
  payment_method: 'PIX',
  due_date: addDays(today(), DAYS_TO_PAY),
  name: '',
  email: '',
  document: '',
  description: '',
})

type Draft = ReturnType<typeof emptyDraft>

const NEW_CHARGE = 'charge'

export const NewCharge = () => {
  const [fields, setFields] = useState(() => (drafts.get(NEW_CHARGE) as Draft | undefined) ?? emptyDraft())
  const [mistake, setMistake] = useState<string | null>(null)
  const action = useAction()
  const set = (name: keyof Draft) => (value: string) => {
    const draft = { ...fields, [name]: value }
    drafts.set(NEW_CHARGE, draft)
    setFields(draft)
  }
  const issue = (): void => {
    const value = readMoney(fields.value)
    setMistake(value === null ? 'Escreva o valor em reais: 150,50.' : null)
    if (value === null) return
    action.run(async () => {
      const { description, email, ...rest } = fields
      const body = { ...rest, value, ...(email && { email }), ...(description && { description }) }
      const { data } = await requestOnce<{ readonly data: Charge }>('invoices', body)
      drafts.delete(NEW_CHARGE)
      goTo(`/cobrancas/${data.id}`)
    })
  }
  const field = (name: Exclude<keyof Draft, 'payment_method'>, label: string) => ({
    name,
    label,
    value: fields[name],
    onValue: set(name),
    error: action.fields[name],
  })
  return (
    <section class="card narrow wide">
      <p class="hint">
        <a href="#/cobrancas">Cobranças</a>
      </p>
      <Title>Nova cobrança</Title>
      <Form action={action} button="Emitir cobrança" onSend={issue}>
        <div class="pair">
          <Field {...field('value', 'Valor em reais')} inputMode="decimal" error={mistake ?? action.fields.value} />
          <Field {...field('due_date', 'Vencimento')} type="date" min={today()} />
        </div>
        <Choice
          label="Meio de pagamento"
          name="payment_method"
          value={fields.payment_method}
          onValue={set('payment_method')}
          options={METHODS}
          error={action.fields.payment_method}
        />
        <Field {...field('name', 'Nome do cliente')} autocomplete="off" maxLength={255} />
        <div class="pair">
          <Field {...field('document', 'CPF ou CNPJ')} inputMode="numeric" autocomplete="off" />
          <Field {...field('email', 'E-mail')} type="email" autocomplete="off" />
        </div>
        <Field {...field('description', 'Descrição')} hint="O cliente lê. Não é obrigatória." maxLength={500} />
      </Form>
    </section>
  )
}
