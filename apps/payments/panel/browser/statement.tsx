import { Figure, LoadState, Title } from '../../../panels/browser/elements.tsx'
import { dayText, instantText, money } from '../../../panels/browser/format.ts'
import { type ListReply, Pages } from '../../../panels/browser/list.tsx'
import { addressOf, goTo, route } from '../../../panels/browser/route.ts'
import { Exports, Receipt } from './download.tsx'
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

const partyOf = ({ value, payer, receiver, type }: Transaction): string =>
  (value < 0 ? receiver : payer)?.name ?? type.name

/** A year that is still being typed. */
const UNFINISHED = /^0/

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
  const { query } = route.value
  const [start, end] = [query.get('de') ?? '', query.get('ate') ?? '']
  const sent = new URLSearchParams({
    per_page: '50',
    page: query.get('pagina') ?? '1',
    ...(start && { created_at_start: start }),
    ...(end && { created_at_end: end }),
  })
  const { data, error } = useLive<Statement>(`consolidation/v2/transactions?${sent}`)
  const change = (changes: Readonly<Record<string, string>>) =>
    goTo(addressOf('/extrato', { de: start, ate: end, ...changes }))
  const period = data?.statistics.period
  const dayField = (name: 'de' | 'ate', label: string, value: string) => (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        type="date"
        value={value}
        onChange={({ currentTarget }) =>
          UNFINISHED.test(currentTarget.value) || change({ [name]: currentTarget.value })
        }
      />
    </div>
  )
  return (
    <>
      <header class="head">
        <Title>Extrato</Title>
        <a href="#/cartao">Vendas no cartão</a>
      </header>
      <div class="pair tools">
        {dayField('de', 'De', start || (period?.start_date ?? ''))}
        {dayField('ate', 'Até', end || (period?.end_date ?? ''))}
      </div>
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
    <dl class="tiles four">
      {(
        [
          ['Saldo inicial', statistics.initial_balance],
          ['Entrou', statistics.total_received],
          ['Saiu', statistics.total_paid],
          ['Saldo final', statistics.final_balance],
        ] as const
      ).map(([name, value]) => (
        <div class="card tile" key={name}>
          <dt>{name}</dt>
          <dd>
            <Figure text={money(value)} />
          </dd>
        </div>
      ))}
    </dl>
    {data.length === 0 ? (
      <p class="none">Nada entrou nem saiu neste período.</p>
    ) : (
      <section class="card part">
        {[...byDay(data)].map(([day, entries]) => (
          <section key={day}>
            <h2>{dayText(day)}</h2>
            <ul class="lines">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <span>
                    <span class="brief">{entry.description ?? entry.type.name}</span>
                    <small>
                      {instantText(entry.datetime)} · {partyOf(entry)}
                    </small>
                  </span>
                  <strong class={entry.value < 0 ? 'out' : 'in'}>{money(entry.value)}</strong>
                  <span class="hint balance">{money(entry.balance)}</span>
                  <Receipt
                    transactionId={entry.id}
                    of={`${entry.description ?? entry.type.name}, ${money(entry.value)}`}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
        <Pages meta={meta} one="lançamento" many="lançamentos" />
      </section>
    )}
  </>
)
