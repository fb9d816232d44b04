import { useState } from 'preact/hooks'
import { Title } from '../../../panels/browser/elements.tsx'
import { Field, Form, readAmount, useForm } from '../../../panels/browser/form.tsx'
import { dayText, money } from '../../../panels/browser/format.ts'
import { type ListReply, pageQuery } from '../../../panels/browser/list.tsx'
import { Back, Line, Part, Records, Tiles } from './parts.tsx'
import { type MessageReply, may, requestOnce, useLive } from './session.ts'

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
  const list = useLive<ListReply<Sale>>(`consolidation/card-transactions?${pageQuery(20)}`)
  const summary = useLive<Summary>('consolidation/card-transactions/summary')
  const balance = useLive<{ readonly balance: number }>('transactions/card/balance')
  const sums = summary.data?.data
  const refresh = (): void => {
    for (const each of [list, summary, balance]) each.refresh()
  }
  return (
    <>
      <header class="head">
        <div>
          <Back href="#/extrato">Extrato</Back>
          <Title>Vendas no cartão</Title>
        </div>
      </header>
      <Tiles
        sums={[
          ['Saldo de cartão', balance.data?.balance],
          ['A receber', sums?.pending.net],
          ['Já sacado', sums?.withdrawn.net],
          ['Tarifas', sums?.total.fee],
        ]}
      />
      <Records live={list} lines={5} none="Nenhuma venda no cartão ainda." one="venda" many="vendas">
        {(sale) => (
          <Line
            key={sale.id}
            href={`#/cobrancas/${sale.charge.id}`}
            name={sale.charge.client.name}
            note={`${dayText(sale.payment_date)} · venda de ${money(sale.gross_amount)}, tarifa de ${money(sale.fee_amount)}`}
          >
            <span class={`chip ${sale.status === 'PENDING' ? 'pending' : 'paid'}`}>
              {sale.status === 'PENDING' ? 'A receber' : 'Sacada'}
            </span>
            <strong>{money(sale.net_amount)}</strong>
          </Line>
        )}
      </Records>
      {may('withdrawals:write') && <Withdraw most={balance.data?.balance ?? 0} onDone={refresh} />}
    </>
  )
}

const Withdraw = ({ most, onDone }: { readonly most: number; readonly onDone: () => void }) => {
  const [done, setDone] = useState<string | null>(null)
  const { action, draft, set, field } = useForm({ amount: '' }, { prefix: 'card-' })
  const withdraw = async (): Promise<void> => {
    setDone(null)
    const amount = readAmount('amount', draft.amount)
    const { message } = await requestOnce<MessageReply>('transactions/card/withdraw', { amount })
    set({ amount: '' })
    setDone(message)
    onDone()
  }
  return (
    <Part title="Passar ao saldo da conta" isBelow>
      <Form action={action} button="Passar ao saldo" send={withdraw}>
        <Field
          {...field('amount', 'Valor em reais')}
          inputMode="decimal"
          autocomplete="off"
          hint={`Até ${money(most)}.`}
        />
        {done && <p role="status">{done}</p>}
      </Form>
    </Part>
  )
}
