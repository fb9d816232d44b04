import { useState } from 'preact/hooks'
import { Title } from '../../../panels/browser/elements.tsx'
import { EmailField, Field, Form, NewPasswordField } from '../../../panels/browser/form.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { CODE_FAULTS, CodeField, PasskeyButton, ProofByPasskey } from './security/confirmations.tsx'
import { canUsePasskeys } from './security/passkey-ceremony.ts'
import { completeSignIn, type Proof, signIn, signInByPasskey } from './security/sign-in.ts'
import {
  choose,
  type FactorChallenge,
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

const ROLE_LESS = 'Peça a quem administra a organização para convidar você, ou crie a sua.'

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
      {notice && (
        <p class="done" role="status">
          {notice}
        </p>
      )}
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

const Link = ({ onClick, children }: { readonly onClick: () => void; readonly children: string }) => (
  <button type="button" class="quiet" onClick={onClick}>
    {children}
  </button>
)

const SignIn = ({ email, setEmail, go }: StepProps) => {
  const [password, setPassword] = useState('')
  const [challenge, setChallenge] = useState<FactorChallenge | null>(null)
  const action = useAction()
  const { fields } = action
  if (challenge !== null) return <SecondStep email={email} challenge={challenge} onBack={() => setChallenge(null)} />
  return (
    <>
      <Title>Entrar no painel</Title>
      <Form
        action={action}
        button="Entrar"
        onSend={() =>
          action.run(async () => {
            const required = await signIn(email, password)
            if (required === null) await readPerson()
            else setChallenge(required)
          })
        }
      >
        <EmailField value={email} onValue={setEmail} error={fields.email} />
        <Field
          label="Senha"
          name="password"
          type="password"
          autocomplete="current-password"
          value={password}
          onValue={setPassword}
          error={fields.password}
        />
      </Form>
      {canUsePasskeys && <PasskeyButton perform={enterByPasskey}>Usar chave de acesso</PasskeyButton>}
      <div class="choices">
        <Link onClick={() => go('register')}>Criar uma conta</Link>
        <Link onClick={() => go('forgot')}>Esqueci a senha</Link>
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
  const [code, setCode] = useState('')
  const [isTrusted, setTrusted] = useState(false)
  const action = useAction(CODE_FAULTS)
  const complete = async (proof: Proof): Promise<void> => {
    await completeSignIn({ email, challenge, isTrusted, proof })
    await readPerson()
  }
  return (
    <>
      <Title>Confirmar que é você</Title>
      <Form action={action} button="Confirmar" onSend={() => action.run(() => complete({ code: code.trim() }))}>
        <CodeField name="code" value={code} onValue={setCode} error={action.fields.code} />
        <label class="check">
          <input
            type="checkbox"
            checked={isTrusted}
            onChange={({ currentTarget }) => setTrusted(currentTarget.checked)}
          />
          Confiar neste dispositivo por 30 dias
        </label>
      </Form>
      <ProofByPasskey challenge={challenge} accepts={accepts} send={complete} />
      <div class="choices">
        <Link onClick={onBack}>Voltar</Link>
      </div>
    </>
  )
}

const Register = ({ email, setEmail, go }: StepProps) => {
  const [name, setName] = useState('')
  const [phone, setPhone] = useState('')
  const [password, setPassword] = useState('')
  const action = useAction()
  const { fields } = action
  return (
    <>
      <Title>Criar uma conta</Title>
      <Form
        action={action}
        button="Criar conta"
        onSend={() =>
          action.run(async () => {
            await register({ name, email, phone, password, password_confirmation: password })
            await readPerson()
          })
        }
      >
        <Field label="Seu nome" name="name" autocomplete="name" value={name} onValue={setName} error={fields.name} />
        <EmailField value={email} onValue={setEmail} error={fields.email} />
        <Field
          label="Telefone"
          name="phone"
          type="tel"
          autocomplete="tel"
          value={phone}
          onValue={setPhone}
          error={fields.phone}
        />
        <NewPasswordField label="Senha" value={password} onValue={setPassword} error={fields.password} />
      </Form>
      <div class="choices">
        <Link onClick={() => go('sign-in')}>Já tenho uma conta</Link>
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
        onSend={() =>
          action.run(async () => {
            const { message } = await requestPublic<{ readonly message: string }>('POST', 'v1/auth/forgot-password', {
              email,
            })
            go('reset', message)
          })
        }
      >
        <EmailField value={email} onValue={setEmail} error={action.fields.email} />
      </Form>
      <div class="choices">
        <Link onClick={() => go('sign-in')}>Voltar</Link>
      </div>
    </>
  )
}

const Reset = ({ email, go }: StepProps) => {
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const action = useAction()
  const { fields } = action
  return (
    <>
      <Title>Criar uma nova senha</Title>
      <Form
        action={action}
        button="Salvar senha"
        onSend={() =>
          action.run(async () => {
            const body = { email, code, password, password_confirmation: password }
            const { message } = await requestPublic<{ readonly message: string }>(
              'POST',
              'v1/auth/reset-password',
              body,
            )
            go('sign-in', message)
          })
        }
      >
        <Field
          label="Código do e-mail"
          name="code"
          autocomplete="one-time-code"
          value={code}
          onValue={setCode}
          error={fields.code}
        />
        <NewPasswordField label="Nova senha" value={password} onValue={setPassword} error={fields.password} />
      </Form>
      <div class="choices">
        <Link onClick={() => go('sign-in')}>Voltar</Link>
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
            <button type="button" class="quiet wide" onClick={() => action.run(() => choose(each))}>
              {each.name}
            </button>
          </li>
        ))}
      </ul>
      {action.error && (
        <p class="alert" role="alert">
          {action.error}
        </p>
      )}
      <div class="choices">
        <Link onClick={() => setNew(true)}>Criar outra organização</Link>
        <Link onClick={() => void signOut()}>Sair</Link>
      </div>
    </section>
  )
}

const NewOrganization = ({ email: own, onBack }: { readonly email: string; readonly onBack: (() => void) | null }) => {
  const [name, setName] = useState('')
  const [email, setEmail] = useState(own)
  const [document, setDocument] = useState('')
  const action = useAction()
  const { fields } = action
  const create = async (): Promise<void> => {
    const { organization } = await requestOnce<{ readonly organization: Organization }>('v1/organizations', {
      name,
      email,
      document,
    })
    await readPerson()
    await choose(organization)
  }
  return (
    <section class="card narrow">
      <Title>Criar uma organização</Title>
      <p class="hint">Cada organização tem uma conta em que recebe. {ROLE_LESS}</p>
      <Form action={action} button="Criar organização" onSend={() => action.run(create)}>
        <Field
          label="Nome"
          name="name"
          autocomplete="organization"
          value={name}
          onValue={setName}
          error={fields.name}
        />
        <Field
          label="E-mail da organização"
          name="email"
          type="email"
          autocomplete="email"
          value={email}
          onValue={setEmail}
          error={fields.email}
        />
        <Field
          label="CPF ou CNPJ"
          name="document"
          inputMode="numeric"
          value={document}
          onValue={setDocument}
          error={fields.document}
        />
      </Form>
      <div class="choices">
        {onBack && <Link onClick={onBack}>Voltar</Link>}
        <Link onClick={() => void signOut()}>Sair</Link>
      </div>
    </section>
  )
}
