import { useState } from 'preact/hooks'
import { Button, Dialog } from '../../../../panels/browser/elements.tsx'
import { Form, PasswordField, useForm } from '../../../../panels/browser/form.tsx'
import { count, instantText } from '../../../../panels/browser/format.ts'
import type { Live } from '../../../../panels/browser/live.ts'
import { Part } from '../parts.tsx'
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
const SecondFactor = ({ live }: { readonly live: Live<FactorReply> }) => {
  const [open, setOpen] = useState<'codes' | 'removal' | null>(null)
  const close = (): void => {
    setOpen(null)
    live.refresh()
  }
  const factor = live.data?.data
  return (
    <Part title="Segundo fator" live={live}>
      {factor && <State {...factor} />}
      {factor && (
        <div class="choices">
          {!factor.app && (
            <Button onClick={() => void setUpFactor().then(live.refresh)}>
              {factor.enabled ? 'Ativar aplicativo autenticador' : 'Ativar segundo fator'}
            </Button>
          )}
          {factor.enabled && <Button onClick={() => setOpen('codes')}>Novos códigos de recuperação</Button>}
          {factor.app && (
            <Button kind="quiet wrong" onClick={() => setOpen('removal')}>
              Desativar aplicativo
            </Button>
          )}
        </div>
      )}
      {open === 'codes' && <NewCodes onClose={close} />}
      {open === 'removal' && <Removal onClose={close} />}
    </Part>
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
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { action, draft, field } = useForm({ code: '' }, { prefix: 'replacing-', places: CODE_FAULTS })
  const replace = async (): Promise<void> => {
    const body = { code: draft.code.trim() }
    setCodes((await request<RecoveryReply>('POST', 'v1/second-factor/recovery-codes', { body })).data.recovery_codes)
  }
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <Dialog title="Gerar novos códigos de recuperação" onClose={onClose}>
      <p class="hint">Os códigos de agora deixam de valer.</p>
      <Form action={action} button="Gerar códigos" send={replace}>
        <CodeField {...field('code', 'Código')} />
      </Form>
    </Dialog>
  )
}

const Removal = ({ onClose }: DialogProps) => {
  const { action, draft, set, field } = useForm({ password: '', code: '' }, { prefix: 'removal-', places: CODE_FAULTS })
  const remove = async (): Promise<void> => {
    const body = { ...draft, code: draft.code.trim() }
    await request('POST', 'v1/second-factor/remove', { body }).finally(() => set({ password: '', code: '' }))
    onClose()
  }
  return (
    <Dialog title="Desativar o aplicativo autenticador?" onClose={onClose}>
      <p>
        O aplicativo deixa de valer, suas outras sessões terminam e nenhum dispositivo é mais confiável. Sem chave de
        acesso, o login volta a pedir só a senha.
      </p>
      <Form action={action} button="Desativar aplicativo" send={remove}>
        <PasswordField {...field('password', 'Sua senha')} />
        <CodeField {...field('code', 'Código')} />
      </Form>
    </Dialog>
  )
}
