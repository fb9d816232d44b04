import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { Refused } from '../../../panels/browser/connection.ts'
import { Dialog } from '../../../panels/browser/elements.tsx'
import { Field, Form } from '../../../panels/browser/form.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { passwordDialog, person, request, requestOnce } from './session.ts'

/** Asks for the password again, when the server requires it for a request. */
export const PasswordDialog = () => {
  const open = passwordDialog.value
  return open && <ConfirmPassword settle={open.settle} />
}

const ConfirmPassword = ({ settle }: { readonly settle: (isConfirmed: boolean) => void }) => {
  const [password, setPassword] = useState('')
  const action = useAction()
  const confirm = async (): Promise<void> => {
    try {
      await request('POST', 'v1/auth/confirm-password', { body: { password } })
    } finally {
      setPassword('')
    }
    settle(true)
  }
  return (
    <Dialog title="Confirme sua senha" onClose={() => settle(false)}>
      <p class="hint">Faz mais de dez minutos que {person.value?.email} entrou.</p>
      <Form action={action} button="Confirmar" onSend={() => action.run(confirm)}>
        <Field
          label="Sua senha"
          name="confirmed-password"
          type="password"
          autocomplete="current-password"
          value={password}
          onValue={setPassword}
          error={action.fields.password}
        />
      </Form>
    </Dialog>
  )
}

interface CodeRequest {
  readonly challenge: string
  readonly settle: (isProved: boolean) => void
}

/** The dialog that asks for a code of the second factor. Null if none is open. */
const codeDialog = signal<CodeRequest | null>(null)

/** Asks for a code of the second factor, when the server requires it for a request. */
export const CodeDialog = () => {
  const open = codeDialog.value
  return open && <ProveCode key={open.challenge} {...open} />
}

const ProveCode = ({ challenge, settle }: CodeRequest) => {
  const [code, setCode] = useState('')
  const action = useAction()
  const prove = async (): Promise<void> => {
    try {
      await request('POST', 'v1/second-factor/proofs', { body: { challenge, code: code.trim() } })
    } finally {
      setCode('')
    }
    settle(true)
  }
  return (
    <Dialog title="Confirme com o segundo fator" onClose={() => settle(false)}>
      <p class="hint">Este pedido só segue com um código.</p>
      <Form action={action} button="Confirmar código" onSend={() => action.run(prove)}>
        <Field
          label="Código"
          name="second-factor-code"
          autocomplete="one-time-code"
          hint="Do aplicativo autenticador, ou um código de recuperação."
          value={code}
          onValue={setCode}
          error={action.fields.code}
        />
      </Form>
    </Dialog>
  )
}

interface ChallengeReply {
  readonly data: { readonly challenge: string }
}

/** Answers a new challenge in the dialog and returns it; null if the user closes the dialog. */
const provedChallenge = async (): Promise<string | null> => {
  const { data } = await request<ChallengeReply>('POST', 'v1/second-factor/challenges')
  codeDialog.value?.settle(false)
  const isProved = await new Promise<boolean>((resolve) => {
    const dialog = {
      challenge: data.challenge,
      settle: (proved: boolean) => {
        if (codeDialog.value === dialog) codeDialog.value = null
        resolve(proved)
      },
    }
    codeDialog.value = dialog
  })
  return isProved ? data.challenge : null
}

/** As `requestOnce`. If the server requires the second factor, the user proves it and the request is repeated. */
export const requestWithFactor = async <T,>(path: string, body: Readonly<Record<string, unknown>>): Promise<T> => {
  try {
    return await requestOnce<T>(path, body)
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'second-factor.required') throw error
    const challenge = await provedChallenge()
    if (challenge === null) throw new Refused(error.status, { message: 'O código não foi confirmado.' })
    return requestOnce<T>(path, body, challenge)
  }
}
