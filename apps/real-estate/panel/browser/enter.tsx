import { useEffect, useState } from 'preact/hooks'
import { Refused } from '../../../panels/browser/connection.ts'
import { Alert, Title } from '../../../panels/browser/elements.tsx'
import { EmailField, Field, Form } from '../../../panels/browser/form.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { enter, found, resetPassword } from './entry.ts'
import { provider } from './provider.ts'
import { leave, type SignInView, signIn, signUp, view } from './session.ts'

const input = (id: string) => document.querySelector<HTMLInputElement>(`#${id}`)

const Welcome = ({ error, notice }: { readonly [K in 'error' | 'notice']: string | undefined }) => (
  <>
    <h1>Painel da imobiliária</h1>
    <p class="hint">Entre com a conta que você usa na imobiliária.</p>
    <Alert text={error ?? null} />
    {notice && (
      <p class="done" role="status">
        {notice}
      </p>
    )}
  </>
)

/** Sign-in and sign-up, in one form. */
export const Enter = ({ error, notice, email: invited = '', isNew: isInvited = false }: SignInView) => {
  const [isNew, setNew] = useState(isInvited)
  const [name, setName] = useState('')
  const [email, setEmail] = useState(invited)
  const [password, setPassword] = useState('')
  const action = useAction()
  const recovery = useAction()
  useEffect(() => {
    if (error !== undefined) input('password')?.focus()
    else input(isNew ? 'name' : 'email')?.focus()
  }, [isNew])
  useEffect(() => {
    if (action.error !== null) input('password')?.focus()
  }, [action.tries])
  const clear = (): void => {
    view.value = { name: 'enter' }
  }
  const toggle = async (): Promise<void> => {
    clear()
    setNew(!isNew)
  }
  const send = async (): Promise<void> => {
    clear()
    try {
      await enter(isNew ? signUp(email.trim(), password, name.trim()) : signIn(email.trim(), password))
    } catch (failure) {
      setPassword('')
      // A refused sign-up stays in its form, unless the e-mail has an account: then the user signs in.
      if (failure instanceof Refused && failure.code === 'EMAIL_EXISTS') setNew(false)
      throw failure
    }
  }
  const sendReset = async (): Promise<void> => {
    if (!input('email')?.reportValidity()) return
    clear()
    await provider.sendReset(email.trim())
    view.value = { name: 'enter', notice: `Enviamos para ${email.trim()} um endereço que cria uma nova senha.` }
  }
  return (
    <section class="card narrow">
      <Welcome error={error} notice={notice} />
      <Form action={action} onSend={() => action.run(send)} button={isNew ? 'Criar conta' : 'Entrar'} checks>
        {isNew && (
          <Field
            label="Seu nome"
            name="name"
            autocomplete="name"
            maxLength={255}
            value={name}
            onValue={setName}
            required
          />
        )}
        <EmailField value={email} onValue={setEmail} required />
        <Field
          label="Senha"
          name="password"
          type="password"
          autocomplete={isNew ? 'new-password' : 'current-password'}
          value={password}
          onValue={setPassword}
          required
        />
      </Form>
      <Alert text={recovery.error} />
      <div class="choices">
        <button type="button" class="quiet" onClick={() => action.run(toggle)}>
          {isNew ? 'Já tenho conta' : 'Criar uma conta'}
        </button>
        {!isNew && (
          <button type="button" class="quiet" onClick={() => recovery.run(sendReset)}>
            Esqueci a senha
          </button>
        )}
      </div>
    </section>
  )
}

const Leave = () => (
  <button type="button" class="quiet" onClick={() => leave()}>
    Entrar com outra conta
  </button>
)

/** The foundation of an agency by an account that belongs to none. */
export const Found = ({ founder }: { readonly founder: string }) => {
  const [name, setName] = useState(founder)
  const [firm, setFirm] = useState('')
  const [cnpj, setCnpj] = useState('')
  const action = useAction()
  const { fields } = action
  return (
    <section class="card narrow">
      <Title>Conta sem cadastro</Title>
      <p>
        Você entrou, mas ainda não faz parte de nenhuma imobiliária. Para entrar na equipe de uma, peça um convite à
        administração dela. Para abrir a sua, preencha:
      </p>
      <Form
        action={action}
        onSend={() => action.run(() => found(name.trim(), firm.trim(), cnpj.trim()))}
        button="Fundar imobiliária"
        checks
      >
        <Field
          label="Como você se chama"
          name="founder"
          autocomplete="name"
          maxLength={255}
          value={name}
          onValue={setName}
          error={fields.name}
          required
        />
        <Field
          label="Nome da imobiliária"
          name="firm"
          autocomplete="organization"
          maxLength={255}
          value={firm}
          onValue={setFirm}
          error={fields['company.legalName']}
          required
        />
        <Field
          label="CNPJ"
          name="cnpj"
          hint="Se já tiver um."
          autocomplete="off"
          maxLength={20}
          value={cnpj}
          onValue={setCnpj}
          error={fields['company.taxId']}
        />
      </Form>
      <div class="choices">
        <Leave />
      </div>
    </section>
  )
}

/** A new password, after the mailed link. */
export const Reset = () => {
  const [password, setPassword] = useState('')
  const action = useAction()
  return (
    <section class="card narrow">
      <Title>Crie uma nova senha</Title>
      <Form action={action} onSend={() => action.run(() => resetPassword(password))} button="Salvar" checks>
        <Field
          label="Nova senha, com pelo menos 6 caracteres"
          name="next"
          type="password"
          autocomplete="new-password"
          minLength={6}
          value={password}
          onValue={setPassword}
          required
        />
      </Form>
    </section>
  )
}

interface RefusalProps {
  readonly title: string
  readonly why: string
}

export const Refusal = ({ title, why }: RefusalProps) => (
  <section class="card narrow">
    <Title>{title}</Title>
    <p>{why}</p>
    <button type="button" onClick={() => leave()}>
      Entrar com outra conta
    </button>
  </section>
)
