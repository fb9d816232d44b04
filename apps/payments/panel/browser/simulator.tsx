import { useState } from 'preact/hooks'
import { Alert, Loading } from '../../../panels/browser/elements.tsx'
import { Choice, Form } from '../../../panels/browser/form.tsx'
import { dayText, money, readMoney } from '../../../panels/browser/format.ts'
import type { ListReply } from '../../../panels/browser/list.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import type { Charge } from './charges.tsx'
import { fetchAs, useLive } from './session.ts'

/** Reports whether the bank is the embedded one, which this server simulates. */
export const isSandbox = (): boolean => document.querySelector<HTMLElement>('#panel')?.dataset.simulates === 'true'

interface ActionsProps {
  readonly charge: Charge
  readonly onDone: (notice: string) => void
}

/** The actions of the embedded bank on a charge that waits: its payer pays all or a part, or the bank cancels or decides it. */
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
    const isWrong = amount.trim() !== '' && value === null
    setMistake(isWrong ? 'Escreva o valor em reais: 150,50.' : null)
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
        <button
          key={name}
          type="button"
          class="quiet"
          aria-label={`${name}: ${subject}`}
          aria-disabled={action.isRunning}
          onClick={perform}
        >
          {name}
        </button>
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
  const { data, error, refresh } = useLive<ListReply<Charge>>('invoices?status_id=1&per_page=10')
  const [notice, setNotice] = useState<string | null>(null)
  const done = (text: string): void => {
    setNotice(text)
    refresh()
  }
  return (
    <section class="card part below">
      <h2>Banco de testes</h2>
      <p class="hint">Aqui o dinheiro é de mentira. Em produção esta parte não existe.</p>
      <p role="status">{notice}</p>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading />}
      {data?.data.length === 0 && <p class="none">Nenhuma cobrança aguarda pagamento.</p>}
      <ul class="lines">
        {data?.data.map((charge) => (
          <li key={charge.id}>
            <span>
              <a href={`#/cobrancas/${charge.id}`}>{charge.client.name}</a>
              <small>
                nº {charge.id} · vence em {dayText(charge.due_date)}
              </small>
            </span>
            <strong>{money(charge.value)}</strong>
            <BankActions charge={charge} onDone={done} />
          </li>
        ))}
      </ul>
      <Faults />
    </section>
  )
}

const Faults = () => {
  const [operation, setOperation] = useState<string>(OPERATIONS[0][0])
  const [mode, setMode] = useState<string>(MODES[0][0])
  const [isSet, setIsSet] = useState(false)
  const action = useAction()
  const set = async (): Promise<void> => {
    setIsSet(false)
    await fetchAs('POST', 'fake-bank/faults', { body: { operation, mode, times: 1 } })
    setIsSet(true)
  }
  return (
    <>
      <h3>Na próxima vez, o banco falha</h3>
      <Form action={action} button="Preparar falha" onSend={() => action.run(set)}>
        <div class="pair">
          <Choice label="Ao" name="fault-operation" value={operation} onValue={setOperation} options={OPERATIONS} />
          <Choice label="O banco" name="fault-mode" value={mode} onValue={setMode} options={MODES} />
        </div>
        {isSet && <p role="status">Pronto: a próxima vez falha.</p>}
      </Form>
    </>
  )
}
