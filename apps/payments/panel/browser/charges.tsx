import { Alert, Loading, Title } from '../../../panels/browser/elements.tsx'
import { Choice } from '../../../panels/browser/form.tsx'
import { addDays, dayText, documentText, money, today } from '../../../panels/browser/format.ts'
import { type ListReply, Pages, Search } from '../../../panels/browser/list.tsx'
import { addressOf, goTo, route } from '../../../panels/browser/route.ts'
import { may, useLive } from './session.ts'

/** A charge as `GET /invoices` lists it. Amounts are in reais. */
export interface Charge {
  readonly id: number
  readonly code: string
  readonly url: string
  readonly value: number
  readonly amount_paid: number | null
  readonly refunded_value: number | null
  readonly payment_date: string | null
  readonly status: { readonly id: number; readonly title: string; readonly description: string }
  readonly description: string | null
  readonly payment_method: PaymentMethod
  readonly due_date: string
  readonly client: {
    readonly id: number
    readonly name: string
    readonly email: string | null
    readonly document: string
  }
  readonly pix: { readonly txid: string; readonly qrcode: string | null; readonly status: string } | null
  readonly boleto: { readonly txid: string; readonly digitableLine: string; readonly pathPDF: string } | null
  readonly created_at: string
}

export type PaymentMethod = 'PIX' | 'BOLETO' | 'BOLEPIX' | 'CREDIT_CARD'

export const METHOD_NAMES: Readonly<Record<PaymentMethod, string>> = {
  PIX: 'Pix',
  BOLETO: 'Boleto',
  BOLEPIX: 'Bolepix',
  CREDIT_CARD: 'Cartão',
}

const PENDING = 'pending'

/** Reports whether a charge is still to be paid and past its due day. */
const isLate = ({ status, due_date }: Pick<Charge, 'status' | 'due_date'>): boolean =>
  status.title === PENDING && due_date < today()

export const StatusChip = ({ charge }: { readonly charge: Charge }) => {
  const late = isLate(charge)
  return (
    <span class={`chip ${late ? 'late' : charge.status.title}`}>{late ? 'Em atraso' : charge.status.description}</span>
  )
}

/** The saved filters of the list: each is a query of the view. */
const statusFilters = (): readonly (readonly [name: string, query: Readonly<Record<string, string>>])[] => [
  ['Todas', {}],
  ['Pendentes', { status_id: '1' }],
  ['Em atraso', { status_id: '1', due_date_end: addDays(today(), -1) }],
  ['Pagas', { status_id: '2,7' }],
  ['Expiradas', { status_id: '4' }],
  ['Canceladas', { status_id: '3' }],
]

const ORDERS = [
  ['created_at desc', 'Mais novas'],
  ['due_date asc', 'Vencimento mais próximo'],
  ['due_date desc', 'Vencimento mais distante'],
  ['payment_date desc', 'Pagas por último'],
] as const

const METHODS = [['', 'Todos os meios'], ...Object.entries(METHOD_NAMES)] as const

/** The filters of the view's query that the API knows. */
const FILTERS = [
  'search',
  'client_id',
  'payment_method',
  'due_date_start',
  'due_date_end',
  'payment_date_start',
  'payment_date_end',
]

const apiQuery = (query: URLSearchParams): string => {
  const [by = 'created_at', dir = 'desc'] = (query.get('ordem') ?? 'created_at desc').split(' ')
  const sent = new URLSearchParams({ per_page: '20', page: query.get('pagina') ?? '1', order_by: by, order_dir: dir })
  for (const name of FILTERS) {
    const value = query.get(name)
    if (value) sent.set(name, value)
  }
  for (const id of (query.get('status_id') ?? '').split(',').filter(Boolean)) sent.append('status_id[]', id)
  return `${sent}`
}

export const Charges = () => {
  const { query } = route.value
  const { data, error } = useLive<ListReply<Charge>>(`invoices?${apiQuery(query)}`)
  const now = Object.fromEntries(query)
  const change = (changes: Readonly<Record<string, string>>) =>
    goTo(addressOf('/cobrancas', { ...now, pagina: '', ...changes }))
  const isChosen = (wanted: Readonly<Record<string, string>>) =>
    (query.get('status_id') ?? '') === (wanted.status_id ?? '') &&
    (query.get('due_date_end') ?? '') === (wanted.due_date_end ?? '')
  return (
    <>
      <header class="head">
        <Title>Cobranças</Title>
        {may('charges:write') && (
          <a class="button" href="#/cobrancas/nova">
            Nova cobrança
          </a>
        )}
      </header>
      <nav class="filters" aria-label="Situação">
        {statusFilters().map(([name, wanted]) => (
          <a
            key={name}
            href={addressOf('/cobrancas', { ordem: now.ordem ?? '', search: now.search ?? '', ...wanted })}
            aria-current={isChosen(wanted) ? 'true' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      <Search
        key={query.get('search')}
        placeholder="Nome, e-mail, documento ou código"
        onSearch={(search) => change({ search })}
      >
        <Choice
          label="Meio"
          name="method"
          value={now.payment_method ?? ''}
          onValue={(value) => change({ payment_method: value })}
          options={METHODS}
        />
        <Choice
          label="Ordem"
          name="order"
          value={now.ordem ?? 'created_at desc'}
          onValue={(value) => change({ ordem: value })}
          options={ORDERS}
        />
      </Search>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading lines={6} />}
      {data && <ChargeTable {...data} />}
    </>
  )
}

const ChargeTable = ({ data, meta }: ListReply<Charge>) => {
  const { query } = route.value
  if (data.length === 0)
    return <p class="none">{query.size > 0 ? 'Nenhuma cobrança com estes filtros.' : 'Nenhuma cobrança ainda.'}</p>
  return (
    <section class="card part">
      <table>
        <caption class="unseen">Cobranças</caption>
        <thead>
          <tr>
            <th scope="col">Cliente</th>
            <th scope="col">Vencimento</th>
            <th scope="col">Meio</th>
            <th scope="col">Situação</th>
            <th scope="col" class="amount">
              Valor
            </th>
          </tr>
        </thead>
        <tbody>
          {data.map((charge) => (
            <tr key={charge.id}>
              <td>
                <a href={`#/cobrancas/${charge.id}`}>{charge.client.name}</a>
                <small>{charge.description ?? documentText(charge.client.document)}</small>
              </td>
              <td data-label="Vencimento">{dayText(charge.due_date)}</td>
              <td data-label="Meio">{METHOD_NAMES[charge.payment_method]}</td>
              <td data-label="Situação">
                <StatusChip charge={charge} />
              </td>
              <td class="amount">{money(charge.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pages meta={meta} one="cobrança" many="cobranças" />
    </section>
  )
}
