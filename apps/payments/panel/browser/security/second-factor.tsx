import { useState } from 'preact/hooks'
import { Alert, Dialog, Loading } from '../../../../panels/browser/elements.tsx'
import { Field, Form } from '../../../../panels/browser/form.tsx'
import { count, instantText } from '../../../../panels/browser/format.ts'
import { type Live, useAction } from '../../../../panels/browser/live.ts'
import { request, SLOW_MS, setUpFactor, useLive } from '../session.ts'
import { CODE_FAULTS, CodeField } from './confirmations.tsx'
import { arePasskeysOn } from './passkey-ceremony.ts'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes, type RecoveryReply } from './set-up.tsx'
import { TrustedDevices } from './trusted-devices.tsx'

interface FactorReply {
  readonly data: {
    readonly enabled: boolean
    readonly app: boolean
    readonly recovery_codes_left: number
    readonly locked_until: string | null
  }
}

/** The second factor of the user: its proofs, and the devices that need none. */
export const Security = () => {
  const factor = useLive<FactorReply>('v1/second-factor', SLOW_MS)
  return (
    <>
      <SecondFactor live={factor} />
      {arePasskeysOn && <Passkeys onChanged={factor.refresh} />}
      <TrustedDevices />
    </>
  )
}

/** The user's authenticator app and recovery codes. */
const SecondFactor = ({ live: { data: reply, error, refresh } }: { readonly live: Live<FactorReply> }) => {
  const [open, setOpen] = useState<'codes' | 'removal' | null>(null)
  const close = (): void => {
    setOpen(null)
    refresh()
  }
  const factor = reply?.data
  return (
    <section class="card part">
      <h2>Segundo fator</h2>
      <Alert text={reply === null ? error : null} />
      {reply === null && error === null && <Loading />}
      {factor && <State {...factor} />}
      {factor && (
        <div class="choices">
          {!factor.app && (
            <button type="button" class="quiet" onClick={() => void setUpFactor().then(refresh)}>
              {factor.enabled ? 'Ativar aplicativo autenticador' : 'Ativar segundo fator'}
            </button>
          )}
          {factor.enabled && (
            <button type="button" class="quiet" onClick={() => setOpen('codes')}>
              Novos códigos de recuperação
            </button>
          )}
          {factor.app && (
            <button type="button" class="quiet wrong" onClick={() => setOpen('removal')}>
              Desativar aplicativo
            </button>
          )}
        </div>
      )}
      {open === 'codes' && <NewCodes onClose={close} />}
      {open === 'removal' && <Removal onClose={close} />}
    </section>
  )
}

const LOW = 3

const State = ({ enabled, app, recovery_codes_left: left, locked_until: until }: FactorReply['data']) =>
  enabled ? (
    <>
      <ul class="lines">
        <li>
          <span>Aplicativo autenticador</span>
          <span class={app ? 'chip paid' : 'chip'}>{app ? 'Ativo' : 'Não usado'}</span>
        </li>
        <li>
          <span>Códigos de recuperação</span>
          <span class={left <= LOW ? 'chip late' : 'chip'}>{left === 1 ? 'Resta 1' : `Restam ${count(left)}`}</span>
        </li>
      </ul>
      {until && <p class="notice">Bloqueado por códigos errados até {instantText(until)}.</p>}
    </>
  ) : (
    <p>
      O login pede só a senha. Com o segundo fator, pede também um código do seu celular, e uma senha descoberta não
      basta para entrar.
    </p>
  )

interface DialogProps {
  readonly onClose: () => void
}

const NewCodes = ({ onClose }: DialogProps) => {
  const [code, setCode] = useState('')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const action = useAction(CODE_FAULTS)
  const replace = async (): Promise<void> => {
    const body = { code: code.trim() }
    setCodes((await request<RecoveryReply>('POST', 'v1/second-factor/recovery-codes', { body })).data.recovery_codes)
  }
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <Dialog title="Gerar novos códigos de recuperação" onClose={onClose}>
      <p class="hint">Os códigos de agora deixam de valer.</p>
      <Form action={action} button="Gerar códigos" onSend={() => action.run(replace)}>
        <CodeField name="replacing-code" value={code} onValue={setCode} error={action.fields.code} />
      </Form>
    </Dialog>
  )
}

const Removal = ({ onClose }: DialogProps) => {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const action = useAction(CODE_FAULTS)
  const remove = async (): Promise<void> => {
    try {
      await request('POST', 'v1/second-factor/remove', { body: { password, code: code.trim() } })
    } finally {
      setPassword('')
      setCode('')
    }
    onClose()
  }
  return (
    <Dialog title="Desativar o aplicativo autenticador?" onClose={onClose}>
      <p>
        O aplicativo deixa de valer, suas outras sessões terminam e nenhum dispositivo é mais confiável. Sem chave de
        acesso, o login volta a pedir só a senha.
      </p>
      <Form action={action} button="Desativar aplicativo" onSend={() => action.run(remove)}>
        <Field
          label="Sua senha"
          name="removal-password"
          type="password"
          autocomplete="current-password"
          value={password}
          onValue={setPassword}
          error={action.fields.password}
        />
        <CodeField name="removal-code" value={code} onValue={setCode} error={action.fields.code} />
      </Form>
    </Dialog>
  )
}
