import { useState } from 'preact/hooks'
import { Button, CopyButton, Dialog } from '../../../../panels/browser/elements.tsx'
import { Field, Form, PasswordField, useForm } from '../../../../panels/browser/form.tsx'
import { person, request, saveFile, setUpPrompt } from '../session.ts'
import { CODE_FAULTS } from './confirmations.tsx'

/** Sets up an authenticator app, on request of the user or when an account requires the second factor. */
export const SetUpDialog = () => {
  const open = setUpPrompt.open.value
  return open && <SetUp reason={open.subject} settle={open.settle} />
}

/** A secret that waits for its first code. */
interface SetUpSecret {
  readonly secret: string
  readonly uri: string
  readonly qr_code: string
}

export interface RecoveryReply {
  readonly data: { readonly recovery_codes: readonly string[] }
}

interface SetUpProps {
  readonly reason: string | null
  readonly settle: (isDone: boolean) => void
}

const SetUp = ({ reason, settle }: SetUpProps) => {
  const [drawn, setDrawn] = useState<SetUpSecret | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onClose={() => settle(true)} />
  return (
    <Dialog title="Ativar o segundo fator" onClose={() => settle(false)}>
      {drawn ? (
        <FirstCode drawn={drawn} onSet={setCodes} />
      ) : (
        <>
          {reason && <p class="notice">{reason}</p>}
          <Password onDrawn={setDrawn} />
        </>
      )}
    </Dialog>
  )
}

const Password = ({ onDrawn }: { readonly onDrawn: (drawn: SetUpSecret) => void }) => {
  const { action, draft, set, field } = useForm({ password: '' }, { prefix: 'set-up-', places: CODE_FAULTS })
  const start = async (): Promise<void> => {
    const send = request<{ readonly data: SetUpSecret }>('POST', 'v1/second-factor', { body: draft })
    onDrawn((await send.finally(() => set({ password: '' }))).data)
  }
  return (
    <>
      <p class="hint">
        Tenha no celular um aplicativo autenticador, que mostra um código novo a cada 30 segundos. O login passa a
        pedi-lo depois da senha, e suas outras sessões terminam.
      </p>
      <Form action={action} button="Continuar" send={start}>
        <PasswordField {...field('password', 'Sua senha')} />
      </Form>
    </>
  )
}

interface FirstCodeProps {
  readonly drawn: SetUpSecret
  readonly onSet: (codes: readonly string[]) => void
}

const SECRET_GROUP = /.{1,4}/g

const FirstCode = ({ drawn: { secret, uri, qr_code }, onSet }: FirstCodeProps) => {
  const { action, draft, field } = useForm({ code: '' }, { prefix: 'first-', places: CODE_FAULTS })
  const confirm = async (): Promise<void> => {
    const body = { code: draft.code.trim() }
    onSet((await request<RecoveryReply>('POST', 'v1/second-factor/confirm', { body })).data.recovery_codes)
  }
  return (
    <>
      <p class="hint">Leia o QR code com o aplicativo, ou digite nele o segredo.</p>
      <div class="code qr">
        <img src={qr_code} alt="QR code do segredo" width={200} height={200} />
      </div>
      <p class="copyable">{secret.match(SECRET_GROUP)?.join(' ')}</p>
      <div class="choices">
        <CopyButton text={secret} label="Copiar segredo" />
        <a class="quiet" href={uri}>
          Abrir no aplicativo
        </a>
      </div>
      <Form action={action} button="Ativar" send={confirm}>
        <Field {...field('code', 'Código que o aplicativo mostra')} inputMode="numeric" autocomplete="one-time-code" />
      </Form>
    </>
  )
}

interface CodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** New recovery codes, which are shown once. */
export const RecoveryCodes = ({ codes, onClose }: CodesProps) => {
  const save = (): void => {
    const lines = [
      `Portico: códigos de recuperação de ${person.value?.email}`,
      'Cada um vale uma vez.',
      '',
      ...codes,
      '',
    ]
    saveFile(new Blob([lines.join('\r\n')], { type: 'text/plain' }), 'codigos-de-recuperacao.txt')
  }
  return (
    <Dialog title="Guarde os códigos de recuperação" isWarning onClose={onClose}>
      <p>
        Sem o celular, cada um deles vale uma vez no lugar do código. Eles não são mostrados de novo, e os de antes não
        valem mais.
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class="choices">
        <CopyButton text={codes.join('\n')} label="Copiar códigos" />
        <Button onClick={save}>Baixar como texto</Button>
      </div>
      <button type="button" onClick={onClose}>
        Já guardei os códigos
      </button>
    </Dialog>
  )
}
