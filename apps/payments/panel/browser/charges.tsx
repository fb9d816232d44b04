import { useEffect, useRef, useState } from 'preact/hooks'
import { Alert, LoadState } from '../../../panels/browser/elements.tsx'
import { Choice, Field, Form, refuseMistakes, useForm } from '../../../panels/browser/form.tsx'
import { addDays, counted, dayText, documentText, money, sizeText, today } from '../../../panels/browser/format.ts'
import { type ListReply, Pages, pageQuery, Search } from '../../../panels/browser/list.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { addressOf, goTo, route } from '../../../panels/browser/route.ts'
import { Formats } from './download.tsx'
import { FilterLinks, Head } from './parts.tsx'
import { fetchAs, may, NEVER_MS, readFile, saveFile, useLive } from './session.ts'

/** A charge as `GET /invoices` lists it. Amounts are in reais. */
export interface Charge {
  readonly id: number
  readonly code: string
  readonly url: string
  readonly value: number
  readonly amount_paid: number | null
  /** Absent without a payment of a part. */
  readonly amount_left?: number
  /** Absent without an over-payment. */
  readonly amount_over?: number
  /** Absent unless the bank refused the code of the rest. */
  readonly rest_refused?: boolean
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
    /** Null for a client whose data were erased. */
    readonly document: string | null
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

/** The name of the draft of a new charge. */
export const NEW_CHARGE = 'charge'

export const chargesText = (number: number): string => counted(number, 'cobrança', 'cobranças')

type PartPaid = Charge & Required<Pick<Charge, 'amount_left'>>
/** Reports whether something of a charge was paid, and something is left. */
export const isPartPaid = (charge: Charge): charge is PartPaid => (charge.amount_left ?? 0) > 0

type Overpaid = Charge & Required<Pick<Charge, 'amount_over'>>
export const isOverpaid = (charge: Charge): charge is Overpaid => (charge.amount_over ?? 0) > 0

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

const ORDERS = [
  ['created_at desc', 'Mais novas'],
  ['due_date asc', 'Vencimento mais próximo'],
  ['due_date desc', 'Vencimento mais distante'],
  ['payment_date desc', 'Pagas por último'],
] as const

const METHODS = [['', 'Todos os meios'], ...Object.entries(METHOD_NAMES)] as const

const apiQuery = (query: URLSearchParams): URLSearchParams => {
  const [order_by = 'created_at', order_dir = 'desc'] = (query.get('ordem') ?? 'created_at desc').split(' ')
  return pageQuery(20, { order_by, order_dir, ...Object.fromEntries(apiFilters(query)) })
}

export const Charges = () => {
  const { query } = route.value
  const { data, error } = useLive<ListReply<Charge>>(`invoices?${apiQuery(query)}`)
  const now = Object.fromEntries(query)
  const change = (changes: Readonly<Record<string, string>>) =>
    goTo(addressOf('/cobrancas', { ...now, pagina: '', ...changes }))
  return (
    <>
      <Head title="Cobranças" create={may('charges:write') && ['Nova cobrança', '#/cobrancas/nova']} />
      <StatusFilters />
      <Search placeholder="Nome, e-mail, documento ou código" onSearch={(search) => change({ search })}>
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
      <RangeFilters key={`${query}`} />
      <ActiveFilters />
      <Sums list={data} />
      <LoadState data={data} error={error} lines={6} />
      {data && <ChargeTable {...data} />}
      {data && data.data.length > 0 && <Export filters={`${apiFilters(query)}`} />}
    </>
  )
}

/** Downloads all charges that the filters match, with the progress of the download. */
const Export = ({ filters }: { readonly filters: string }) => {
  const action = useAction()
  const [progress, setProgress] = useState('')
  const [running, setRunning] = useState<string | null>(null)
  const save = async (format: string): Promise<void> => {
    const path = `v1/charges/export?format=${format}${filters && `&${filters}`}`
    setProgress('Preparando o arquivo…')
    setRunning(format)
    try {
      const file = await readFile(await fetchAs('GET', path), (bytes) => setProgress(`Baixando… ${sizeText(bytes)}`))
      saveFile(file, `cobrancas-${today()}.${format}`)
      setProgress(`Arquivo baixado: ${sizeText(file.size)}`)
    } catch (error) {
      setProgress('')
      throw error
    } finally {
      setRunning(null)
    }
  }
  return (
    <section class="below" aria-label="Exportar">
      <Formats running={running} onChoose={(format) => action.run(() => save(format))} />
      <p class="hint" role="status">
        {progress}
      </p>
      <Alert text={action.fields.format ?? action.error} />
    </section>
  )
}

interface SummaryReply {
  readonly summary: { readonly count: number; readonly value: number; readonly amount_paid: number }
}

/**
 * The sums of a search read every matching charge: a shown list that changes makes them change, another page seldom
 * does.
 */
const SUMS_MS = 60_000

/** Returns the sums of the charges that filters match, read again when the list of these charges changes. */
export const useSums = (filters: string, list: object | null) => {
  const { data, error, refresh } = useLive<SummaryReply>(`v1/charges/summary?${filters}`, SUMS_MS)
  const last = useRef(list)
  useEffect(() => {
    if (last.current !== null && list !== null && last.current !== list) refresh()
    last.current = list
  }, [list])
  return { sums: data?.summary, error }
}

/** The sums of all charges that the filters match. */
const Sums = ({ list }: { readonly list: object | null }) => {
  const { sums, error } = useSums(`${apiFilters(route.value.query)}`, list)
  return (
    <p class="sums" aria-live="polite">
      {sums === undefined ? (
        error === null && 'Somando…'
      ) : (
        <>
          <span>{chargesText(sums.count)}</span>
          <span>
            cobrado <strong>{money(sums.value)}</strong>
          </span>
          <span>
            recebido <strong>{money(sums.amount_paid)}</strong>
          </span>
        </>
      )}
    </p>
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
                <small>{charge.description ?? (charge.client.document && documentText(charge.client.document))}</small>
              </td>
              <td data-label="Vencimento">{dayText(charge.due_date)}</td>
              <td data-label="Meio">{METHOD_NAMES[charge.payment_method]}</td>
              <td data-label="Situação">
                <StatusChip charge={charge} />
              </td>
              <td class="amount">
                {money(charge.value)}
                {isPartPaid(charge) && <small>faltam {money(charge.amount_left)}</small>}
                {isOverpaid(charge) && <small>{money(charge.amount_over)} a mais</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pages meta={meta} one="cobrança" many="cobranças" />
    </section>
  )
}

type Query = Readonly<Record<string, string>>

/** The ranges of days by which charges are filtered; each is two parameters, `_start` and `_end`. */
const RANGES = [
  ['due_date', 'Vencimento'],
  ['payment_date', 'Pagamento'],
  ['created_at', 'Criação'],
] as const

type RangeEnd = `${(typeof RANGES)[number][0]}_${'start' | 'end'}`

const RANGE_ENDS = RANGES.flatMap(([range]): RangeEnd[] => [`${range}_start`, `${range}_end`])

/** The filters of the view's query that the API knows by the same names. */
const SAME_NAMES = ['search', 'status_id', 'client_id', 'payment_method', ...RANGE_ENDS]

/** Returns the filters of the view's query as the API takes them. */
const apiFilters = (query: URLSearchParams): URLSearchParams => {
  const sent = new URLSearchParams()
  for (const name of SAME_NAMES) {
    const value = query.get(name)
    if (value) sent.set(name, value)
  }
  return sent
}

/** The saved filters of the list: each is a query of the view. */
const statusFilters = (): readonly (readonly [name: string, query: Query])[] => [
  ['Todas', {}],
  ['Pendentes', { status_id: '1' }],
  ['Em atraso', { status_id: '1', due_date_end: addDays(today(), -1) }],
  ['Pagas', { status_id: '2,7' }],
  ['Expiradas', { status_id: '4' }],
  ['Canceladas', { status_id: '3' }],
  ['Não emitidas', { status_id: '5' }],
  ['Apagadas', { status_id: '6' }],
]

const isChosen = (query: URLSearchParams, wanted: Query): boolean =>
  (query.get('status_id') ?? '') === (wanted.status_id ?? '') &&
  RANGE_ENDS.every((end) => (query.get(end) ?? '') === (wanted[end] ?? ''))

const StatusFilters = () => {
  const { query } = route.value
  const others = Object.fromEntries(
    ['ordem', 'search', 'payment_method', 'client_id'].map((name) => [name, query.get(name) ?? '']),
  )
  return (
    <FilterLinks
      label="Situação"
      filters={statusFilters().map(([text, wanted]) => ({
        text,
        href: addressOf('/cobrancas', { ...others, ...wanted }),
        isCurrent: isChosen(query, wanted),
      }))}
    />
  )
}

const rangeText = (name: string, start: string, end: string): string => {
  if (start === end) return `${name}: ${dayText(start)}`
  if (start === '') return `${name} até ${dayText(end)}`
  return end === '' ? `${name} desde ${dayText(start)}` : `${name} de ${dayText(start)} a ${dayText(end)}`
}

const statusText = (ids: string): string =>
  statusFilters().find(([, { status_id = '' }]) => status_id === ids)?.[0] ?? ids

interface ClientReply {
  readonly client: { readonly name: string }
}

/** The filters in use that no choice of the view shows, each with a link that removes it. */
const ActiveFilters = () => {
  const { query } = route.value
  const clientId = query.get('client_id')
  const client = useLive<ClientReply>(clientId ? `v1/clients/${encodeURIComponent(clientId)}` : null, NEVER_MS).data
  const isSaved = statusFilters().some(([, wanted]) => isChosen(query, wanted))
  const status = query.get('status_id') ?? ''
  const filters: readonly (readonly [text: string, names: readonly string[]])[] = [
    ...(clientId ? [[`Cliente: ${client?.client.name ?? `nº ${clientId}`}`, ['client_id']] as const] : []),
    ...(status !== '' && !isSaved ? [[`Situação: ${statusText(status)}`, ['status_id']] as const] : []),
    ...RANGES.flatMap(([range, name]) => {
      const [start, end] = [query.get(`${range}_start`) ?? '', query.get(`${range}_end`) ?? '']
      const isEmpty = start === '' && end === ''
      return isEmpty || isSaved ? [] : [[rangeText(name, start, end), [`${range}_start`, `${range}_end`]] as const]
    }),
  ]
  if (filters.length === 0) return null
  const without = (names: readonly string[]) =>
    addressOf('/cobrancas', Object.fromEntries([...query].filter(([name]) => ![...names, 'pagina'].includes(name))))
  return (
    <ul class="active-filters" aria-label="Filtros em uso">
      {filters.map(([text, names]) => (
        <li key={text}>
          <a href={without(names)}>
            {text} <span aria-hidden="true">×</span>
            <span class="unseen">, remover</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The longest range of payment days that the API accepts. */
const MAX_PAYMENT_DAYS = 45

/** Returns the message of a range of payment days that the API refuses, by its field. */
const rangeMistakes = ({ payment_date_start: start = '', payment_date_end: end = '' }: Query): Query => {
  const missing = 'Preencha as duas datas do pagamento.'
  if (start === '') return end === '' ? {} : { payment_date_start: missing }
  if (end === '') return { payment_date_end: missing }
  if (end < start) return { payment_date_end: 'Não pode ser anterior ao início do período.' }
  const isLong = end > addDays(start, MAX_PAYMENT_DAYS)
  return isLong ? { payment_date_end: `O período pode ter no máximo ${MAX_PAYMENT_DAYS} dias.` } : {}
}

/** The fields of the ranges of days. */
const RangeFilters = () => {
  const { query } = route.value
  const chosen = Object.fromEntries(RANGE_ENDS.map((end) => [end, query.get(end) ?? '']))
  const { action, draft: days, field } = useForm(chosen)
  const filter = async (): Promise<void> => {
    refuseMistakes(rangeMistakes(days))
    goTo(addressOf('/cobrancas', { ...Object.fromEntries(query), pagina: '', ...days }))
  }
  return (
    <details class="more">
      <summary>Filtrar por data</summary>
      <Form action={action} button="Filtrar" send={filter}>
        <div class="ranges">
          {RANGES.map(([range, name]) => (
            <fieldset key={range}>
              <legend>{name}</legend>
              <div class="pair">
                {(['start', 'end'] as const).map((end) => (
                  <Field key={end} {...field(`${range}_${end}`, end === 'start' ? 'Desde' : 'Até')} type="date" />
                ))}
              </div>
            </fieldset>
          ))}
        </div>
      </Form>
    </details>
  )
}
