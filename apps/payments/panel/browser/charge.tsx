import { Alert, CopyButton, Title } from '../../../panels/browser/elements.tsx'
import { dayText, documentText, instantText, money } from '../../../panels/browser/format.ts'
import { useAction } from '../../../panels/browser/live.ts'
import { Actions, isPending } from './charge-actions.tsx'
import { ChargeTerms } from './charge-terms.tsx'
import { type Charge, isOverpaid, isPartPaid, METHOD_NAMES, StatusChip } from './charges.tsx'
import { Fact, Line, Lines, Part, Unread } from './parts.tsx'
import { may, NEVER_MS, request, useLive } from './session.ts'
import { CHANNELS } from './words.ts'

interface ChargeDetail extends Charge {
  readonly createdBy: { readonly name: string } | null
  readonly refunds: readonly Refund[]
  /** Absent without splits. */
  readonly splits?: readonly Split[]
}

interface Split {
  /** The key of the receiver. */
  readonly account: string
  readonly name: string
  readonly percent: number | null
  readonly amount: number | null
  readonly received: number
}

interface Refund {
  readonly id: string
  readonly value: number
  readonly reason: string | null
  readonly status: string
  readonly created_at: string
  /** Absent if no receiver of a share returns a part. */
  readonly splits?: { readonly returned: number; readonly owed: number }
}

const REFUND_STATUSES: Readonly<Record<string, string>> = {
  completed: 'Devolvido',
  pending: 'No banco',
  failed: 'Não devolvido',
}

export const ChargePage = ({ id }: { readonly id: string }) => {
  const path = `invoices/${encodeURIComponent(id)}`
  const live = useLive<{ readonly data: ChargeDetail }>(path)
  if (live.data === null)
    return (
      <Unread live={live} title="Cobrança" missing="Cobrança não encontrada" lines={5}>
        <p>
          <a href="#/cobrancas">Ver todas as cobranças</a>
        </p>
      </Unread>
    )
  return <Detail charge={live.data.data} path={path} refresh={live.refresh} />
}

interface DetailProps {
  readonly charge: ChargeDetail
  readonly path: string
  readonly refresh: () => void
}

const Detail = ({ charge, path, refresh }: DetailProps) => {
  const { client } = charge
  return (
    <>
      <header class="head">
        <div>
          <p class="hint">
            <a href="#/cobrancas">Cobranças</a> · nº {charge.id}
          </p>
          <Title>
            {money(charge.value)} de {client.name}
          </Title>
        </div>
        <StatusChip charge={charge} />
      </header>
      <div class="columns">
        <Part title="Dados">
          <dl class="facts">
            <Fact name="Vencimento">{dayText(charge.due_date)}</Fact>
            <Fact name="Meio">{METHOD_NAMES[charge.payment_method]}</Fact>
            {charge.description && <Fact name="Descrição">{charge.description}</Fact>}
            <Fact name="Cliente">
              {may('clients:read') ? <a href={`#/clientes/${client.id}`}>{client.name}</a> : client.name}
              {client.document && (
                <>
                  <br />
                  {documentText(client.document)}
                </>
              )}
              {client.email && (
                <>
                  <br />
                  {client.email}
                </>
              )}
            </Fact>
            {charge.amount_paid !== null && <Fact name="Recebido">{money(charge.amount_paid)}</Fact>}
            {isPartPaid(charge) && <Fact name="Falta pagar">{money(charge.amount_left)}</Fact>}
            {isOverpaid(charge) && <Fact name="Pago a mais">{money(charge.amount_over)}</Fact>}
            {charge.payment_date !== null && <Fact name="Pago em">{dayText(charge.payment_date)}</Fact>}
            {charge.refunded_value !== null && <Fact name="Devolvido">{money(charge.refunded_value)}</Fact>}
            <Fact name="Emitida">
              {instantText(charge.created_at)}
              {charge.createdBy && ` por ${charge.createdBy.name}`}
            </Fact>
          </dl>
          <Actions charge={charge} path={path} refresh={refresh} />
        </Part>
        <HowToPay charge={charge} path={path} refresh={refresh} />
        {charge.payment_method !== 'CREDIT_CARD' && <ChargeTerms id={charge.id} isPending={isPending(charge)} />}
        {charge.amount_paid !== null && <Payments id={charge.id} />}
        {charge.splits && <Splits splits={charge.splits} />}
        {charge.refunds.length > 0 && <Refunds refunds={charge.refunds} />}
        <History id={charge.id} />
      </div>
    </>
  )
}

const HowToPay = ({ charge, path, refresh }: DetailProps) => {
  if (!isPending(charge)) return null
  return (
    <Part title="Para pagar">
      <p class="line">
        <a href={charge.url} target="_blank" rel="noreferrer">
          Página de pagamento
        </a>
        <CopyButton text={charge.url} label="Copiar endereço" />
      </p>
      {charge.pix?.qrcode && <PixCode code={charge.code} text={charge.pix.qrcode} />}
      {charge.boleto && (
        <>
          <h3>Boleto</h3>
          <p class="copyable">{charge.boleto.digitableLine}</p>
          <p class="line">
            <CopyButton text={charge.boleto.digitableLine} label="Copiar linha digitável" />
            <a href={charge.boleto.pathPDF} target="_blank" rel="noreferrer">
              Abrir boleto em PDF
            </a>
          </p>
        </>
      )}
      {charge.rest_refused && <RestRefused path={path} refresh={refresh} />}
      {charge.payment_method !== 'CREDIT_CARD' && !charge.pix?.qrcode && !charge.boleto && !charge.rest_refused && (
        <p class="hint">O banco ainda não respondeu. Esta página se atualiza sozinha.</p>
      )}
    </Part>
  )
}

/** Requests the refused code of the rest again, by a change of no field. */
const RestRefused = ({ path, refresh }: Omit<DetailProps, 'charge'>) => {
  const action = useAction()
  const requestAgain = async (): Promise<void> => {
    await request('PUT', path, { body: {} })
    refresh()
  }
  return (
    <>
      <p class="hint">O banco recusou o código do que falta.</p>
      <Alert text={action.error} />
      {may('charges:write') && (
        <button type="button" aria-disabled={action.isRunning} onClick={() => action.run(requestAgain)}>
          Pedir o código do que falta
        </button>
      )}
    </>
  )
}

interface PixReply {
  readonly data: { readonly pix: { readonly image?: string } | null }
}

const PixCode = ({ code, text }: { readonly code: string; readonly text: string }) => {
  const { data } = useLive<PixReply>(`public/charge/pix?code=${encodeURIComponent(code)}`, NEVER_MS)
  const image = data?.data.pix?.image
  return (
    <>
      <h3>Pix</h3>
      <div class="code">{image && <img src={image} alt="QR code do Pix" width={200} height={200} />}</div>
      <p class="copyable">{text}</p>
      <CopyButton text={text} label="Copiar Pix" />
    </>
  )
}

interface PaymentsReply {
  readonly payments: {
    readonly payments: readonly {
      readonly transaction_id: number
      readonly type: string
      readonly value: number
      readonly refunded_value: number
      readonly received_at: string
      readonly payer_name: string | null
    }[]
  }
}

const Payments = ({ id }: { readonly id: number }) => {
  const { data, error } = useLive<PaymentsReply>(`v1/charges/${id}/payments`)
  const payments = data?.payments.payments ?? []
  if (payments.length === 0) return <Alert text={data === null ? error : null} />
  return (
    <Part title="Pagamentos">
      <Lines of={payments}>
        {({ transaction_id, type, value, refunded_value, received_at, payer_name }) => (
          <Line key={transaction_id} name={instantText(received_at)} note={payer_name ?? type}>
            {refunded_value > 0 && <span class="hint">{money(refunded_value)} devolvidos</span>}
            <strong>{money(value)}</strong>
          </Line>
        )}
      </Lines>
    </Part>
  )
}

/** Returns the parts of a refund that the receivers of shares return, and what they lack. */
const shareNote = ({ returned, owed }: Required<Refund>['splits']): string =>
  [
    ...(returned > 0 ? [`${money(returned)} voltam da divisão.`] : []),
    ...(owed > 0 ? [`${money(owed)} faltavam a quem recebeu, e saem desta conta.`] : []),
  ].join(' ')

const Refunds = ({ refunds }: Pick<ChargeDetail, 'refunds'>) => (
  <Part title="Devoluções">
    <Lines of={refunds}>
      {(refund) => (
        <li key={refund.id}>
          <span>
            {instantText(refund.created_at)}
            {refund.reason && <small>{refund.reason}</small>}
            {refund.splits && <small>{shareNote(refund.splits)}</small>}
          </span>
          <span class="chip">{REFUND_STATUSES[refund.status] ?? refund.status}</span>
          <strong>{money(refund.value)}</strong>
        </li>
      )}
    </Lines>
  </Part>
)

const Splits = ({ splits }: { readonly splits: readonly Split[] }) => (
  <Part title="Divisão">
    <Lines of={splits}>
      {({ account, name, percent, amount, received }) => (
        <Line
          key={account}
          name={name}
          note={`${percent === null ? money(amount ?? 0) : `${percent.toLocaleString('pt-BR')}%`} · ${account}`}
        >
          <span>Recebido</span>
          <strong>{money(received)}</strong>
        </Line>
      )}
    </Lines>
  </Part>
)

interface HistoryReply {
  readonly history: {
    readonly events: readonly {
      readonly type: string
      readonly title: string
      readonly at: string
      readonly received: number | null
      readonly refunded: number | null
    }[]
    readonly messages: readonly {
      readonly channel: keyof typeof CHANNEL_NAMES
      readonly to: string
      readonly subject: string | null
      readonly status: keyof typeof MESSAGE_STATUSES
      readonly created_at: string
    }[]
  }
}

const CHANNEL_NAMES = Object.fromEntries(CHANNELS) as Readonly<Record<(typeof CHANNELS)[number][0], string>>

const MESSAGE_STATUSES = {
  sent: 'Enviada',
  waiting: 'A caminho',
  failed: 'Sem entrega',
  limited: 'Acima do limite do dia',
} as const

/** Its payment, with the amount, is an event of its own. */
const OVERPAID = 'charge.overpaid'

/** The events of a charge and the messages to its payer. */
const History = ({ id }: { readonly id: number }) => {
  const live = useLive<HistoryReply>(`v1/charges/${id}/history`)
  const { events = [], messages = [] } = live.data?.history ?? {}
  return (
    <Part title="Histórico" live={live} lines={2}>
      <Lines of={events}>
        {({ type, title, at, received, refunded }, index) => (
          <li key={events.length - index}>
            <span>{title}</span>
            {received !== null && type !== OVERPAID && <strong>{money(received)}</strong>}
            {refunded !== null && <span class="hint">{money(refunded)} ao todo</span>}
            <span class="hint">{instantText(at)}</span>
          </li>
        )}
      </Lines>
      <h3>Mensagens dos últimos 7 dias</h3>
      <Lines of={messages} none="Nenhuma.">
        {({ channel, to, subject, status, created_at }, index) => (
          <Line
            key={messages.length - index}
            name={subject ?? CHANNEL_NAMES[channel]}
            note={subject ? `${CHANNEL_NAMES[channel]} · ${to}` : to}
          >
            <span class={`chip ${status}`}>{MESSAGE_STATUSES[status]}</span>
            <span class="hint">{instantText(created_at)}</span>
          </Line>
        )}
      </Lines>
    </Part>
  )
}
