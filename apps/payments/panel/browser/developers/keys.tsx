import { useState } from 'preact/hooks'
import { Alert, Button, CopyButton, Dialog } from '../../../../panels/browser/elements.tsx'
import { Checks, ConfirmedButton, Field, Form, useForm } from '../../../../panels/browser/form.tsx'
import { instantText } from '../../../../panels/browser/format.ts'
import { useAction } from '../../../../panels/browser/live.ts'
import { Lines, Part } from '../parts.tsx'
import { may, request, requestOnce, SLOW_MS, useLive, withPassword } from '../session.ts'
import { KEY_PERMISSIONS } from '../words.ts'

interface SecretsReply {
  readonly secrets: { readonly api_key: string; readonly webhook_secret: string }
}

/** The API key and the webhook secret, read on request and forgotten when they are hidden. */
export const Secrets = () => {
  const [secrets, setSecrets] = useState<SecretsReply['secrets'] | null>(null)
  const action = useAction()
  const show = async (): Promise<void> =>
    setSecrets((await withPassword(() => request<SecretsReply>('GET', 'v1/account/secrets'))).secrets)
  const replace = async (): Promise<void> =>
    setSecrets((await withPassword(() => requestOnce<SecretsReply>('v1/account/api-key'))).secrets)
  return (
    <Part title="Chave de API" hint="Um programa a troca por um token em POST /access/account/get-token.">
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
          <Button aria-expanded={secrets !== null} onClick={() => (secrets ? setSecrets(null) : action.run(show))}>
            {secrets ? 'Esconder chave e segredo' : 'Mostrar chave e segredo'}
          </Button>
          <ConfirmedButton title="Trocar a chave de API?" text={REPLACED} button="Trocar chave" perform={replace}>
            Trocar chave
          </ConfirmedButton>
        </div>
      )}
    </Part>
  )
}

const REPLACED =
  'A chave de agora deixa de valer no mesmo instante. Programas que a usam param até receber a nova; os tokens que já ' +
  'têm valem por até dez minutos.'

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

/** The newest named API keys; the text of a new one is shown once, until it is closed. */
export const NamedKeys = () => {
  const live = useLive<KeysReply>('v1/api-keys?per_page=100', SLOW_MS)
  const [isCreating, setCreating] = useState(false)
  const [issued, setIssued] = useState<string | null>(null)
  const close = (): void => setCreating(false)
  const done = (key: string | null): void => {
    if (key !== null) setIssued(key)
    close()
    live.refresh()
  }
  return (
    <Part
      title="Chaves com nome"
      hint="Um programa a envia no lugar de um token, em Authorization: Bearer."
      live={live}
      isBelow
    >
      {issued && (
        <>
          <p class="below" role="status">
            Copie a chave agora: ela não é mostrada outra vez.
          </p>
          <p class="copyable">{issued}</p>
          <div class="choices">
            <CopyButton text={issued} label="Copiar a chave nova" />
            <Button onClick={() => setIssued(null)}>Já copiei</Button>
          </div>
        </>
      )}
      <Lines of={live.data?.api_keys} none="Nenhuma chave com nome ainda.">
        {(key) => <KeyLine key={key.id} of={key} onDone={done} />}
      </Lines>
      <div class="choices">
        <Button onClick={() => setCreating(true)}>Criar chave</Button>
      </div>
      {isCreating && <NewKey onClose={close} onIssued={({ api_key }) => done(api_key.key)} />}
    </Part>
  )
}

interface KeyLineProps {
  readonly of: NamedKey
  /** Receives the text of the successor, if any. */
  readonly onDone: (key: string | null) => void
}

const KeyLine = ({ of, onDone }: KeyLineProps) => {
  const [chip, status] = KEY_STATUSES[of.status] ?? ['pending', of.status]
  const isActive = of.status === 'active'
  const rotate = async (): Promise<void> => {
    const send = () => requestOnce<IssuedReply>(`v1/api-keys/${of.id}/rotate`)
    onDone((await withPassword(send)).api_key.key)
  }
  const revoke = async (): Promise<void> => {
    await request('DELETE', `v1/api-keys/${of.id}`)
    onDone(null)
  }
  return (
    <li>
      <span>
        {of.name}
        <small>
          …{of.ending} · {lastUse(of)}
          {of.expires_at && isActive && ` · expira em ${instantText(of.expires_at)}`}
        </small>
        {of.addresses.length > 0 && <small>Só de {of.addresses.join(', ')}</small>}
      </span>
      {isActive && of.successor_id === null && (
        <ConfirmedButton
          kind="link"
          label={`Substituir ${of.name}`}
          title="Substituir a chave?"
          text="A chave nova tem as mesmas permissões. A de agora ainda vale por 24 horas."
          button="Substituir chave"
          perform={rotate}
        >
          Substituir
        </ConfirmedButton>
      )}
      {isActive && (
        <ConfirmedButton
          kind="link"
          label={`Revogar ${of.name}`}
          title="Revogar a chave?"
          text="Programas que a usam param no mesmo instante."
          button="Revogar chave"
          perform={revoke}
        >
          Revogar
        </ConfirmedButton>
      )}
      <span class={`chip ${chip}`}>{status}</span>
    </li>
  )
}

interface NewKeyProps {
  readonly onClose: () => void
  readonly onIssued: (reply: IssuedReply) => void
}

/** The end of a day in São Paulo; null for an empty text. */
const endOf = (day: string): string | null => (day === '' ? null : `${day}T23:59:59-03:00`)

const NewKey = ({ onClose, onIssued }: NewKeyProps) => {
  const [permissions, setPermissions] = useState<readonly string[]>([])
  const { action, draft, field } = useForm({ name: '', expires_at: '', addresses: '' }, { prefix: 'key-' })
  const create = async (): Promise<void> => {
    const addresses = draft.addresses.split(/[\s,;]+/).filter((each) => each !== '')
    const body = { name: draft.name, permissions, expires_at: endOf(draft.expires_at), addresses }
    onIssued(await withPassword(() => requestOnce<IssuedReply>('v1/api-keys', body)))
  }
  // The error of one address has its number in the path.
  const wrongAddress = Object.keys(action.fields).find((path) => path.startsWith('addresses')) ?? ''
  return (
    <Dialog title="Criar chave de API" onClose={onClose}>
      <Form action={action} button="Criar a chave" send={create}>
        <Field {...field('name', 'Nome da chave')} />
        <Checks
          legend="O que ela permite"
          name="key-permissions"
          values={permissions}
          onValues={setPermissions}
          options={KEY_PERMISSIONS}
          error={action.fields.permissions}
        />
        <Field {...field('expires_at', 'Vale até o fim do dia')} type="date" hint="Vazio se não expira." />
        <Field
          {...field('addresses', 'Endereços de que pode ser usada')}
          autocomplete="off"
          hint="IPs ou redes, separados por vírgula: 203.0.113.7, 2001:db8::/32. Vazio para qualquer um."
          error={action.fields[wrongAddress]}
        />
      </Form>
    </Dialog>
  )
}
