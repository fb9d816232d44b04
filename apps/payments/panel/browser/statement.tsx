import { LoadState, Title } from '../../../panels/browser/elements.tsx'
import { dayText, instantText, money } from '../../../panels/browser/format.ts'
import { type ListReply, Pages } from '../../../panels/browser/list.tsx'
import { Exports, Receipt } from './download.tsx'
import { Line, PeriodFields, periodQuery, Tiles } from './parts.tsx'
import { useLive } from './session.ts'

interface Transaction {
  readonly id: number
  readonly datetime: string
  readonly description: string | null
  readonly value: number
  readonly balance: number
  readonly type: { readonly name: string }
  readonly payer: { readonly name: string } | null
  readonly receiver: { readonly name: string } | null
}

interface Statement extends ListReply<Transaction> {
  readonly statistics: {
    readonly total_received: number
    readonly total_paid: number
    readonly initial_balance: number
    readonly final_balance: number
    readonly period: { readonly start_date: string; readonly end_date: string }
  }
}

/** The time, the type where the line above does not say it, and the other party. */
const detailsOf = ({ datetime, description, type, value, payer, receiver }: Transaction): string => {
  const party = (value < 0 ? receiver : payer)?.name
  return [instantText(datetime), description && type.name, party].filter(Boolean).join(' · ')
}

const byDay = (transactions: readonly Transaction[]): ReadonlyMap<string, readonly Transaction[]> => {
  const days = new Map<string, Transaction[]>()
  for (const each of transactions) {
    const day = each.datetime.slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), each])
  }
  return days
}

/** The entries of the account by day, with the balance after each. */
export const StatementPage = () => {
  const { data, error } = useLive<Statement>(`consolidation/v2/transactions?${periodQuery(50)}`)
  const period = data?.statistics.period
  return (
    <>
      <header class="head">
        <Title>Extrato</Title>
        <a href="#/cartao">Vendas no cartão</a>
      </header>
      <PeriodFields path="/extrato" otherwise={period} />
      <LoadState data={data} error={error} lines={6} />
      {data && <Entries {...data} />}
      {data && data.data.length > 0 && period && (
        <Exports
          path="consolidation/transactions/export-document"
          body={{ created_at_start: period.start_date.slice(0, 10), created_at_end: period.end_date.slice(0, 10) }}
        />
      )}
    </>
  )
}

const Entries = ({ data, meta, statistics }: Statement) => (
  <>
    <Tiles
      sums={[
        ['Saldo inicial', statistics.initial_balance],
        ['Entrou', statistics.total_received],
        ['Saiu', statistics.total_paid],
        ['Saldo final', statistics.final_balance],
      ]}
    />
    {data.length === 0 ? (
      <p class="none">Nada entrou nem saiu neste período.</p>
    ) : (
      <section class="card part">
        {[...byDay(data)].map(([day, entries]) => (
          <section key={day}>
            <h2>{dayText(day)}</h2>
            <ul class="lines">
              {entries.map((entry) => (
                <Line
                  key={entry.id}
                  name={<span class="brief">{entry.description ?? entry.type.name}</span>}
                  note={detailsOf(entry)}
                >
                  <strong class={entry.value < 0 ? 'out' : 'in'}>{money(entry.value)}</strong>
                  <span class="hint balance">{money(entry.balance)}</span>
                  <Receipt
                    transactionId={entry.id}
                    of={`${entry.description ?? entry.type.name}, ${money(entry.value)}`}
                  />
                </Line>
              ))}
            </ul>
          </section>
        ))}
        <Pages meta={meta} one="lançamento" many="lançamentos" />
      </section>
    )}
  </>
)
