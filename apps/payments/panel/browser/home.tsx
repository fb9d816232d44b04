import { useState } from 'preact/hooks'
import { Alert, Button, Figure, Loading, LoadState, Title } from '../../../panels/browser/elements.tsx'
import { Field, Form, useForm } from '../../../panels/browser/form.tsx'
import { addDays, dayText, money, shortDay, today } from '../../../panels/browser/format.ts'
import { type Live, useAction } from '../../../panels/browser/live.ts'
import { addressOf, route } from '../../../panels/browser/route.ts'
import { type Charge, chargesText, METHOD_NAMES, type PaymentMethod } from './charges.tsx'
import { FilterLinks, Line, Lines, Part } from './parts.tsx'
import { type MessageReply, may, organization, person, readPerson, request, SLOW_MS, useLive } from './session.ts'

interface Figures {
  readonly count: number
  readonly value: number
  readonly amount_paid: number
  /** Absent without payments of a part. */
  readonly value_paid?: number
}

interface ChargeGroup extends Figures {
  readonly status: Charge['status']
  readonly payment_method: PaymentMethod
}

interface SummaryReply {
  readonly summary: Figures & { readonly groups: readonly ChargeGroup[] }
}

interface BalanceReply {
  readonly balance: Readonly<Record<'balance' | 'available' | 'reserved' | 'card', number>>
}

/** The days before and after today in which the shown charges are due. */
const DAYS = 30
const WEEK_DAYS = 6

export const Home = () => {
  const balance = useLive<BalanceReply>(may('statements:read') ? 'v1/balance' : null)
  const charges = useLive<SummaryReply>(may('charges:read') ? 'v1/charges/summary' : null, SLOW_MS)
  const isLoading = [balance, charges].some(({ data, error }) => data === null && error === null)
  const amounts = Object.values(balance.data?.balance ?? {})
  const isEmpty = charges.data?.summary.count === 0 && amounts.every((amount) => amount === 0)
  const waits = isLoading && may('statements:read') && may('charges:read')
  return (
    <>
      <Title>{organization.value?.name ?? 'Início'}</Title>
      <NextSteps />
      {waits && <Loading lines={6} />}
      {isEmpty && !waits ? (
        <FirstCharge />
      ) : (
        <div class="board" hidden={waits}>
          {may('statements:read') && <Balance {...balance} />}
          {may('charges:read') && <Due />}
          {may('statements:read') && <Received />}
          {may('charges:read') && <ChargeGroups />}
        </div>
      )}
    </>
  )
}

/** The next step of an account without charges and money, instead of zeros. */
const FirstCharge = () => (
  <Part title="Comece a receber" hint="Os números aparecem aqui quando houver cobranças.">
    <div class="choices">
      {may('charges:write') && (
        <a class="button" href="#/cobrancas/nova">
          Emitir a primeira cobrança
        </a>
      )}
      {may('links:write') && <a href="#/links/novo">Criar um link de pagamento</a>}
    </div>
  </Part>
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
  const [notice, setNotice] = useState<string | null>(null)
  const again = useAction()
  const { action, draft, field } = useForm({ code: '' })
  const confirm = async (): Promise<void> => {
    await request('POST', 'v1/auth/verify-email', { body: { email, ...draft } })
    await readPerson()
  }
  const sendAgain = async (): Promise<void> =>
    setNotice((await request<MessageReply>('POST', 'v1/auth/send-verification-code')).message)
  return (
    <Part title="Confirme seu e-mail" hint={`Enviamos um código a ${email}.`}>
      <Form action={action} button="Confirmar" send={confirm}>
        <Field {...field('code', 'Código')} autocomplete="one-time-code" />
      </Form>
      <div class="choices">
        <Button onClick={() => again.run(sendAgain)}>Enviar outro código</Button>
      </div>
      <p role="status">{notice ?? again.error ?? ''}</p>
    </Part>
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
    <Part title="Ative a organização" hint="Ela já pode cobrar. Para sacar e devolver, precisa estar ativa.">
      <Form action={action} button="Ativar" send={activate}>
        {null}
      </Form>
    </Part>
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
      {value === null ? <Figure text="…" /> : <Figure text={value} href={href} />}
      <span>{note}</span>
    </dd>
  </div>
)

const Balance = ({ data, error }: Live<BalanceReply>) => {
  const balance = data?.balance
  const moneyOut = may('withdrawals:read') ? '#/saques' : '#/extrato'
  return (
    <>
      <Alert text={data === null ? error : null} />
      <dl class="tiles three">
        <Tile
          label="Disponível"
          value={balance ? money(balance.available) : null}
          note={balance ? `Saldo: ${money(balance.balance)}` : ''}
          href="#/extrato"
          kind="right"
        />
        <Tile
          label="Reservado"
          value={balance ? money(balance.reserved) : null}
          note="Saques e devoluções em andamento"
          href={moneyOut}
        />
        <Tile
          label="Cartão"
          value={balance ? money(balance.card) : null}
          note="Vendas que ainda não passaram ao saldo"
          href="#/cartao"
        />
      </dl>
    </>
  )
}

const useSummary = (query: string) => useLive<SummaryReply>(`v1/charges/summary?${query}`, SLOW_MS)

/** Returns the rest of the value of pending charges, in words. */
const openValue = ({ value, value_paid = 0 }: Figures): string => money(value - value_paid)

const Due = () => {
  const now = today()
  const [end, yesterday] = [addDays(now, WEEK_DAYS), addDays(now, -1)]
  const due = useSummary(`status_id=1&due_date_start=${now}&due_date_end=${end}`).data?.summary
  const late = useSummary(`status_id=1&due_date_end=${yesterday}`).data?.summary
  return (
    <dl class="tiles">
      <Tile
        label="Vence em 7 dias"
        value={due ? openValue(due) : null}
        note={due ? chargesText(due.count) : ''}
        href={addressOf('/cobrancas', {
          status_id: '1',
          due_date_start: now,
          due_date_end: end,
          ordem: 'due_date asc',
        })}
      />
      <Tile
        label="Em atraso"
        value={late ? openValue(late) : null}
        note={late ? chargesText(late.count) : ''}
        kind={late && late.count > 0 ? 'wrong' : ''}
        href={addressOf('/cobrancas', { status_id: '1', due_date_end: yesterday, ordem: 'due_date asc' })}
      />
    </dl>
  )
}

/** The charges that are due about today, by status and by method; each row leads to its charges. */
const ChargeGroups = () => {
  const now = today()
  const [start, end] = [addDays(now, -DAYS), addDays(now, DAYS)]
  const dues = { due_date_start: start, due_date_end: end }
  const live = useSummary(`${new URLSearchParams(dues)}`)
  const groups = live.data?.summary.groups
  return (
    <Part title={`Cobranças que vencem de ${shortDay(start)} a ${shortDay(end)}`} live={live} lines={6}>
      {groups?.length === 0 && <p class="none">Nenhuma.</p>}
      {groups && groups.length > 0 && (
        <>
          <h3>Por situação</h3>
          <GroupLines
            groups={groups}
            keyOf={({ status }) => `${status.id}`}
            nameOf={({ status }) => status.description}
            queryOf={(status_id) => ({ status_id, ...dues })}
          />
          <h3>Por meio de pagamento</h3>
          <GroupLines
            groups={groups}
            keyOf={({ payment_method }) => payment_method}
            nameOf={({ payment_method }) => METHOD_NAMES[payment_method]}
            queryOf={(payment_method) => ({ payment_method, ...dues })}
          />
        </>
      )}
    </Part>
  )
}

interface GroupLinesProps {
  readonly groups: readonly ChargeGroup[]
  readonly keyOf: (group: ChargeGroup) => string
  readonly nameOf: (group: ChargeGroup) => string
  readonly queryOf: (key: string) => Readonly<Record<string, string>>
}

const GroupLines = ({ groups, keyOf, nameOf, queryOf }: GroupLinesProps) => {
  const lines = new Map<string, { readonly name: string; readonly count: number; readonly value: number }>()
  for (const group of groups) {
    const before = lines.get(keyOf(group)) ?? { count: 0, value: 0 }
    const [count, value] = [before.count + group.count, before.value + group.value]
    lines.set(keyOf(group), { name: nameOf(group), count, value })
  }
  return (
    <Lines of={[...lines]}>
      {([key, { name, count, value }]) => (
        <Line key={key} href={addressOf('/cobrancas', queryOf(key))} name={name} note={chargesText(count)}>
          <strong>{money(value)}</strong>
        </Line>
      )}
    </Lines>
  )
}

interface DayReply {
  readonly date: string
  readonly balance_in: number
}

const PERIODS = [30, 365] as const
const [MONTH, YEAR] = PERIODS

const WIDTH = 600
const HEIGHT = 160
/** The part of a day's width that its bar leaves free. */
const GAP = 0.2

/** The amounts received by day, of the last 30 or 365 days. */
const Received = () => {
  const period = route.value.query.get('dias') === `${YEAR}` ? YEAR : MONTH
  const [start, end] = [addDays(today(), 1 - period), today()]
  const path = `consolidation/transactions/sales-per-month?start_date=${start}&end_date=${end}`
  const { data, error } = useLive<readonly DayReply[]>(path, SLOW_MS)
  return (
    <section class="card part">
      <header class="head">
        <h2>Recebido por dia</h2>
        <FilterLinks
          label="Período"
          filters={PERIODS.map((days) => ({
            text: `${days} dias`,
            href: addressOf('/', days === MONTH ? {} : { dias: `${days}` }),
            isCurrent: days === period,
          }))}
        />
      </header>
      <LoadState data={data} error={error} lines={4} />
      {data && <Bars days={data} start={start} end={end} period={period} />}
    </section>
  )
}

interface BarsProps {
  readonly days: readonly DayReply[]
  readonly start: string
  readonly end: string
  readonly period: number
}

const Bars = ({ days: received, start, end, period }: BarsProps) => {
  const byDay = new Map(received.map(({ date, balance_in }) => [date, balance_in]))
  const days = Array.from({ length: period }, (_, at) => addDays(start, at))
  const values = days.map((day) => byDay.get(day) ?? 0)
  const total = values.reduce((sum, value) => sum + value, 0)
  const most = Math.max(...values, 1)
  const step = WIDTH / period
  return (
    <>
      <p class="total">
        <a href={addressOf('/extrato', { de: start, ate: end })}>{money(total)}</a>
      </p>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Recebido por dia: ${money(total)} ao todo`}>
        {values.map((value, at) => {
          const height = Math.round((value / most) * (HEIGHT - 1)) + 1
          const day = days[at] ?? ''
          return (
            <rect key={day} x={at * step} y={HEIGHT - height} width={step * (1 - GAP)} height={height}>
              <title>{`${dayText(day)}: ${money(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p class="axis">
        <span>{dayText(start)}</span>
        <span>{dayText(end)}</span>
      </p>
    </>
  )
}
