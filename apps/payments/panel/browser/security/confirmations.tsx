import { isRefusedBy, Refused } from '../../../../panels/browser/connection.ts'
import { Alert, Button, Dialog } from '../../../../panels/browser/elements.tsx'
import { Field, type FieldState, Form, PasswordField, useForm } from '../../../../panels/browser/form.tsx'
import { useAction } from '../../../../panels/browser/live.ts'
import {
  type ChallengeReply,
  codePrompt,
  type FactorChallenge,
  passwordPrompt,
  person,
  request,
  requestOnce,
  requestPublic,
  setUpFactor,
} from '../session.ts'

import { askPasskey, type Ceremony, canUsePasskeys, type PasskeyResponse } from './passkey-ceremony.ts'

/** The failures of a code, and of a password beside it, by the field that shows them. */
export const CODE_FAULTS = {
  'second-factor.wrong': 'code',
  'second-factor.locked': 'code',
  'password.wrong': 'password',
  'login.throttled': 'password',
}

/** Asks for the password again, when the server requires it for a request. */
export const PasswordDialog = () => {
  const open = passwordPrompt.open.value
  return open && <ConfirmPassword settle={open.settle} />
}

interface DialogProps {
  readonly settle: (isDone: boolean) => void
}

const ConfirmPassword = ({ settle }: DialogProps) => {
  const { action, draft, set, field } = useForm({ password: '' }, { prefix: 'confirmed-', places: CODE_FAULTS })
  const confirm = async (): Promise<void> => {
    await request('POST', 'v1/auth/confirm-password', { body: draft }).finally(() => set({ password: '' }))
    settle(true)
  }
  return (
    <Dialog title="Confirme sua senha" onClose={() => settle(false)}>
      <p class="hint">Faz mais de dez minutos que {person.value?.email} entrou.</p>
      <Form action={action} button="Confirmar" send={confirm}>
        <PasswordField {...field('password', 'Sua senha')} />
      </Form>
    </Dialog>
  )
}

/** Asks for a code of the second factor, when the server requires it for a request. */
export const CodeDialog = () => {
  const open = codePrompt.open.value
  return open && <ProveCode key={open.subject.challenge} {...open.subject} settle={open.settle} />
}

const ProveCode = ({ challenge, accepts, settle }: FactorChallenge & DialogProps) => {
  const { action, draft, set, field } = useForm({ code: '' }, { prefix: 'second-factor-', places: CODE_FAULTS })
  const prove = async (): Promise<void> => {
    const body = { challenge, code: draft.code.trim() }
    await request('POST', 'v1/second-factor/proofs', { body }).finally(() => set({ code: '' }))
    settle(true)
  }
  const proveByPasskey = async (response: PasskeyResponse): Promise<void> => {
    await request('POST', 'v1/second-factor/proofs/passkey', { body: { challenge, ...response } })
    settle(true)
  }
  return (
    <Dialog title="Confirme com o segundo fator" onClose={() => settle(false)}>
      <p class="hint">Este pedido só segue com o segundo fator.</p>
      <Form action={action} button="Confirmar código" send={prove}>
        <CodeField {...field('code', 'Código')} />
      </Form>
      <ProofByPasskey challenge={challenge} accepts={accepts} send={proveByPasskey} />
    </Dialog>
  )
}

interface ProofProps extends FactorChallenge {
  readonly send: (response: PasskeyResponse) => Promise<void>
}

/** Answers a challenge by a passkey, if the person has one and the browser can ask for it. */
export const ProofByPasskey = ({ challenge, accepts, send }: ProofProps) => {
  if (!canUsePasskeys || !accepts.includes('passkey')) return null
  const use = async (): Promise<void> => {
    const path = 'v1/second-factor/proofs/passkey-options'
    const begun = await requestPublic<Ceremony<PublicKeyCredentialRequestOptionsJSON>>('POST', path, { challenge })
    await send(await askPasskey(begun))
  }
  return <PasskeyButton perform={use}>Usar chave de acesso</PasskeyButton>
}

/** A button that asks for a passkey, and shows the failure. */
export const PasskeyButton = (props: { readonly perform: () => Promise<void>; readonly children: string }) => {
  const action = useAction()
  return (
    <>
      <Alert text={action.error} />
      <Button kind="quiet passkey" aria-disabled={action.isRunning} onClick={() => action.run(props.perform)}>
        {props.children}
      </Button>
    </>
  )
}

/** The field of a code that proves the second factor. */
export const CodeField = (props: FieldState) => (
  <Field
    autocomplete="one-time-code"
    hint="Do aplicativo autenticador, que muda a cada 30 segundos, ou um código de recuperação. Cada um vale uma vez."
    {...props}
  />
)

const openChallenge = () => request<ChallengeReply>('POST', 'v1/second-factor/challenges')

const FACTOR_OFF = 'Este pedido só segue com o segundo fator, que você ainda não tem. Ative-o para continuar.'

/** Answers a new challenge in the dialog and returns it; null if the user closes the dialog. */
const provedChallenge = async (): Promise<string | null> => {
  try {
    const { data } = await openChallenge()
    return (await codePrompt.ask(data)) ? data.challenge : null
  } catch (error) {
    if (!isRefusedBy(error, 'second-factor.off')) throw error
    return (await setUpFactor(FACTOR_OFF)) ? provedChallenge() : null
  }
}

/**
 * Performs a request. If the server requires the second factor, the user proves it, after a set-up if there is none,
 * and the request is repeated with the proof.
 */
export const withFactor = async <T,>(perform: (secondFactor?: string) => Promise<T>): Promise<T> => {
  try {
    return await perform()
  } catch (error) {
    if (!isRefusedBy(error, 'second-factor.required')) throw error
    const challenge = await provedChallenge()
    if (challenge === null) throw new Refused(error.status, { message: 'O código não foi confirmado.' })
    return perform(challenge)
  }
}

/** As `requestOnce`, with the second factor if the server requires it. */
export const requestWithFactor = <T,>(path: string, body: Readonly<Record<string, unknown>>): Promise<T> =>
  withFactor((secondFactor) => requestOnce<T>(path, body, secondFactor))
