import { useState } from 'preact/hooks'
import { Alert, Button } from '../../../panels/browser/elements.tsx'
import { Choice, Form, useForm } from '../../../panels/browser/form.tsx'
import { dayText, MONEY_MISTAKE, money, readMoney } from '../../../panels/browser/format.ts'
import type { ListReply } from '../../../panels/browser/list.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import type { Charge } from './charges.tsx'
import { Line, Lines, Part } from './parts.tsx'
import { fetchAs, useLive } from './session.ts'

/** Reports whether the bank is the embedded one, which this server simulates. */
export const isSandbox = (): boolean => document.querySelector<HTMLElement>('#panel')?.dataset.simulates === 'true'

interface ActionsProps {
  readonly charge: Charge
  readonly onDone: (notice: string) => void
}

/**
 * The actions of the embedded bank on a charge that waits: its payer pays all or a part, or the bank cancels or decides
 * it.
 */
export const BankActions = ({ charge, onDone }: ActionsProps) => {
  const action = useAction()
  const [amount, setAmount] = useState('')
  const [mistake, setMistake] = useState<string | null>(null)
  const isCard = charge.payment_method === 'CREDIT_CARD'
  const txid = (charge.pix ?? charge.boleto)?.txid
  // The bank has not answered yet: it knows nothing to pay.
  if (!isCard && txid === undefined) return null
  const left = money(charge.amount_left ?? charge.value)
  const subject = `${left} de ${charge.client.name}`
  const send = (path: string, body: object, notice: string) =>
    action.run(async () => {
      await fetchAs('POST', path, { body })
      setAmount('')
      onDone(notice)
    })
  const pay = (): void => {
    const value = readMoney(amount)
    const isWrong = amount.trim() !== '' && !value
    setMistake(isWrong ? MONEY_MISTAKE : null)
    // Without a value the bank asks the server for the amount due, with interest and discount.
    if (!isWrong) send('fake-bank/payments', { txid, ...(value !== null && { value }) }, 'O banco de testes pagou.')
  }
  const decide = (outcome: string, notice: string) => () =>
    send('fake-bank/cards', { code: charge.code, outcome }, notice)
  const actions: readonly (readonly [name: string, perform: () => void])[] = isCard
    ? [
        ['Aprovar', decide('approve', 'O adquirente aprovou.')],
        ['Recusar', decide('decline', 'O adquirente recusou.')],
      ]
    : [
        ['Pagar', pay],
        ['Cancelar no banco', () => send('fake-bank/cancellations', { txid }, 'O banco de testes cancelou.')],
      ]
  return (
    <>
      {!isCard && (
        <input
          class="brief-amount"
          inputMode="decimal"
          aria-label={`Valor a pagar: ${subject}`}
          placeholder={left}
          value={amount}
          onInput={({ currentTarget }) => setAmount(currentTarget.value)}
        />
      )}
      {actions.map(([name, perform]) => (
        <Button key={name} aria-label={`${name}: ${subject}`} aria-disabled={action.isRunning} onClick={perform}>
          {name}
        </Button>
      ))}
      <Alert text={mistake ?? action.error} />
    </>
  )
}

const OPERATIONS = [
  ['create_pix', 'Emitir Pix'],
  ['create_boleto', 'Emitir boleto'],
  ['charge_card', 'Cobrar cartão'],
  ['pay_out', 'Sacar'],
  ['lookup_key', 'Consultar chave Pix'],
  ['cancel_title', 'Cancelar cobrança'],
  ['refund', 'Devolver Pix'],
] as const

const MODES = [
  ['refuse', 'Recusa'],
  ['timeout', 'Faz, mas não responde a tempo'],
  ['timeout_lost', 'Não faz nem responde'],
  ['unavailable', 'Está fora do ar'],
] as const

/** The embedded bank, outside production: what its payers and its faults do. */
export const Simulator = () => {
  const live = useLive<ListReply<Charge>>('invoices?status_id=1&per_page=10')
  const [notice, setNotice] = useState<string | null>(null)
  const done = (text: string): void => {
    setNotice(text)
    live.refresh()
  }
  return (
    <Part
      title="Banco de testes"
      hint="Aqui o dinheiro é de mentira. Em produção esta parte não existe."
      live={live}
      isBelow
    >
      <p role="status">{notice}</p>
      <Lines of={live.data?.data} none="Nenhuma cobrança aguarda pagamento.">
        {(charge) => (
          <Line
            key={charge.id}
            href={`#/cobrancas/${charge.id}`}
            name={charge.client.name}
            note={`nº ${charge.id} · vence em ${dayText(charge.due_date)}`}
          >
            <strong>{money(charge.value)}</strong>
            <BankActions charge={charge} onDone={done} />
          </Line>
        )}
      </Lines>
      <Faults />
    </Part>
  )
}

const FAULT = { operation: 'create_pix', mode: 'refuse' }

const Faults = () => {
  const { action, draft, field } = useForm(FAULT, { prefix: 'fault-' })
  const [isSet, setIsSet] = useState(false)
  const set = async (): Promise<void> => {
    setIsSet(false)
    await fetchAs('POST', 'fake-bank/faults', { body: { ...draft, times: 1 } })
    setIsSet(true)
  }
  return (
    <>
      <h3>Na próxima vez, o banco falha</h3>
      <Form action={action} button="Preparar falha" send={set}>
        <div class="pair">
          <Choice {...field('operation', 'Ao')} options={OPERATIONS} />
          <Choice {...field('mode', 'O banco')} options={MODES} />
        </div>
        {isSet && <p role="status">Pronto: a próxima vez falha.</p>}
      </Form>
    </>
  )
}
