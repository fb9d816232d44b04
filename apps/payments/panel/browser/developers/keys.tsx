import { useState } from 'preact/hooks'
import { Alert, CopyButton, Dialog, Loading } from '../../../../panels/browser/elements.tsx'
import { Confirm, Field, Form } from '../../../../panels/browser/form.tsx'
import { instantText } from '../../../../panels/browser/format.ts'
import { useAction } from '../../../../panels/browser/live.ts'
import { may, request, requestOnce, useLive, withPassword } from '../session.ts'
import { KEY_PERMISSIONS } from '../words.ts'

interface SecretsReply {
  readonly secrets: { readonly api_key: string; readonly webhook_secret: string }
}

/** The API key and the webhook secret, read on request and forgotten when they are hidden. */
export const Secrets = () => {
  const [secrets, setSecrets] = useState<SecretsReply['secrets'] | null>(null)
  const [isReplacing, setReplacing] = useState(false)
  const action = useAction()
  const show = async (): Promise<void> =>
    setSecrets((await withPassword(() => request<SecretsReply>('GET', 'v1/account/secrets'))).secrets)
  const replaced = (next: SecretsReply['secrets']): void => {
    setSecrets(next)
    setReplacing(false)
  }
  return (
    <section class="card part">
      <h2>Chave de API</h2>
      <p class="hint">Um programa a troca por um token em POST /access/account/get-token.</p>
      {!may('account:write') && <p>Seu perfil não mostra a chave.</p>}
      <Alert text={action.error} />
      {secrets && (
        <>
          <p class="copyable">{secrets.api_key}</p>
          <CopyButton text={secrets.api_key} label="Copiar chave" />
          <h3>Segredo dos webhooks</h3>
          <p class="hint">Com ele o servidor assina cada aviso.</p>
          <p class="copyable">{secrets.webhook_secret}</p>
          <CopyButton text={secrets.webhook_secret} label="Copiar segredo" />
        </>
      )}
      {may('account:write') && (
        <div class="choices">
          <button
            type="button"
            class="quiet"
            aria-expanded={secrets !== null}
            onClick={() => (secrets ? setSecrets(null) : action.run(show))}
          >
            {secrets ? 'Esconder chave e segredo' : 'Mostrar chave e segredo'}
          </button>
          <button type="button" class="quiet wrong" onClick={() => setReplacing(true)}>
            Trocar chave
          </button>
        </div>
      )}
      {isReplacing && <ReplaceKey onClose={() => setReplacing(false)} onReplaced={replaced} />}
    </section>
  )
}

interface ReplaceProps {
  readonly onClose: () => void
  readonly onReplaced: (secrets: SecretsReply['secrets']) => void
}

const ReplaceKey = ({ onClose, onReplaced }: ReplaceProps) => {
  const action = useAction()
  const replace = async (): Promise<void> =>
    onReplaced((await withPassword(() => requestOnce<SecretsReply>('v1/account/api-key'))).secrets)
  return (
    <Dialog title="Trocar a chave de API?" isWarning onClose={onClose}>
      <p>
        A chave de agora deixa de valer no mesmo instante. Programas que a usam param até receber a nova; os tokens que
        já têm valem por até dez minutos.
      </p>
      <Form action={action} button="Trocar chave" onSend={() => action.run(replace)}>
        {null}
      </Form>
    </Dialog>
  )
}

interface NamedKey {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly ending: string
  readonly successor_id: number | null
  readonly addresses: readonly string[]
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly last_used_address: string | null
}

interface IssuedReply {
  readonly api_key: NamedKey & { readonly key: string }
}

interface KeysReply {
  readonly api_keys: readonly NamedKey[]
}

const KEY_STATUSES: Readonly<Record<string, readonly [chip: string, name: string]>> = {
  active: ['paid', 'Em uso'],
  expired: ['failed', 'Expirada'],
  revoked: ['failed', 'Revogada'],
}

const lastUse = ({ last_used_at, last_used_address }: NamedKey): string =>
  last_used_at === null ? 'nunca usada' : `usada em ${instantText(last_used_at)}, de ${last_used_address ?? '?'}`

type KeyDialog = { readonly of: NamedKey; readonly action: 'rotate' | 'revoke' }

/** The newest named API keys; the text of a new one is shown once, until it is closed. */
export const NamedKeys = () => {
  const { data, error, refresh } = useLive<KeysReply>('v1/api-keys?per_page=100', 10_000)
  const [isCreating, setCreating] = useState(false)
  const [dialog, setDialog] = useState<KeyDialog | null>(null)
  const [issued, setIssued] = useState<string | null>(null)
  const close = (): void => {
    setCreating(false)
    setDialog(null)
  }
  const done = (key: string | null): void => {
    if (key !== null) setIssued(key)
    close()
    refresh()
  }
  return (
    <section class="card part below">
      <h2>Chaves com nome</h2>
      <p class="hint">Um programa a envia no lugar de um token, em Authorization: Bearer.</p>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading />}
      {issued && (
        <>
          <p class="below" role="status">
            Copie a chave agora: ela não é mostrada outra vez.
          </p>
          <p class="copyable">{issued}</p>
          <div class="choices">
            <CopyButton text={issued} label="Copiar a chave nova" />
            <button type="button" class="quiet" onClick={() => setIssued(null)}>
              Já copiei
            </button>
          </div>
        </>
      )}
      {data?.api_keys.length === 0 && <p class="none">Nenhuma chave com nome ainda.</p>}
      <ul class="lines">
        {data?.api_keys.map((key) => (
          <KeyLine key={key.id} of={key} onAction={(action) => setDialog({ of: key, action })} />
        ))}
      </ul>
      <div class="choices">
        <button type="button" class="quiet" onClick={() => setCreating(true)}>
          Criar chave
        </button>
      </div>
      {isCreating && <NewKey onClose={close} onIssued={({ api_key }) => done(api_key.key)} />}
      {dialog && <ConfirmKey {...dialog} onClose={close} onDone={done} />}
    </section>
  )
}

interface KeyLineProps {
  readonly of: NamedKey
  readonly onAction: (action: KeyDialog['action']) => void
}

const KeyLine = ({ of, onAction }: KeyLineProps) => {
  const [chip, status] = KEY_STATUSES[of.status] ?? ['pending', of.status]
  const button = (action: KeyDialog['action'], text: string) => (
    <button type="button" class="link" aria-label={`${text} ${of.name}`} onClick={() => onAction(action)}>
      {text}
    </button>
  )
  return (
    <li>
      <span>
        {of.name}
        <small>
          …{of.ending} · {lastUse(of)}
          {of.expires_at && of.status === 'active' && ` · expira em ${instantText(of.expires_at)}`}
        </small>
        {of.addresses.length > 0 && <small>Só de {of.addresses.join(', ')}</small>}
      </span>
      {of.status === 'active' && of.successor_id === null && button('rotate', 'Substituir')}
      {of.status === 'active' && button('revoke', 'Revogar')}
      <span class={`chip ${chip}`}>{status}</span>
    </li>
  )
}

interface ConfirmKeyProps extends KeyDialog {
  readonly onClose: () => void
  /** Receives the text of the successor, if any. */
  readonly onDone: (key: string | null) => void
}

const ConfirmKey = ({ of, action, onClose, onDone }: ConfirmKeyProps) => {
  const rotate = async (): Promise<void> => {
    const send = () => requestOnce<IssuedReply>(`v1/api-keys/${of.id}/rotate`)
    onDone((await withPassword(send)).api_key.key)
  }
  const revoke = async (): Promise<void> => {
    await request('DELETE', `v1/api-keys/${of.id}`)
    onDone(null)
  }
  return action === 'rotate' ? (
    <Confirm
      title="Substituir a chave?"
      text="A chave nova tem as mesmas permissões. A de agora ainda vale por 24 horas."
      button="Substituir chave"
      onClose={onClose}
      perform={rotate}
    />
  ) : (
    <Confirm
      title="Revogar a chave?"
      text="Programas que a usam param no mesmo instante."
      button="Revogar chave"
      onClose={onClose}
      perform={revoke}
    />
  )
}

interface NewKeyProps {
  readonly onClose: () => void
  readonly onIssued: (reply: IssuedReply) => void
}

/** The end of a day in São Paulo; null for an empty text. */
const endOf = (day: string): string | null => (day === '' ? null : `${day}T23:59:59-03:00`)

const NewKey = ({ onClose, onIssued }: NewKeyProps) => {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [expiry, setExpiry] = useState('')
  const [addresses, setAddresses] = useState('')
  const action = useAction()
  const create = async (): Promise<void> => {
    const networks = addresses.split(/[\s,;]+/).filter((each) => each !== '')
    const body = { name, permissions: chosen, expires_at: endOf(expiry), addresses: networks }
    onIssued(await withPassword(() => requestOnce<IssuedReply>('v1/api-keys', body)))
  }
  // The error of one address has its number in the path.
  const wrongAddress = Object.keys(action.fields).find((path) => path.startsWith('addresses')) ?? ''
  return (
    <Dialog title="Criar chave de API" onClose={onClose}>
      <Form action={action} button="Criar a chave" onSend={() => action.run(create)}>
        <Field label="Nome da chave" name="key-name" value={name} onValue={setName} error={action.fields.name} />
        <fieldset>
          <legend>O que ela permite</legend>
          {KEY_PERMISSIONS.map(([value, text]) => (
            <label class="check" key={value}>
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={({ currentTarget }) =>
                  setChosen(currentTarget.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
                }
              />
              {text}
            </label>
          ))}
          {action.fields.permissions && <p class="error">{action.fields.permissions}</p>}
        </fieldset>
        <Field
          label="Vale até o fim do dia"
          name="key-expiry"
          type="date"
          hint="Vazio se não expira."
          value={expiry}
          onValue={setExpiry}
          error={action.fields.expires_at}
        />
        <Field
          label="Endereços de que pode ser usada"
          name="key-addresses"
          autocomplete="off"
          hint="IPs ou redes, separados por vírgula: 203.0.113.7, 2001:db8::/32. Vazio para qualquer um."
          value={addresses}
          onValue={setAddresses}
          error={action.fields[wrongAddress]}
        />
      </Form>
    </Dialog>
  )
}
