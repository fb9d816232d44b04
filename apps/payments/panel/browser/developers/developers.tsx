import { useState } from 'preact/hooks'
import { Alert, Button, Dialog, LoadState, Title } from '../../../../panels/browser/elements.tsx'
import { Field, Form, PinField } from '../../../../panels/browser/form.tsx'
import { counted, instantText } from '../../../../panels/browser/format.ts'
import { type ListReply, Pages, pageQuery } from '../../../../panels/browser/list.tsx'
import { useAction } from '../../../../panels/browser/live.ts'
import { Line, Lines, Part } from '../parts.tsx'
import { may, requestOnce, useLive } from '../session.ts'
import { useAccountChange } from '../settings/default-terms.tsx'
import { isSandbox, Simulator } from '../simulator.tsx'
import { PinFirst } from '../withdrawals.tsx'
import { faultText } from '../words.ts'
import { NamedKeys, Secrets } from './keys.tsx'

interface Account {
  readonly webhook_url: string | null
  readonly has_pin: boolean
}

interface Delivery {
  readonly id: number
  readonly event: string
  readonly url: string
  readonly status: string
  readonly attempts: number
  readonly payload: unknown
  readonly response: {
    readonly status: number | null
    readonly body: string | null
    readonly error: string | null
  } | null
  readonly created_at: string
}

const DELIVERY_STATUSES: Readonly<Record<string, readonly [chip: string, name: string]>> = {
  delivered: ['paid', 'Entregue'],
  failed: ['failed', 'Falhou'],
}

export const Developers = () => {
  const { data, error, refresh } = useLive<{ readonly account: Account }>('v1/account', 10_000)
  return (
    <>
      <header class="head">
        <Title>Desenvolvedores</Title>
        <a href="docs">Documentação da API</a>
      </header>
      <LoadState data={data} error={error} />
      <div class="columns">
        <Secrets />
        {data && may('account:write') && (
          <Part title="Webhooks" hint="O servidor avisa este endereço do que acontece na conta.">
            <p class="hint">
              <a href="docs#tag/webhooks">Eventos que ele recebe, e como conferir a assinatura</a>
            </p>
            {data.account.has_pin ? (
              <WebhookForm account={data.account} onSaved={refresh} />
            ) : (
              <PinFirst onSaved={refresh}>O endereço muda</PinFirst>
            )}
          </Part>
        )}
      </div>
      {may('account:write') && <NamedKeys />}
      <Deliveries hasAddress={data === null || data.account.webhook_url !== null} />
      {isSandbox() && may('charges:write') && <Simulator />}
    </>
  )
}

const WebhookForm = ({ account, onSaved }: { readonly account: Account; readonly onSaved: () => void }) => {
  const [url, setUrl] = useState(account.webhook_url ?? '')
  const { pin, isSaved, action, save } = useAccountChange()
  return (
    <Form action={action} button="Salvar endereço" send={() => save({ webhook_url: url.trim() || null }, onSaved)}>
      <Field
        label="Endereço dos avisos"
        name="webhook_url"
        hint="https://… Em branco, nenhum aviso é enviado."
        value={url}
        onValue={setUrl}
        error={action.fields.webhook_url}
      />
      <PinField name="webhook-pin" {...pin} />
      {isSaved && <p role="status">Endereço salvo.</p>}
    </Form>
  )
}

const Deliveries = ({ hasAddress }: { readonly hasAddress: boolean }) => {
  const live = useLive<ListReply<Delivery>>(`access/webhook-notifications?${pageQuery(20)}`)
  const { data, refresh } = live
  const [shown, setShown] = useState<Delivery | null>(null)
  return (
    <Part title="Entregas" live={live} isBelow>
      <Lines
        of={data?.data}
        none={
          hasAddress
            ? 'Nenhum aviso ainda. Cada um aparece aqui, com a resposta do seu servidor.'
            : 'Sem um endereço, nenhum aviso é enviado. O histórico de cada cobrança mostra o que aconteceu com ela.'
        }
      >
        {(delivery) => {
          const [chip, name] = DELIVERY_STATUSES[delivery.status] ?? ['pending', 'Na fila']
          return (
            <Line
              key={delivery.id}
              name={
                <Button kind="link" onClick={() => setShown(delivery)}>
                  {delivery.event}
                </Button>
              }
              note={`${instantText(delivery.created_at)} · ${delivery.url}`}
            >
              <span class="hint">{counted(delivery.attempts, 'tentativa', 'tentativas')}</span>
              <span class={`chip ${chip}`}>{name}</span>
            </Line>
          )
        }}
      </Lines>
      {data && data.data.length > 0 && <Pages meta={data.meta} one="entrega" many="entregas" />}
      {shown && <DeliveryDialog delivery={shown} onClose={() => setShown(null)} onReplayed={refresh} />}
    </Part>
  )
}

interface DeliveryProps {
  readonly delivery: Delivery
  readonly onClose: () => void
  readonly onReplayed: () => void
}

const DeliveryDialog = ({ delivery, onClose, onReplayed }: DeliveryProps) => {
  const action = useAction()
  const { response } = delivery
  const replay = async (): Promise<void> => {
    await requestOnce(`access/webhook-notifications/${delivery.id}/replay`)
    onReplayed()
    onClose()
  }
  return (
    <Dialog title={delivery.event} onClose={onClose}>
      <h3>Enviado</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard */}
      <pre tabIndex={0}>{JSON.stringify(delivery.payload, null, 2)}</pre>
      <h3>Resposta</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard */}
      <pre tabIndex={0}>
        {response
          ? `${response.status ?? ''} ${response.error === null ? '' : faultText(response.error)}\n${response.body ?? ''}`.trim()
          : 'Nenhuma ainda.'}
      </pre>
      <Alert text={action.error} />
      {may('charges:write') && (
        <button type="button" disabled={action.isRunning} onClick={() => action.run(replay)}>
          Enviar de novo
        </button>
      )}
    </Dialog>
  )
}
