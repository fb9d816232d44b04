import { useState } from 'preact/hooks'
import { Button, Dialog } from '../../../../panels/browser/elements.tsx'
import { ConfirmedButton, Field, Form, useForm } from '../../../../panels/browser/form.tsx'
import { deviceText, instantText } from '../../../../panels/browser/format.ts'
import { Line, Lines, Part } from '../parts.tsx'
import { request, SLOW_MS, useLive, withPassword } from '../session.ts'
import { withFactor } from './confirmations.tsx'
import { type Ceremony, canUsePasskeys, createPasskey } from './passkey-ceremony.ts'
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
  | { readonly kind: 'rename'; readonly passkey: Passkey }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }

const PASSKEYS = 'v1/second-factor/passkeys'

const useOf = ({ synced, created_at, last_used_at }: Passkey): string => {
  const use = last_used_at ? `usada em ${instantText(last_used_at)}` : `cadastrada em ${instantText(created_at)}`
  return synced ? `${use} · sincronizada` : use
}

/** The user's passkeys. `onChanged` runs after a change, by which the second factor may be on or off. */
export const Passkeys = ({ onChanged }: { readonly onChanged: () => void }) => {
  const live = useLive<{ readonly data: readonly Passkey[] }>(PASSKEYS, SLOW_MS)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const close = (): void => setDialog(null)
  const done = (codes: readonly string[] | null = null): void => {
    setDialog(codes && { kind: 'codes', codes })
    live.refresh()
    onChanged()
  }
  const remove = async (id: string): Promise<void> => {
    const path = `${PASSKEYS}/${id}`
    await withPassword(() => withFactor((secondFactor) => request('DELETE', path, { secondFactor })))
    done()
  }
  return (
    <Part
      title="Chaves de acesso"
      hint="A digital, o rosto ou o PIN de um aparelho seu, no lugar do código."
      live={live}
      lines={1}
    >
      <Lines of={live.data?.data} none="Nenhuma chave de acesso ainda.">
        {(passkey) => (
          <Line key={passkey.id} name={passkey.name} note={useOf(passkey)}>
            <Button
              kind="link"
              aria-label={`Renomear ${passkey.name}`}
              onClick={() => setDialog({ kind: 'rename', passkey })}
            >
              Renomear
            </Button>
            <ConfirmedButton
              kind="link"
              label={`Remover ${passkey.name}`}
              title={`Remover ${passkey.name}?`}
              text="A chave de acesso deixa de valer aqui. Apague-a também no aparelho."
              button="Remover chave de acesso"
              perform={() => remove(passkey.id)}
            >
              Remover
            </ConfirmedButton>
          </Line>
        )}
      </Lines>
      {canUsePasskeys ? (
        <Button onClick={() => setDialog({ kind: 'new' })}>Cadastrar chave de acesso</Button>
      ) : (
        <p class="hint">Este navegador não cadastra chaves de acesso.</p>
      )}
      {dialog?.kind === 'new' && <NewPasskey onClose={close} onDone={done} />}
      {dialog?.kind === 'rename' && <Rename passkey={dialog.passkey} onClose={close} onDone={done} />}
      {dialog?.kind === 'codes' && <RecoveryCodes codes={dialog.codes} onClose={close} />}
    </Part>
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
  const initial = { name: deviceText(navigator.userAgent) }
  const { action, draft, field } = useForm(initial, { prefix: 'passkey-', places: NAME_FAULTS })
  const register = async (): Promise<void> => {
    const begin = () => request<Ceremony<PublicKeyCredentialCreationOptionsJSON>>('POST', `${PASSKEYS}/options`)
    const body = { name: draft.name.trim(), ...(await createPasskey(await withPassword(begin))) }
    const send = (secondFactor?: string) => request<RegisteredReply>('POST', PASSKEYS, { body, secondFactor })
    onDone((await withPassword(() => withFactor(send))).data.recovery_codes)
  }
  return (
    <Dialog title="Cadastrar chave de acesso" onClose={onClose}>
      <Form action={action} button="Cadastrar" send={register}>
        <Field {...field('name', NAME)} autocomplete="off" maxLength={MAX_NAME} />
      </Form>
    </Dialog>
  )
}

/** The failures of a new passkey, by the field that shows them. */
const NAME_FAULTS = { 'passkey.taken': 'name', 'passkey.limit': 'name' }
const NAME = 'Nome da chave de acesso'
const MAX_NAME = 100

interface RenameProps extends DialogProps {
  readonly passkey: Passkey
}

const Rename = ({ passkey, onClose, onDone }: RenameProps) => {
  const { action, draft, field } = useForm({ name: passkey.name }, { prefix: 'passkey-' })
  const rename = async (): Promise<void> => {
    await request('PATCH', `${PASSKEYS}/${passkey.id}`, { body: { name: draft.name.trim() } })
    onDone()
  }
  return (
    <Dialog title="Renomear chave de acesso" onClose={onClose}>
      <Form action={action} button="Salvar nome" send={rename}>
        <Field {...field('name', NAME)} autocomplete="off" maxLength={MAX_NAME} />
      </Form>
    </Dialog>
  )
}
