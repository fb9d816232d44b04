import { useEffect, useState } from 'preact/hooks'
import { isRefusedBy } from '../../../panels/browser/connection.ts'
import { Alert, Button, Done, Title } from '../../../panels/browser/elements.tsx'
import { EmailField, Field, Form, useFields } from '../../../panels/browser/form.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { enter, foundCompany, resetPassword } from './entry.ts'
import { provider } from './provider.ts'
import { leave, type SignInView, signIn, signUp, view } from './session.ts'

const input = (id: string) => document.querySelector<HTMLInputElement>(`#${id}`)

const Welcome = ({ error, notice }: { readonly [K in 'error' | 'notice']: string | undefined }) => (
  <>
    <h1>Painel da imobiliária</h1>
    <p class="hint">Entre com a conta que você usa na imobiliária.</p>
    <Alert text={error ?? null} />
    <Done text={notice} />
  </>
)

/** Sign-in and sign-up, in one form. */
export const Enter = ({ error, notice, email: invited = '', isNew: isInvited = false }: SignInView) => {
  const [isNew, setNew] = useState(isInvited)
  const action = useAction()
  const { draft, set, field } = useFields({ name: '', email: invited, password: '' }, {})
  const email = draft.email.trim()
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
      await enter(isNew ? signUp(email, draft.password, draft.name.trim()) : signIn(email, draft.password))
    } catch (failure) {
      set({ password: '' })
      // A refused sign-up stays in its form, unless the e-mail has an account: then the user signs in.
      if (isRefusedBy(failure, 'EMAIL_EXISTS')) setNew(false)
      throw failure
    }
  }
  const sendReset = async (): Promise<void> => {
    if (!input('email')?.reportValidity()) return
    clear()
    await provider.sendReset(email)
    view.value = { name: 'enter', notice: `Enviamos para ${email} um endereço que cria uma nova senha.` }
  }
  return (
    <section class="card narrow">
      <Welcome error={error} notice={notice} />
      <Form action={action} send={send} button={isNew ? 'Criar conta' : 'Entrar'} checks>
        {isNew && <Field {...field('name', 'Seu nome')} autocomplete="name" maxLength={255} required />}
        <EmailField value={draft.email} onValue={(typed) => set({ email: typed })} required />
        <Field
          {...field('password', 'Senha')}
          type="password"
          autocomplete={isNew ? 'new-password' : 'current-password'}
          required
        />
      </Form>
      <Alert text={recovery.error} />
      <div class="choices">
        <Button onClick={() => action.run(toggle)}>{isNew ? 'Já tenho conta' : 'Criar uma conta'}</Button>
        {!isNew && <Button onClick={() => recovery.run(sendReset)}>Esqueci a senha</Button>}
      </div>
    </section>
  )
}

/** The foundation of an agency by an account that belongs to none. */
export const FoundCompany = ({ founder }: { readonly founder: string }) => {
  const action = useAction()
  const { name, 'company.legalName': firm, 'company.taxId': cnpj } = action.fields
  const { draft, field } = useFields({ founder, firm: '', cnpj: '' }, {})
  return (
    <section class="card narrow">
      <Title>Conta sem cadastro</Title>
      <p>
        Você entrou, mas ainda não faz parte de nenhuma imobiliária. Para entrar na equipe de uma, peça um convite à
        administração dela. Para abrir a sua, preencha:
      </p>
      <Form
        action={action}
        send={() => foundCompany(draft.founder.trim(), draft.firm.trim(), draft.cnpj.trim())}
        button="Fundar imobiliária"
        checks
      >
        <Field {...field('founder', 'Como você se chama')} error={name} autocomplete="name" maxLength={255} required />
        <Field
          {...field('firm', 'Nome da imobiliária')}
          error={firm}
          autocomplete="organization"
          maxLength={255}
          required
        />
        <Field {...field('cnpj', 'CNPJ')} error={cnpj} hint="Se já tiver um." autocomplete="off" maxLength={20} />
      </Form>
      <div class="choices">
        <Button onClick={() => leave()}>Entrar com outra conta</Button>
      </div>
    </section>
  )
}

/** A new password, after the mailed link. */
export const Reset = () => {
  const action = useAction()
  const { draft, field } = useFields({ next: '' }, {})
  return (
    <section class="card narrow">
      <Title>Crie uma nova senha</Title>
      <Form action={action} send={() => resetPassword(draft.next)} button="Salvar" checks>
        <Field
          {...field('next', 'Nova senha, com pelo menos 6 caracteres')}
          type="password"
          autocomplete="new-password"
          minLength={6}
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
