import { useState } from 'preact/hooks'
import { Dialog } from '../../../panels/browser/elements.tsx'
import { Field, Form } from '../../../panels/browser/form.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { passwordDialog, person, request } from './session.ts'

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
