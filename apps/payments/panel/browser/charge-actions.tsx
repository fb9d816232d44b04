import { useState } from 'preact/hooks'
import { Alert, Button, Dialog, Done } from '../../../panels/browser/elements.tsx'
import {
  Checks,
  Choice,
  Confirm,
  drafts,
  Field,
  Form,
  fieldsOf,
  readAmount,
  useDraft,
  useForm,
} from '../../../panels/browser/form.tsx'
import { money, typedMoney } from '../../../panels/browser/format.ts'
import { useAction } from '../../../panels/browser/live.ts'
import { goTo } from '../../../panels/browser/route.ts'
import { type Charge, isOverpaid, isPartPaid, METHOD_NAMES, type PaymentMethod } from './charges.tsx'
import { fetchAs, type MessageReply, may, request, requestOnce, saveFile } from './session.ts'
import { BankActions, isSandbox } from './simulator.tsx'
import { CHANNELS } from './words.ts'

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
      <Done text={notice} />
      <Alert text={pdf.error} />
      <div class="choices">
        <Button onClick={() => pdf.run(() => savePdf(charge))}>Baixar PDF</Button>
        {offers.map(
          ([opened, text, isOffered]) =>
            isOffered && (
              <Button
                key={opened}
                kind={opened === 'delete' ? 'quiet wrong' : 'quiet'}
                onClick={() => setDialog(opened)}
              >
                {text}
              </Button>
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

const Notify = ({ charge, onClose, onDone }: DialogProps & { readonly charge: Charge }) => {
  const [channels, setChannels] = useState<readonly string[]>(['email'])
  const { action, draft, field } = useForm({ message: '' }, { prefix: 'notice-' })
  const text = draft.message.trim()
  return (
    <Dialog title={`Enviar a ${charge.client.name}`} onClose={onClose}>
      <Form
        action={action}
        button="Enviar"
        send={async () => {
          const path = `billing/charges/${charge.id}/notify`
          onDone((await requestOnce<MessageReply>(path, { channels, ...(text !== '' && { message: text }) })).message)
        }}
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
          {...field('message', 'Mensagem')}
          hint="Em branco, vai o texto padrão com o valor e o endereço."
          maxLength={1_000}
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
  (await requestOnce<MessageReply>(`${path}/refund`, body)).message

const RefundForm = ({ charge, path, onClose, onDone }: RefundProps) => {
  const left = refundable(charge)
  const { action, draft, field } = useForm({ value: typedMoney(left), reason: '' }, { prefix: 'refund-' })
  const refund = async (): Promise<void> => {
    const value = readAmount('value', draft.value)
    const reason = draft.reason.trim()
    onDone(await sendRefund(path, { value, ...(reason !== '' && { reason }) }))
  }
  return (
    <Dialog title="Devolver o Pix" onClose={onClose}>
      <Form action={action} button="Devolver" send={refund}>
        <Field {...field('value', 'Valor em reais')} inputMode="decimal" hint={`Até ${money(left)}.`} />
        <Field {...field('reason', 'Motivo, que o pagador lê')} maxLength={140} />
      </Form>
    </Dialog>
  )
}

const draftOf = ({ value, due_date, payment_method, description }: Charge) => ({
  value: typedMoney(value),
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
  const { draft, set } = useDraft(key, draftOf(charge))
  const action = useAction()
  const isCard = charge.payment_method === 'CREDIT_CARD'
  const field = fieldsOf(draft, set, action.fields, 'change-')
  const save = async (): Promise<void> => {
    const body = changesOf(charge, draft, readAmount('value', draft.value))
    const { message } = await request<MessageReply>('PUT', path, { body })
    drafts.delete(key)
    onDone(message)
  }
  return (
    <Dialog title="Alterar a cobrança" onClose={onClose}>
      <Form action={action} button="Salvar" send={save}>
        {!isCard && (
          <>
            <div class="pair">
              <Field {...field('value', 'Valor em reais')} inputMode="decimal" />
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
