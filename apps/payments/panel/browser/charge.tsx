import { useState } from 'preact/hooks'
import { Alert, CopyButton, Dialog, Loading, Title } from '../../../panels/browser/elements.tsx'
import { Field, Form } from '../../../panels/browser/form.tsx'
import { dayText, documentText, instantText, money, readMoney } from '../../../panels/browser/format.ts'
import { useAction } from '../../../panels/browser/live.ts'
import { goTo } from '../../../panels/browser/route.ts'
import { type Charge, METHOD_NAMES, StatusChip } from './charges.tsx'
import { fetchAs, may, request, requestOnce, useLive } from './session.ts'

interface ChargeDetail extends Charge {
  readonly createdBy: { readonly name: string } | null
  readonly refunds: readonly Refund[]
}

interface Refund {
  readonly id: string
  readonly value: number
  readonly reason: string | null
  readonly status: string
  readonly created_at: string
}

const REFUND_STATUSES: Readonly<Record<string, string>> = {
  completed: 'Devolvido',
  pending: 'No banco',
  failed: 'Não devolvido',
}

export const ChargePage = ({ id }: { readonly id: string }) => {
  const path = `invoices/${encodeURIComponent(id)}`
  const { data, error, isMissing, refresh } = useLive<{ readonly data: ChargeDetail }>(path)
  if (isMissing && data === null)
    return (
      <>
        <Title>Cobrança não encontrada</Title>
        <p>
          <a href="#/cobrancas">Ver todas as cobranças</a>
        </p>
      </>
    )
  if (data === null)
    return (
      <>
        <Title>Cobrança</Title>
        <Alert text={error} />
        {error === null && <Loading lines={5} />}
      </>
    )
  return <Detail charge={data.data} path={path} refresh={refresh} />
}

interface DetailProps {
  readonly charge: ChargeDetail
  readonly path: string
  readonly refresh: () => void
}

const isPending = ({ status }: Charge): boolean => status.title === 'pending'
const isPaid = ({ status }: Charge): boolean => status.title === 'paid' || status.title === 'paidwithpix'

/** Returns the amount that can still be refunded, in reais. */
const refundable = ({ amount_paid, refunded_value }: Charge): number =>
  Math.round(((amount_paid ?? 0) - (refunded_value ?? 0)) * 100) / 100

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
        <section class="card part">
          <h2>Dados</h2>
          <dl class="facts">
            <Fact name="Vencimento">{dayText(charge.due_date)}</Fact>
            <Fact name="Meio">{METHOD_NAMES[charge.payment_method]}</Fact>
            {charge.description && <Fact name="Descrição">{charge.description}</Fact>}
            <Fact name="Cliente">
              {client.name}
              <br />
              {documentText(client.document)}
              {client.email && (
                <>
                  <br />
                  {client.email}
                </>
              )}
            </Fact>
            {charge.amount_paid !== null && <Fact name="Recebido">{money(charge.amount_paid)}</Fact>}
            {charge.payment_date !== null && <Fact name="Pago em">{dayText(charge.payment_date)}</Fact>}
            {charge.refunded_value !== null && <Fact name="Devolvido">{money(charge.refunded_value)}</Fact>}
            <Fact name="Emitida">
              {instantText(charge.created_at)}
              {charge.createdBy && ` por ${charge.createdBy.name}`}
            </Fact>
          </dl>
          <Actions charge={charge} path={path} refresh={refresh} />
        </section>
        <HowToPay charge={charge} />
        {charge.refunds.length > 0 && <Refunds refunds={charge.refunds} />}
      </div>
    </>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const HowToPay = ({ charge }: { readonly charge: ChargeDetail }) => {
  if (!isPending(charge)) return null
  return (
    <section class="card part">
      <h2>Para pagar</h2>
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
      {charge.payment_method !== 'CREDIT_CARD' && !charge.pix && !charge.boleto && (
        <p class="hint">O banco ainda não respondeu. Esta página se atualiza sozinha.</p>
      )}
    </section>
  )
}

interface PixReply {
  readonly data: { readonly pix: { readonly image?: string } | null }
}

const NEVER_MS = 86_400_000

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

const Refunds = ({ refunds }: Pick<ChargeDetail, 'refunds'>) => (
  <section class="card part">
    <h2>Devoluções</h2>
    <ul class="lines">
      {refunds.map((refund) => (
        <li key={refund.id}>
          <span>
            {instantText(refund.created_at)}
            {refund.reason && <small>{refund.reason}</small>}
          </span>
          <span class="chip">{REFUND_STATUSES[refund.status] ?? refund.status}</span>
          <strong>{money(refund.value)}</strong>
        </li>
      ))}
    </ul>
  </section>
)

type OpenDialog = 'notify' | 'refund' | 'cancel' | null

const Actions = ({ charge, path, refresh }: DetailProps) => {
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const pdf = useAction()
  const simulation = useAction()
  const close = (): void => setDialog(null)
  const done = (text: string): void => {
    close()
    setNotice(text)
    refresh()
  }
  const canWrite = may('charges:write')
  const canRefund = canWrite && isPaid(charge) && charge.payment_method !== 'CREDIT_CARD' && refundable(charge) > 0
  const isSandbox = document.querySelector<HTMLElement>('#panel')?.dataset.simulates === 'true'
  return (
    <>
      {notice && (
        <p class="done" role="status">
          {notice}
        </p>
      )}
      <Alert text={pdf.error ?? simulation.error} />
      <div class="choices">
        <button type="button" class="quiet" onClick={() => pdf.run(() => savePdf(charge))}>
          Baixar PDF
        </button>
        {canWrite && isPending(charge) && (
          <button type="button" class="quiet" onClick={() => setDialog('notify')}>
            Enviar
          </button>
        )}
        {canRefund && (
          <button type="button" class="quiet" onClick={() => setDialog('refund')}>
            Devolver
          </button>
        )}
        {canWrite && isPending(charge) && (
          <button type="button" class="quiet wrong" onClick={() => setDialog('cancel')}>
            Apagar
          </button>
        )}
        {isSandbox && isPending(charge) && (charge.pix || charge.boleto) && (
          <button
            type="button"
            class="quiet"
            onClick={() =>
              simulation.run(async () => {
                await request('POST', 'fake-bank/payments', { body: { txid: (charge.pix ?? charge.boleto)?.txid } })
                done('O banco de testes pagou.')
              })
            }
          >
            Simular pagamento
          </button>
        )}
      </div>
      {dialog === 'notify' && <Notify charge={charge} onClose={close} onDone={done} />}
      {dialog === 'refund' && <RefundForm charge={charge} path={path} onClose={close} onDone={done} />}
      {dialog === 'cancel' && <Cancel path={path} onClose={close} />}
    </>
  )
}

/** A browser may begin a download later. */
const DOWNLOAD_MS = 60_000

const savePdf = async ({ id }: Charge): Promise<void> => {
  const answer = await fetchAs('GET', `billing/charges/${id}/download-pdf`)
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = `cobranca-${id}.pdf`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), DOWNLOAD_MS)
}

interface DialogProps {
  readonly onClose: () => void
  readonly onDone: (notice: string) => void
}

const CHANNELS = [
  ['email', 'E-mail'],
  ['whatsapp', 'WhatsApp'],
  ['sms', 'SMS'],
] as const

const Notify = ({ charge, onClose, onDone }: DialogProps & { readonly charge: Charge }) => {
  const [channels, setChannels] = useState<readonly string[]>(['email'])
  const action = useAction()
  return (
    <Dialog title={`Enviar a ${charge.client.name}`} onClose={onClose}>
      <Form
        action={action}
        button="Enviar"
        onSend={() =>
          action.run(async () => {
            const path = `billing/charges/${charge.id}/notify`
            const { message } = await requestOnce<{ readonly message: string }>(path, { channels })
            onDone(message)
          })
        }
      >
        <fieldset>
          <legend>Por onde</legend>
          {CHANNELS.map(([value, name]) => (
            <label class="check" key={value}>
              <input
                type="checkbox"
                checked={channels.includes(value)}
                onChange={({ currentTarget }) =>
                  setChannels(currentTarget.checked ? [...channels, value] : channels.filter((each) => each !== value))
                }
              />
              {name}
            </label>
          ))}
        </fieldset>
      </Form>
    </Dialog>
  )
}

interface RefundProps extends DialogProps {
  readonly charge: Charge
  readonly path: string
}

const RefundForm = ({ charge, path, onClose, onDone }: RefundProps) => {
  const left = refundable(charge)
  const [value, setValue] = useState(left.toFixed(2).replace('.', ','))
  const [reason, setReason] = useState('')
  const [mistake, setMistake] = useState<string | null>(null)
  const action = useAction()
  const refund = (): void => {
    const reais = readMoney(value)
    setMistake(reais === null ? 'Escreva o valor em reais: 150,50.' : null)
    if (reais === null) return
    action.run(async () => {
      const body = { value: reais, ...(reason.trim() !== '' && { reason: reason.trim() }) }
      const { message } = await requestOnce<{ readonly message: string }>(`${path}/refund`, body)
      onDone(message)
    })
  }
  return (
    <Dialog title="Devolver o Pix" onClose={onClose}>
      <Form action={action} button="Devolver" onSend={refund}>
        <Field
          label="Valor em reais"
          name="refund-value"
          inputMode="decimal"
          hint={`Até ${money(left)}.`}
          value={value}
          onValue={setValue}
          error={mistake ?? action.fields.value}
        />
        <Field
          label="Motivo, que o pagador lê"
          name="refund-reason"
          maxLength={140}
          value={reason}
          onValue={setReason}
          error={action.fields.reason}
        />
      </Form>
    </Dialog>
  )
}

const Cancel = ({ path, onClose }: { readonly path: string; readonly onClose: () => void }) => {
  const action = useAction()
  return (
    <Dialog title="Apagar esta cobrança?" isWarning onClose={onClose}>
      <p>O cliente não poderá mais pagá-la. Isto não se desfaz.</p>
      <Form
        action={action}
        button="Apagar cobrança"
        onSend={() =>
          action.run(async () => {
            await request('DELETE', path)
            goTo('/cobrancas')
          })
        }
      >
        {null}
      </Form>
    </Dialog>
  )
}
