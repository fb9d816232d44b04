import { useState } from 'preact/hooks'
import { Alert, Figure, Loading, Title } from '../../../panels/browser/elements.tsx'
import { Field, Form } from '../../../panels/browser/form.tsx'
import { dayText, money, readMoney } from '../../../panels/browser/format.ts'
import { type ListReply, Pages } from '../../../panels/browser/list.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { route } from '../../../panels/browser/route.ts'
import { may, requestOnce, useLive } from './session.ts'

interface Sale {
  readonly id: number
  readonly gross_amount: number
  readonly fee_amount: number
  readonly net_amount: number
  readonly status: 'PENDING' | 'WITHDRAWN'
  readonly payment_date: string
  readonly charge: { readonly id: number; readonly client: { readonly name: string } }
}

interface Summary {
  readonly data: {
    readonly total: { readonly count: number; readonly gross: number; readonly fee: number; readonly net: number }
    readonly pending: { readonly count: number; readonly net: number }
    readonly withdrawn: { readonly count: number; readonly net: number }
  }
}

/** The card sales: those to come, and those that were moved to the balance of the account. */
export const CardSales = () => {
  const page = route.value.query.get('pagina') ?? '1'
  const list = useLive<ListReply<Sale>>(`consolidation/card-transactions?per_page=20&page=${page}`)
  const summary = useLive<Summary>('consolidation/card-transactions/summary')
  const balance = useLive<{ readonly balance: number }>('transactions/card/balance')
  const { data, error } = list
  const sums = summary.data?.data
  const tiles = [
    ['Saldo de cartão', balance.data?.balance],
    ['A receber', sums?.pending.net],
    ['Já sacado', sums?.withdrawn.net],
    ['Tarifas', sums?.total.fee],
  ] as const
  const refresh = (): void => {
    for (const each of [list, summary, balance]) each.refresh()
  }
  return (
    <>
      <header class="head">
        <div>
          <p class="hint">
            <a href="#/extrato">Extrato</a>
          </p>
          <Title>Vendas no cartão</Title>
        </div>
      </header>
      <dl class="tiles four">
        {tiles.map(([name, value]) => (
          <div class="card tile" key={name}>
            <dt>{name}</dt>
            <dd>
              <Figure text={value === undefined ? '…' : money(value)} />
            </dd>
          </div>
        ))}
      </dl>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading lines={5} />}
      {data?.data.length === 0 && <p class="none">Nenhuma venda no cartão ainda.</p>}
      {data && data.data.length > 0 && (
        <section class="card part">
          <ul class="lines">
            {data.data.map((sale) => (
              <li key={sale.id}>
                <span>
                  <a href={`#/cobrancas/${sale.charge.id}`}>{sale.charge.client.name}</a>
                  <small>
                    {dayText(sale.payment_date)} · venda de {money(sale.gross_amount)}, tarifa de{' '}
                    {money(sale.fee_amount)}
                  </small>
                </span>
                <span class={`chip ${sale.status === 'PENDING' ? 'pending' : 'paid'}`}>
                  {sale.status === 'PENDING' ? 'A receber' : 'Sacada'}
                </span>
                <strong>{money(sale.net_amount)}</strong>
              </li>
            ))}
          </ul>
          <Pages meta={data.meta} one="venda" many="vendas" />
        </section>
      )}
      {may('withdrawals:write') && <Withdraw most={balance.data?.balance ?? 0} onDone={refresh} />}
    </>
  )
}

const Withdraw = ({ most, onDone }: { readonly most: number; readonly onDone: () => void }) => {
  const [amount, setAmount] = useState('')
  const [mistake, setMistake] = useState<string | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const action = useAction()
  const withdraw = (): void => {
    const reais = readMoney(amount)
    setDone(null)
    setMistake(reais === null ? 'Escreva o valor em reais: 150,50.' : null)
    if (reais === null) return
    action.run(async () => {
      const path = 'transactions/card/withdraw'
      const { message } = await requestOnce<{ readonly message: string }>(path, { amount: reais })
      setAmount('')
      setDone(message)
      onDone()
    })
  }
  return (
    <section class="card part below">
      <h2>Passar ao saldo da conta</h2>
      <Form action={action} button="Passar ao saldo" onSend={withdraw}>
        <Field
          label="Valor em reais"
          name="card-amount"
          inputMode="decimal"
          autocomplete="off"
          hint={`Até ${money(most)}.`}
          value={amount}
          onValue={setAmount}
          error={mistake ?? action.fields.amount}
        />
        {done && <p role="status">{done}</p>}
      </Form>
    </section>
  )
}
