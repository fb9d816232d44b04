import { useState } from 'preact/hooks'
import { Alert, Loading, Title } from '../../../panels/browser/elements.tsx'
import { Field, Form } from '../../../panels/browser/form.tsx'
import { addDays, count, dayText, money, shortDay, today } from '../../../panels/browser/format.ts'
import { useAction } from '../../../panels/browser/live.ts'
import { addressOf } from '../../../panels/browser/route.ts'
import { may, organization, person, readPerson, request, useLive } from './session.ts'

interface DayReply {
  readonly date: string
  readonly balance_in: number
}

interface ReportRow {
  readonly reference_date: string
  readonly status: { readonly id: number; readonly title: string; readonly description: string }
  readonly total_qtd: number
  readonly total_value: number
}

interface Report {
  readonly data: readonly ReportRow[]
}

const SLOW_MS = 10_000
const DAYS = 30
const WEEK_DAYS = 6
/** Charges that expired longer ago are no news. */
const LATE_DAYS = 365

export const Home = () => (
  <>
    <Title>{organization.value?.name ?? 'Início'}</Title>
    <NextSteps />
    <div class="board">
      {may('statements:read') && <Balance />}
      {may('charges:read') && <Due />}
      {may('statements:read') && <Received />}
      {may('charges:read') && <ByStatus />}
    </div>
  </>
)

/** The steps that are left until the account can receive and pay out. */
const NextSteps = () => {
  const isActive = organization.value?.status === 'ACTIVE'
  const canWrite = may('account:write')
  if (person.value?.isConfirmed && (isActive || !canWrite)) return null
  return (
    <div class="board">
      {person.value?.isConfirmed === false && <ConfirmEmail />}
      {!isActive && canWrite && <Activate />}
    </div>
  )
}

const ConfirmEmail = () => {
  const email = person.value?.email ?? ''
  const [code, setCode] = useState('')
  const [notice, setNotice] = useState<string | null>(null)
  const action = useAction()
  const again = useAction()
  const confirm = async (): Promise<void> => {
    await request('POST', 'v1/auth/verify-email', { body: { email, code } })
    await readPerson()
  }
  const sendAgain = async (): Promise<void> => {
    const { message } = await request<{ readonly message: string }>('POST', 'v1/auth/send-verification-code')
    setNotice(message)
  }
  return (
    <section class="card part">
      <h2>Confirme seu e-mail</h2>
      <p class="hint">Enviamos um código a {email}.</p>
      <Form action={action} button="Confirmar" onSend={() => action.run(confirm)}>
        <Field
          label="Código"
          name="code"
          autocomplete="one-time-code"
          value={code}
          onValue={setCode}
          error={action.fields.code}
        />
      </Form>
      <div class="choices">
        <button type="button" class="quiet" onClick={() => again.run(sendAgain)}>
          Enviar outro código
        </button>
      </div>
      <p role="status">{notice ?? again.error ?? ''}</p>
    </section>
  )
}

const Activate = () => {
  const action = useAction()
  const id = organization.value?.id
  const activate = async (): Promise<void> => {
    await request('PUT', `v1/organizations/${id}`, { body: { status: 'ACTIVE' } })
    await readPerson()
  }
  return (
    <section class="card part">
      <h2>Ative a organização</h2>
      <p class="hint">Ela já pode cobrar. Para sacar e devolver, precisa estar ativa.</p>
      <Form action={action} button="Ativar" onSend={() => action.run(activate)}>
        {null}
      </Form>
    </section>
  )
}

interface TileProps {
  readonly label: string
  readonly value: string | null
  readonly note?: string
  readonly href?: string
  readonly kind?: string
}

const Tile = ({ label, value, note, href, kind = '' }: TileProps) => (
  <div class={`card tile ${kind}`}>
    <dt>{label}</dt>
    <dd>
      <strong>{value === null ? '…' : href ? <a href={href}>{value}</a> : value}</strong>
      {note && <span>{note}</span>}
    </dd>
  </div>
)

const Balance = () => {
  const { data, error } = useLive<{ readonly balance: number }>('consolidation/balance')
  const card = useLive<{ readonly balance: number }>('transactions/card/balance', SLOW_MS)
  return (
    <>
      <Alert text={data === null ? error : null} />
      <dl class="tiles">
        <Tile label="Saldo" value={data && money(data.balance)} kind="right" />
        <Tile label="Cartão, a sacar" value={card.data && money(card.data.balance)} />
      </dl>
    </>
  )
}

const sumOf = (rows: readonly ReportRow[]) => ({
  number: rows.reduce((sum, row) => sum + row.total_qtd, 0),
  value: rows.reduce((sum, row) => sum + row.total_value, 0),
})

const chargesText = (number: number): string => `${count(number)} ${number === 1 ? 'cobrança' : 'cobranças'}`

const Due = () => {
  const now = today()
  const [end, yesterday, start] = [addDays(now, WEEK_DAYS), addDays(now, -1), addDays(now, -LATE_DAYS)]
  const report = (from: string, to: string) => `reports/invoices?group_by=days&date_start=${from}&date_end=${to}`
  const week = useLive<Report>(report(now, end), SLOW_MS).data
  const past = useLive<Report>(report(start, yesterday), SLOW_MS).data
  const pending = (rows: Report | null) => rows && sumOf(rows.data.filter(({ status }) => status.title === 'pending'))
  const [due, late] = [pending(week), pending(past)]
  return (
    <dl class="tiles">
      <Tile
        label="A receber em 7 dias"
        value={due && money(due.value)}
        note={due ? chargesText(due.number) : ''}
        href={addressOf('/cobrancas', {
          status_id: '1',
          due_date_start: now,
          due_date_end: end,
          ordem: 'due_date asc',
        })}
      />
      <Tile
        label="Em atraso"
        value={late && money(late.value)}
        note={late ? chargesText(late.number) : ''}
        kind={late && late.number > 0 ? 'wrong' : ''}
        href={addressOf('/cobrancas', { status_id: '1', due_date_end: yesterday, ordem: 'due_date asc' })}
      />
    </dl>
  )
}

const WIDTH = 600
const HEIGHT = 160
const GAP = 4

const Received = () => {
  const [start, end] = [addDays(today(), 1 - DAYS), today()]
  const path = `consolidation/transactions/sales-per-month?start_date=${start}&end_date=${end}`
  const { data, error } = useLive<readonly DayReply[]>(path, SLOW_MS)
  const byDay = new Map(data?.map(({ date, balance_in }) => [date, balance_in]))
  const days = Array.from({ length: DAYS }, (_, at) => addDays(start, at))
  const values = days.map((day) => byDay.get(day) ?? 0)
  const total = values.reduce((sum, value) => sum + value, 0)
  const most = Math.max(...values, 1)
  const step = WIDTH / DAYS
  return (
    <section class="card part">
      <h2>Recebido em {DAYS} dias</h2>
      <Alert text={data === null ? error : null} />
      {data === null ? (
        <Loading />
      ) : (
        <>
          <p class="total">{money(total)}</p>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Recebido por dia: ${money(total)} ao todo`}>
            {values.map((value, at) => {
              const height = Math.round((value / most) * (HEIGHT - 1)) + 1
              const day = days[at] ?? ''
              return (
                <rect key={day} x={at * step} y={HEIGHT - height} width={step - GAP} height={height} rx={2}>
                  <title>{`${dayText(day)}: ${money(value)}`}</title>
                </rect>
              )
            })}
          </svg>
          <p class="axis">
            <span>{shortDay(start)}</span>
            <span>{shortDay(end)}</span>
          </p>
        </>
      )}
    </section>
  )
}

const ByStatus = () => {
  const now = today()
  const [start, end] = [addDays(now, -DAYS), addDays(now, DAYS)]
  const { data, error } = useLive<Report>(`reports/invoices?group_by=days&date_start=${start}&date_end=${end}`, SLOW_MS)
  const statuses = new Map<number, readonly ReportRow[]>()
  for (const row of data?.data ?? []) statuses.set(row.status.id, [...(statuses.get(row.status.id) ?? []), row])
  return (
    <section class="card part">
      <h2>
        Cobranças que vencem de {shortDay(start)} a {shortDay(end)}
      </h2>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading />}
      {data && statuses.size === 0 && (
        <p class="none">
          Nenhuma ainda. {may('charges:write') && <a href="#/cobrancas/nova">Emita a primeira cobrança</a>}
        </p>
      )}
      <ul class="lines">
        {[...statuses].map(([id, rows]) => {
          const { number, value } = sumOf(rows)
          return (
            <li key={id}>
              <a href={addressOf('/cobrancas', { status_id: `${id}`, due_date_start: start, due_date_end: end })}>
                {rows[0]?.status.description}
              </a>
              <span class="hint">{chargesText(number)}</span>
              <strong>{money(value)}</strong>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
