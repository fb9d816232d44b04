import { useState } from 'preact/hooks'
import type { Charge, PaymentMethod } from './charges.tsx'
import { addDays, readMoney, today } from './format.ts'
import { goTo } from './route.ts'
import { request } from './session.ts'
import { Choice, Field, Form, Title, useAction } from './ui.tsx'

const METHODS = [
  ['PIX', 'Pix'],
  ['BOLETO', 'Boleto'],
  ['BOLEPIX', 'Bolepix: boleto com Pix'],
] as const satisfies readonly (readonly [PaymentMethod, string])[]

const DAYS_TO_PAY = 3

const EMPTY = {
  value: '',
  payment_method: 'PIX',
  due_date: addDays(today(), DAYS_TO_PAY),
  name: '',
  email: '',
  document: '',
  description: '',
}

type Draft = typeof EMPTY

/** The draft outlives the view, so that leaving it by mistake loses nothing. */
let draft: Draft = EMPTY

export const NewCharge = () => {
  const [fields, setFields] = useState(draft)
  const [mistake, setMistake] = useState<string | null>(null)
  const action = useAction()
  const set = (name: keyof Draft) => (value: string) => {
    draft = { ...draft, [name]: value }
    setFields(draft)
  }
  const issue = (): void => {
    const value = readMoney(fields.value)
    setMistake(value === null ? 'Escreva o valor em reais: 150,50.' : null)
    if (value === null) return
    action.run(async (key) => {
      const { description, email, ...rest } = fields
      const body = { ...rest, value, ...(email && { email }), ...(description && { description }) }
      const { data } = await request<{ readonly data: Charge }>('POST', 'invoices', { key, body })
      draft = EMPTY
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
