import { useState } from 'preact/hooks'
import { Alert, Dialog, Loading } from '../../../../panels/browser/elements.tsx'
import { Confirm, Field, Form } from '../../../../panels/browser/form.tsx'
import { deviceText, instantText } from '../../../../panels/browser/format.ts'
import { useAction } from '../../../../panels/browser/live.ts'
import { request, SLOW_MS, useLive, withPassword } from '../session.ts'
import { withFactor } from './confirmations.tsx'
import { type Begun, canUsePasskeys, createPasskey } from './passkey-ceremony.ts'
import { RecoveryCodes } from './set-up.tsx'

interface Passkey {
  readonly id: string
  readonly name: string
  readonly synced: boolean
  readonly created_at: string
  readonly last_used_at: string | null
}

type OpenDialog =
  | { readonly kind: 'new' }
  | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }

const PASSKEYS = 'v1/second-factor/passkeys'

const useOf = ({ synced, created_at, last_used_at }: Passkey): string => {
  const use = last_used_at ? `usada em ${instantText(last_used_at)}` : `cadastrada em ${instantText(created_at)}`
  return synced ? `${use} · sincronizada` : use
}

/** The user's passkeys. `onChanged` runs after a change, by which the second factor may be on or off. */
export const Passkeys = ({ onChanged }: { readonly onChanged: () => void }) => {
  const { data, error, refresh } = useLive<{ readonly data: readonly Passkey[] }>(PASSKEYS, SLOW_MS)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const close = (): void => setDialog(null)
  const done = (codes: readonly string[] | null = null): void => {
    setDialog(codes && { kind: 'codes', codes })
    refresh()
    onChanged()
  }
  return (
    <section class="card part">
      <h2>Chaves de acesso</h2>
      <p class="hint">A digital, o rosto ou o PIN de um aparelho seu, no lugar do código.</p>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading lines={1} />}
      <ul class="lines">
        {data?.data.map((passkey) => (
          <li key={passkey.id}>
            <span>
              {passkey.name}
              <small>{useOf(passkey)}</small>
            </span>
            <button
              type="button"
              class="link"
              aria-label={`Renomear ${passkey.name}`}
              onClick={() => setDialog({ kind: 'rename', passkey })}
            >
              Renomear
            </button>
            <button
              type="button"
              class="link"
              aria-label={`Remover ${passkey.name}`}
              onClick={() => setDialog({ kind: 'remove', passkey })}
            >
              Remover
            </button>
          </li>
        ))}
      </ul>
      {data?.data.length === 0 && <p class="none">Nenhuma chave de acesso ainda.</p>}
      {canUsePasskeys ? (
        <button type="button" class="quiet" onClick={() => setDialog({ kind: 'new' })}>
          Cadastrar chave de acesso
        </button>
      ) : (
        <p class="hint">Este navegador não cadastra chaves de acesso.</p>
      )}
      {dialog?.kind === 'new' && <NewPasskey onClose={close} onDone={done} />}
      {dialog?.kind === 'rename' && <Rename passkey={dialog.passkey} onClose={close} onDone={done} />}
      {dialog?.kind === 'remove' && <Remove passkey={dialog.passkey} onClose={close} onDone={done} />}
      {dialog?.kind === 'codes' && <RecoveryCodes codes={dialog.codes} onClose={close} />}
    </section>
  )
}

interface DialogProps {
  readonly onClose: () => void
  readonly onDone: (codes?: readonly string[] | null) => void
}

interface RegisteredReply {
  readonly data: { readonly recovery_codes: readonly string[] | null }
}

const NewPasskey = ({ onClose, onDone }: DialogProps) => {
  const [name, setName] = useState(deviceText(navigator.userAgent))
  const action = useAction({ 'passkey.taken': 'name', 'passkey.limit': 'name' })
  const register = async (): Promise<void> => {
    const begin = () => request<Begun<PublicKeyCredentialCreationOptionsJSON>>('POST', `${PASSKEYS}/options`)
    const body = { name: name.trim(), ...(await createPasskey(await withPassword(begin))) }
    const send = (secondFactor?: string) => request<RegisteredReply>('POST', PASSKEYS, { body, secondFactor })
    onDone((await withPassword(() => withFactor(send))).data.recovery_codes)
  }
  return (
    <Dialog title="Cadastrar chave de acesso" onClose={onClose}>
      <Form action={action} button="Cadastrar" onSend={() => action.run(register)}>
        <NameField value={name} onValue={setName} error={action.fields.name} />
      </Form>
    </Dialog>
  )
}

interface NameFieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error: string | undefined
}

const NameField = (props: NameFieldProps) => (
  <Field label="Nome da chave de acesso" name="passkey-name" autocomplete="off" maxLength={100} {...props} />
)

interface PasskeyProps extends DialogProps {
  readonly passkey: Passkey
}

const Rename = ({ passkey, onClose, onDone }: PasskeyProps) => {
  const [name, setName] = useState(passkey.name)
  const action = useAction()
  const rename = async (): Promise<void> => {
    await request('PATCH', `${PASSKEYS}/${passkey.id}`, { body: { name: name.trim() } })
    onDone()
  }
  return (
    <Dialog title="Renomear chave de acesso" onClose={onClose}>
      <Form action={action} button="Salvar nome" onSend={() => action.run(rename)}>
        <NameField value={name} onValue={setName} error={action.fields.name} />
      </Form>
    </Dialog>
  )
}

const Remove = ({ passkey, onClose, onDone }: PasskeyProps) => {
  const remove = async (): Promise<void> => {
    const path = `${PASSKEYS}/${passkey.id}`
    await withPassword(() => withFactor((secondFactor) => request('DELETE', path, { secondFactor })))
    onDone()
  }
  return (
    <Confirm
      title={`Remover ${passkey.name}?`}
      text="A chave de acesso deixa de valer aqui. Apague-a também no aparelho."
      button="Remover chave de acesso"
      onClose={onClose}
      perform={remove}
    />
  )
}
