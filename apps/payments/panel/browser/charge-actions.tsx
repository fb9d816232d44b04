import { useState } from 'preact/hooks'
import { Alert, Dialog } from '../../../panels/browser/elements.tsx'
import { Checks, Choice, Confirm, Field, Form } from '../../../panels/browser/form.tsx'
import { money, readMoney } from '../../../panels/browser/format.ts'
import { useAction } from '../../../panels/browser/live.ts'
import { goTo } from '../../../panels/browser/route.ts'
import { type Charge, isOverpaid, isPartPaid, METHOD_NAMES, type PaymentMethod } from './charges.tsx'
import { drafts, fetchAs, may, request, requestOnce, saveFile } from './session.ts'
import { BankActions, isSandbox } from './simulator.tsx'

export const isPending = ({ status }: Charge): boolean => status.title === 'pending'
const isPaid = ({ status }: Charge): boolean => status.title === 'paid' || status.title === 'paidwithpix'
const isDeleted = ({ status }: Charge): boolean => status.title === 'DELETED'

/** Returns the amount that can still be refunded, in reais. */
const refundable = ({ amount_paid, refunded_value }: Charge): number =>
  Math.round(((amount_paid ?? 0) - (refunded_value ?? 0)) * 100) / 100

interface ActionsProps {
  readonly charge: Charge
  readonly path: string
  readonly refresh: () => void
}

type OpenDialog = 'change' | 'notify' | 'refund' | 'refund-over' | 'delete' | null

/** The actions on a charge that its status and the user's role allow. */
export const Actions = ({ charge, path, refresh }: ActionsProps) => {
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const pdf = useAction()
  const close = (): void => setDialog(null)
  const done = (text: string): void => {
    close()
    setNotice(text)
    refresh()
  }
  const canWrite = may('charges:write')
  const isReceived = isPaid(charge) || isPartPaid(charge)
  const canRefund = canWrite && isReceived && charge.payment_method !== 'CREDIT_CARD' && refundable(charge) > 0
  const offers: readonly (readonly [NonNullable<OpenDialog>, string, boolean])[] = [
    ['change', 'Alterar', canWrite && isPending(charge)],
    ['notify', 'Enviar', canWrite && !isDeleted(charge)],
    ['refund', 'Devolver', canRefund],
    ['refund-over', 'Devolver o que veio a mais', canRefund && isOverpaid(charge)],
    ['delete', 'Apagar', canWrite && isPending(charge)],
  ]
  return (
    <>
      {notice && (
        <p class="done" role="status">
          {notice}
        </p>
      )}
      <Alert text={pdf.error} />
      <div class="choices">
        <button type="button" class="quiet" onClick={() => pdf.run(() => savePdf(charge))}>
          Baixar PDF
        </button>
        {offers.map(
          ([opened, text, isOffered]) =>
            isOffered && (
              <button
                key={opened}
                type="button"
                class={opened === 'delete' ? 'quiet wrong' : 'quiet'}
                onClick={() => setDialog(opened)}
              >
                {text}
              </button>
            ),
        )}
      </div>
      {isSandbox() && canWrite && isPending(charge) && (
        <div class="choices">
          <span class="hint">Banco de testes:</span>
          <BankActions charge={charge} onDone={done} />
        </div>
      )}
      {dialog && <ActionDialog dialog={dialog} charge={charge} path={path} onClose={close} onDone={done} />}
    </>
  )
}

interface ActionDialogProps extends RefundProps {
  readonly dialog: NonNullable<OpenDialog>
}

const ActionDialog = ({ dialog, ...of }: ActionDialogProps) => {
  if (dialog === 'notify') return <Notify {...of} />
  if (dialog === 'refund') return <RefundForm {...of} />
  if (dialog === 'refund-over')
    return (
      <Confirm
        title={`Devolver ${money(of.charge.amount_over ?? 0)}?`}
        text="O que foi pago a mais volta a quem pagou."
        button="Devolver"
        onClose={of.onClose}
        perform={async () => of.onDone(await sendRefund(of.path, { overpaid: true }))}
      />
    )
  if (dialog === 'change') return <ChangeForm {...of} />
  return (
    <Confirm
      title="Apagar esta cobrança?"
      text="O cliente não poderá mais pagá-la. Isto não se desfaz."
      button="Apagar cobrança"
      onClose={of.onClose}
      perform={async () => {
        await request('DELETE', of.path)
        goTo('/cobrancas')
      }}
    />
  )
}

const savePdf = async ({ id }: Charge): Promise<void> =>
  saveFile(await (await fetchAs('GET', `billing/charges/${id}/download-pdf`)).blob(), `cobranca-${id}.pdf`)

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
  const [text, setText] = useState('')
  const action = useAction()
  return (
    <Dialog title={`Enviar a ${charge.client.name}`} onClose={onClose}>
      <Form
        action={action}
        button="Enviar"
        onSend={() =>
          action.run(async () => {
            const path = `billing/charges/${charge.id}/notify`
            const { message } = await requestOnce<{ readonly message: string }>(path, {
              channels,
              ...(text.trim() !== '' && { message: text.trim() }),
            })
            onDone(message)
          })
        }
      >
        <Checks
          legend="Por onde"
          name="channels"
          values={channels}
          onValues={setChannels}
          options={CHANNELS}
          error={action.fields.channels}
        />
        <Field
          label="Mensagem"
          name="notice-message"
          hint="Em branco, vai o texto padrão com o valor e o endereço."
          maxLength={1_000}
          value={text}
          onValue={setText}
          error={action.fields.message}
        />
      </Form>
    </Dialog>
  )
}

interface RefundProps extends DialogProps {
  readonly charge: Charge
  readonly path: string
}

/** Requests a refund of the charge at a path; returns the message to the user. */
const sendRefund = async (path: string, body: Readonly<Record<string, unknown>>): Promise<string> =>
  (await requestOnce<{ readonly message: string }>(`${path}/refund`, body)).message

const RefundForm = ({ charge, path, onClose, onDone }: RefundProps) => {
  const left = refundable(charge)
  const [value, setValue] = useState(left.toFixed(2).replace('.', ','))
  const [reason, setReason] = useState('')
  const [mistake, setMistake] = useState<string | null>(null)
  const action = useAction()
  const refund = (): void => {
    const reais = readMoney(value)
    setMistake(reais === null ? MONEY_MISTAKE : null)
    if (reais === null) return
    action.run(async () => {
      const body = { value: reais, ...(reason.trim() !== '' && { reason: reason.trim() }) }
      onDone(await sendRefund(path, body))
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

const MONEY_MISTAKE = 'Escreva o valor em reais: 150,50.'

const draftOf = ({ value, due_date, payment_method, description }: Charge) => ({
  value: value.toFixed(2).replace('.', ','),
  due_date,
  payment_method: payment_method as string,
  description: description ?? '',
})

type ChargeDraft = ReturnType<typeof draftOf>

const TITLE_METHODS = (['PIX', 'BOLETO', 'BOLEPIX'] as const satisfies readonly PaymentMethod[]).map(
  (method) => [method, METHOD_NAMES[method]] as const,
)

/** Returns the changed fields, as the API takes them; an empty description is removed. */
const changesOf = (charge: Charge, draft: ChargeDraft, value: number) => ({
  ...(value !== charge.value && { value }),
  ...(draft.due_date !== charge.due_date && { due_date: draft.due_date }),
  ...(draft.payment_method !== charge.payment_method && { payment_method: draft.payment_method }),
  ...(draft.description !== (charge.description ?? '') && { description: draft.description.trim() || null }),
})

/** The change of a pending charge. The value and the due day of a card are fixed. */
const ChangeForm = ({ charge, path, onClose, onDone }: RefundProps) => {
  const key = `charge/${charge.id}`
  const [draft, setDraft] = useState(() => (drafts.get(key) as ChargeDraft | undefined) ?? draftOf(charge))
  const [mistake, setMistake] = useState<string | null>(null)
  const action = useAction()
  const isCard = charge.payment_method === 'CREDIT_CARD'
  const field = (name: keyof ChargeDraft, label: string) => ({
    name: `change-${name}`,
    label,
    value: draft[name],
    onValue: (value: string) => {
      const next = { ...draft, [name]: value }
      drafts.set(key, next)
      setDraft(next)
    },
    error: action.fields[name],
  })
  const save = (): void => {
    const value = readMoney(draft.value)
    setMistake(value === null ? MONEY_MISTAKE : null)
    if (value === null) return
    action.run(async () => {
      const body = changesOf(charge, draft, value)
      const { message } = await request<{ readonly message: string }>('PUT', path, { body })
      drafts.delete(key)
      onDone(message)
    })
  }
  return (
    <Dialog title="Alterar a cobrança" onClose={onClose}>
      <Form action={action} button="Salvar" onSend={save}>
        {!isCard && (
          <>
            <div class="pair">
              <Field {...field('value', 'Valor em reais')} inputMode="decimal" error={mistake ?? action.fields.value} />
              <Field {...field('due_date', 'Vencimento')} type="date" />
            </div>
            <Choice {...field('payment_method', 'Meio de pagamento')} options={TITLE_METHODS} />
          </>
        )}
        <Field {...field('description', 'Descrição')} maxLength={500} />
      </Form>
    </Dialog>
  )
}
