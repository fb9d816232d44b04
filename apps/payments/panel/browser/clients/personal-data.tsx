import { useState } from 'preact/hooks'
import { isRefusedBy } from '../../../../panels/browser/connection.ts'
import { Alert, Button, Dialog, Title } from '../../../../panels/browser/elements.tsx'
import { Form } from '../../../../panels/browser/form.tsx'
import { dayText } from '../../../../panels/browser/format.ts'
import { useAction } from '../../../../panels/browser/live.ts'
import { addressOf } from '../../../../panels/browser/route.ts'
import { saveAnswer } from '../download.tsx'
import { Back, Fact, Lines, Part } from '../parts.tsx'
import { fetchAs, may, request } from '../session.ts'

/** An accepted erasure, with the fields that stay. */
export interface Erasure {
  readonly client_id: number
  readonly kept: readonly {
    readonly record: string
    readonly fields: readonly string[]
    readonly reason: string
    readonly until: string | null
  }[]
}

interface PersonalDataProps {
  readonly client: { readonly id: number; readonly name: string }
  readonly onErased: (erasure: Erasure) => void
}

const FORMATS = [
  ['json', 'JSON'],
  ['pdf', 'PDF'],
] as const

/** The rights of a client over their data: a copy of all of it, and its erasure. */
export const PersonalData = ({ client, onErased }: PersonalDataProps) => {
  const [isAsking, setAsking] = useState(false)
  const action = useAction()
  const save = async (format: string): Promise<void> => {
    const answer = await fetchAs('GET', `v1/clients/${client.id}/personal-data?format=${format}`)
    await saveAnswer(answer, `dados-pessoais-${client.id}.${format}`)
  }
  return (
    <Part
      title="Dados pessoais"
      hint="Tudo o que está armazenado sobre o cliente. Cada cópia fica registrada na auditoria."
    >
      <div class="choices">
        {FORMATS.map(([format, name]) => (
          <Button key={format} aria-disabled={action.isRunning} onClick={() => action.run(() => save(format))}>
            {`Baixar em ${name}`}
          </Button>
        ))}
        {may('account:write') && (
          <Button kind="quiet wrong" onClick={() => setAsking(true)}>
            Eliminar dados pessoais
          </Button>
        )}
      </div>
      <Alert text={action.error} />
      {isAsking && <Erase client={client} onClose={() => setAsking(false)} onErased={onErased} />}
    </Part>
  )
}

interface EraseProps extends PersonalDataProps {
  readonly onClose: () => void
}

const OPEN_CHARGE = /^charges\.(\d+)$/

/** Returns the ids of the charges that block an erasure; none for another failure. */
const openChargesOf = (error: unknown): readonly string[] =>
  isRefusedBy(error, 'client.charges-open')
    ? Object.keys(error.fields).flatMap((path) => OPEN_CHARGE.exec(path)?.[1] ?? [])
    : []

const Erase = ({ client, onClose, onErased }: EraseProps) => {
  const [open, setOpen] = useState<readonly string[]>([])
  const action = useAction()
  const erase = async (): Promise<void> => {
    try {
      onErased((await request<{ readonly data: Erasure }>('POST', `v1/clients/${client.id}/erase`)).data)
    } catch (error) {
      const charges = openChargesOf(error)
      if (charges.length === 0) throw error
      setOpen(charges)
    }
  }
  return (
    <Dialog title={`Eliminar os dados de ${client.name}?`} isWarning onClose={onClose}>
      {open.length > 0 ? (
        <OpenCharges clientId={client.id} charges={open} />
      ) : (
        <>
          <p>
            O cliente sai da lista. Seu cadastro é apagado agora, e as cópias em cobranças, extratos, links, mensagens e
            webhooks, em alguns minutos. O que a lei manda guardar fica. Não há como desfazer.
          </p>
          <Form action={action} button="Eliminar" send={erase}>
            {null}
          </Form>
        </>
      )}
    </Dialog>
  )
}

/** Further charges are in the list that the last link opens. */
const MAX_NAMED = 5

const OpenCharges = ({ clientId, charges }: { readonly clientId: number; readonly charges: readonly string[] }) => (
  <div role="alert">
    <p class="notice">
      O cliente tem cobranças em aberto, que precisam dos dados. Apague-as ou aguarde o seu fim, e então elimine os
      dados.
    </p>
    <Lines of={charges.slice(0, MAX_NAMED)}>
      {(id) => (
        <li key={id}>
          <a href={`#/cobrancas/${id}`}>Cobrança nº {id}</a>
        </li>
      )}
    </Lines>
    <p>
      <a href={addressOf('/cobrancas', { client_id: `${clientId}`, status_id: '1' })}>Ver as cobranças pendentes</a>
    </p>
  </div>
)

const RECORD_NAMES: Readonly<Record<string, string>> = {
  payer: 'Pagador',
  charge: 'Cobranças',
  transaction: 'Extrato',
  refund: 'Devoluções',
  audit: 'Auditoria',
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  name: 'nome',
  document: 'documento',
  value: 'valor',
  amount_paid: 'valor recebido',
  refunded_value: 'valor devolvido',
  due_date: 'vencimento',
  payment_date: 'dia do pagamento',
  payment_method: 'meio',
  txid: 'código da cobrança no banco',
  card: 'cartão, sem o número',
  datetime: 'data e hora',
  payer: 'pagador',
  end_to_end_id: 'código do Pix',
  return_id: 'código da devolução',
  created_at: 'data e hora',
  action: 'ação',
  subject: 'registro',
  actor: 'autor',
}

/** The page of a client after the erasure, with the fields that stay and the reason. */
export const Erased = ({ erasure: { client_id, kept } }: { readonly erasure: Erasure }) => (
  <>
    <Back href="#/clientes">Clientes</Back>
    <Title>Dados do cliente nº {client_id} eliminados</Title>
    <section class="card part">
      <p role="status">O cadastro foi apagado. As cópias em outros registros são apagadas em alguns minutos.</p>
      <h2>O que fica, e por quê</h2>
      <dl class="facts">
        {kept.map(({ record, fields, reason, until }) => (
          <Fact key={record} name={RECORD_NAMES[record] ?? record}>
            {fields.map((field) => FIELD_NAMES[field] ?? field).join(', ')}
            <p class="hint">
              {reason}. {until === null ? 'Sem prazo.' : `Até ${dayText(until)}.`}
            </p>
          </Fact>
        ))}
      </dl>
    </section>
  </>
)
