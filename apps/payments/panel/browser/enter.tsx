import { useState } from 'preact/hooks'
import { Alert, Button, Done, Title } from '../../../panels/browser/elements.tsx'
import {
  Check,
  EmailField,
  Field,
  Form,
  NewPasswordField,
  PasswordField,
  useForm,
} from '../../../panels/browser/form.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { CODE_FAULTS, CodeField, PasskeyButton, ProofByPasskey } from './security/confirmations.tsx'
import { canUsePasskeys } from './security/passkey-ceremony.ts'
import { completeSignIn, type Proof, signIn, signInByPasskey } from './security/sign-in.ts'
import {
  choose,
  type FactorChallenge,
  type MessageReply,
  type Organization,
  person,
  readPerson,
  register,
  requestOnce,
  requestPublic,
  notice as sessionNotice,
  signOut,
} from './session.ts'

type Step = 'sign-in' | 'register' | 'forgot' | 'reset'

const INVITATION_HINT = 'Peça a quem administra a organização para convidar você, ou crie a sua.'

/** Sign-in, registration, and recovery of a password by an e-mailed code. */
export const Enter = () => {
  const [step, setStep] = useState<Step>('sign-in')
  const [email, setEmail] = useState('')
  const [notice, setNotice] = useState(sessionNotice.value)
  const go = (next: Step, text: string | null = null) => {
    setStep(next)
    setNotice(text)
  }
  const shared = { email, setEmail, go }
  return (
    <section class="card narrow">
      <Done text={notice} />
      {step === 'sign-in' && <SignIn {...shared} />}
      {step === 'register' && <Register {...shared} />}
      {step === 'forgot' && <Forgot {...shared} />}
      {step === 'reset' && <Reset {...shared} />}
    </section>
  )
}

interface StepProps {
  readonly email: string
  readonly setEmail: (email: string) => void
  readonly go: (step: Step, notice?: string | null) => void
}

const SignIn = ({ email, setEmail, go }: StepProps) => {
  const [challenge, setChallenge] = useState<FactorChallenge | null>(null)
  const { action, draft, field } = useForm({ password: '' })
  if (challenge !== null) return <SecondStep email={email} challenge={challenge} onBack={() => setChallenge(null)} />
  return (
    <>
      <Title>Entrar no painel</Title>
      <Form
        action={action}
        button="Entrar"
        send={async () => {
          const required = await signIn(email, draft.password)
          if (required === null) await readPerson()
          else setChallenge(required)
        }}
      >
        <EmailField value={email} onValue={setEmail} error={action.fields.email} />
        <PasswordField {...field('password', 'Senha')} />
      </Form>
      {canUsePasskeys && <PasskeyButton perform={enterByPasskey}>Usar chave de acesso</PasskeyButton>}
      <div class="choices">
        <Button onClick={() => go('register')}>Criar uma conta</Button>
        <Button onClick={() => go('forgot')}>Esqueci a senha</Button>
      </div>
    </>
  )
}

const enterByPasskey = async (): Promise<void> => {
  await signInByPasskey()
  await readPerson()
}

interface SecondStepProps {
  readonly email: string
  readonly challenge: FactorChallenge
  readonly onBack: () => void
}

const SecondStep = ({ email, challenge: { challenge, accepts }, onBack }: SecondStepProps) => {
  const [isTrusted, setTrusted] = useState(false)
  const { action, draft, field } = useForm({ code: '' }, { places: CODE_FAULTS })
  const complete = async (proof: Proof): Promise<void> => {
    await completeSignIn({ email, challenge, isTrusted, proof })
    await readPerson()
  }
  return (
    <>
      <Title>Confirmar que é você</Title>
      <Form action={action} button="Confirmar" send={() => complete({ code: draft.code.trim() })}>
        <CodeField {...field('code', 'Código')} />
        <Check label="Confiar neste dispositivo por 30 dias" isChecked={isTrusted} onChecked={setTrusted} />
      </Form>
      <ProofByPasskey challenge={challenge} accepts={accepts} send={complete} />
      <div class="choices">
        <Button onClick={onBack}>Voltar</Button>
      </div>
    </>
  )
}

const Register = ({ email, setEmail, go }: StepProps) => {
  const { action, draft, field } = useForm({ name: '', phone: '', password: '' })
  return (
    <>
      <Title>Criar uma conta</Title>
      <Form
        action={action}
        button="Criar conta"
        send={async () => {
          await register({ ...draft, email, password_confirmation: draft.password })
          await readPerson()
        }}
      >
        <Field {...field('name', 'Seu nome')} autocomplete="name" />
        <EmailField value={email} onValue={setEmail} error={action.fields.email} />
        <Field {...field('phone', 'Telefone')} type="tel" autocomplete="tel" />
        <NewPasswordField {...field('password', 'Senha')} />
      </Form>
      <div class="choices">
        <Button onClick={() => go('sign-in')}>Já tenho uma conta</Button>
      </div>
    </>
  )
}

const Forgot = ({ email, setEmail, go }: StepProps) => {
  const action = useAction()
  return (
    <>
      <Title>Recuperar a senha</Title>
      <Form
        action={action}
        button="Enviar código"
        send={async () => {
          const { message } = await requestPublic<MessageReply>('POST', 'v1/auth/forgot-password', { email })
          go('reset', message)
        }}
      >
        <EmailField value={email} onValue={setEmail} error={action.fields.email} />
      </Form>
      <div class="choices">
        <Button onClick={() => go('sign-in')}>Voltar</Button>
      </div>
    </>
  )
}

const Reset = ({ email, go }: StepProps) => {
  const { action, draft, field } = useForm({ code: '', password: '' })
  return (
    <>
      <Title>Criar uma nova senha</Title>
      <Form
        action={action}
        button="Salvar senha"
        send={async () => {
          const body = { ...draft, email, password_confirmation: draft.password }
          const { message } = await requestPublic<MessageReply>('POST', 'v1/auth/reset-password', body)
          go('sign-in', message)
        }}
      >
        <Field {...field('code', 'Código do e-mail')} autocomplete="one-time-code" />
        <NewPasswordField {...field('password', 'Nova senha')} />
      </Form>
      <div class="choices">
        <Button onClick={() => go('sign-in')}>Voltar</Button>
      </div>
    </>
  )
}

/** The choice of an account, and the opening of a new one. */
export const ChooseOrganization = () => {
  const { organizations = [], email = '' } = person.value ?? {}
  const [isNew, setNew] = useState(organizations.length === 0)
  const action = useAction()
  if (isNew) return <NewOrganization email={email} onBack={organizations.length > 0 ? () => setNew(false) : null} />
  return (
    <section class="card narrow">
      <Title>Escolha a organização</Title>
      <ul class="plain">
        {organizations.map((each) => (
          <li key={each.id}>
            <Button kind="quiet wide" onClick={() => action.run(() => choose(each))}>
              {each.name}
            </Button>
          </li>
        ))}
      </ul>
      <Alert text={action.error} />
      <div class="choices">
        <Button onClick={() => setNew(true)}>Criar outra organização</Button>
        <Button onClick={() => void signOut()}>Sair</Button>
      </div>
    </section>
  )
}

const NewOrganization = ({ email, onBack }: { readonly email: string; readonly onBack: (() => void) | null }) => {
  const { action, draft, field } = useForm({ name: '', email, document: '' })
  const create = async (): Promise<void> => {
    const { organization } = await requestOnce<{ readonly organization: Organization }>('v1/organizations', draft)
    await readPerson()
    await choose(organization)
  }
  return (
    <section class="card narrow">
      <Title>Criar uma organização</Title>
      <p class="hint">Cada organização tem uma conta em que recebe. {INVITATION_HINT}</p>
      <Form action={action} button="Criar organização" send={create}>
        <Field {...field('name', 'Nome')} autocomplete="organization" />
        <Field {...field('email', 'E-mail da organização')} type="email" autocomplete="email" />
        <Field {...field('document', 'CPF ou CNPJ')} inputMode="numeric" />
      </Form>
      <div class="choices">
        {onBack && <Button onClick={onBack}>Voltar</Button>}
        <Button onClick={() => void signOut()}>Sair</Button>
      </div>
    </section>
  )
}
