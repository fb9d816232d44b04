import { useRef, useState } from 'preact/hooks'
import { Alert, Loading, Title } from '../../../../panels/browser/elements.tsx'
import { Field, Form, PinField } from '../../../../panels/browser/form.tsx'
import { deviceText, instantText, readMoney } from '../../../../panels/browser/format.ts'
import { useAction } from '../../../../panels/browser/live.ts'
import { FactorPolicy } from '../security/policy.tsx'
import { Security } from '../security/second-factor.tsx'
import { may, request, signOutEverywhere, useLive } from '../session.ts'
import { SplitReceivers } from '../splits/split-receivers.tsx'
import { PinFirst } from '../withdrawals.tsx'
import { RULES } from '../words.ts'
import { AuditTrail } from './audit.tsx'
import { type DefaultTerms, DefaultTermsForm, useAccountChange } from './default-terms.tsx'
import { logoPath, NO_RULE, type Rule, RuleDialog } from './message-preview.tsx'
import { Team } from './team.tsx'

const SLOW_MS = 10_000

interface Account extends DefaultTerms {
  readonly code_account: string
  readonly name: string
  readonly email: string | null
  readonly path_logo: string | null
  readonly has_pin: boolean
  /** Absent until it is set, as the tolerance. */
  readonly accept_partial?: boolean
  readonly partial_tolerance?: number
  readonly notification_rules: Readonly<Record<string, Rule | null>> | null
}

export const Settings = () => {
  const { data, error, refresh } = useLive<{ readonly account: Account }>('v1/account', SLOW_MS)
  return (
    <>
      <header class="head">
        <Title>Configurações</Title>
      </header>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading />}
      <PartLinks />
      <div class="columns">
        {data && may('account:write') && <AccountForms account={data.account} onSaved={refresh} />}
        <Sessions />
        <Security />
        {may('account:write') && <FactorPolicy />}
        {may('account:write') && <SplitReceivers />}
      </div>
      {may('users:read') && <Team />}
      {may('account:write') && <AuditTrail />}
    </>
  )
}

/** The headings to which the view has links, with the permission to see their parts. */
const PARTS = [
  ['Organização', 'account:write'],
  ['Segundo fator', null],
  ['Equipe', 'users:read'],
  ['Trilha de auditoria', 'account:write'],
] as const

/** Moves the focus to a part of the view, which is long on a phone. The address has no place for it. */
const PartLinks = () => {
  const parts = PARTS.filter(([, permission]) => permission === null || may(permission))
  const focus = (name: string): void => {
    const heading = [...document.querySelectorAll<HTMLElement>('h2')].find(({ textContent }) => textContent === name)
    if (!heading) return
    heading.tabIndex = -1
    heading.focus()
  }
  return (
    <nav class="choices parts" aria-label="Partes desta página">
      {parts.map(([name]) => (
        <button type="button" class="link" key={name} onClick={() => focus(name)}>
          {name}
        </button>
      ))}
    </nav>
  )
}

interface AccountFormsProps {
  readonly account: Account
  readonly onSaved: () => void
}

/** The changes of the account, each under its PIN. */
const AccountForms = ({ account, onSaved }: AccountFormsProps) =>
  account.has_pin ? (
    <>
      <AccountForm account={account} />
      <DefaultTermsForm account={account} />
      <PartialForm account={account} />
      <RulesForm rules={account.notification_rules ?? {}} />
      <LogoForm path={account.path_logo} onSaved={onSaved} />
    </>
  ) : (
    <section class="card part">
      <h2>Organização</h2>
      <AccountCode {...account} />
      <PinFirst onSaved={onSaved}>Os dados, os juros e a multa, os avisos e o logotipo mudam</PinFirst>
    </section>
  )

/** The code by which another account permits this one to use its key to receive. */
const AccountCode = ({ code_account }: Account) => <p class="hint">Código da conta: {code_account}</p>

const AccountForm = ({ account }: { readonly account: Account }) => {
  const [name, setName] = useState(account.name)
  const [email, setEmail] = useState(account.email ?? '')
  const { pin, setPin, isSaved, action, save } = useAccountChange()
  return (
    <section class="card part">
      <h2>Organização</h2>
      <AccountCode {...account} />
      <Form action={action} button="Salvar" onSend={() => save({ name, email: email || null })}>
        <Field label="Nome" name="account-name" value={name} onValue={setName} error={action.fields.name} />
        <Field
          label="E-mail"
          name="account-email"
          type="email"
          value={email}
          onValue={setEmail}
          error={action.fields.email}
        />
        <PinField name="account-pin" value={pin} onValue={setPin} error={action.fields.pin} />
        {isSaved && <p role="status">Organização atualizada.</p>}
      </Form>
    </section>
  )
}

/** The choice about payments of less or more than the amount due. */
const PartialForm = ({ account }: { readonly account: Account }) => {
  const [isAccepted, setAccepted] = useState(account.accept_partial ?? false)
  const [tolerance, setTolerance] = useState((account.partial_tolerance ?? 0).toFixed(2).replace('.', ','))
  const [mistake, setMistake] = useState<string | null>(null)
  const { pin, setPin, isSaved, action, save } = useAccountChange()
  const send = (): void => {
    const reais = readMoney(tolerance)
    setMistake(reais === null ? 'Escreva o valor em reais: 0,50.' : null)
    if (reais !== null) save({ accept_partial: isAccepted, partial_tolerance: reais })
  }
  return (
    <section class="card part">
      <h2>Pagamentos em partes</h2>
      <p class="hint">Sem isto, qualquer pagamento por Pix ou boleto quita a cobrança, seja qual for o valor.</p>
      <Form action={action} button="Salvar pagamentos em partes" onSend={send}>
        <label class="check">
          <input
            type="checkbox"
            checked={isAccepted}
            onChange={({ currentTarget }) => setAccepted(currentTarget.checked)}
          />
          Manter aberta a cobrança paga em parte
        </label>
        <Field
          label="Quanto pode faltar, em reais"
          name="partial-tolerance"
          inputMode="decimal"
          hint="Faltando até este valor, a cobrança conta como paga."
          value={tolerance}
          onValue={setTolerance}
          error={mistake ?? action.fields.partial_tolerance}
        />
        <PinField name="partial-pin" value={pin} onValue={setPin} error={action.fields.pin} />
        {isSaved && <p role="status">Pagamentos em partes salvos.</p>}
      </Form>
    </section>
  )
}

const LOGO_TYPES = 'image/png,image/jpeg,image/webp'
const MAX_LOGO_BYTES = 2 * 1_048_576

/** Reads a file as a data URI. */
const readFile = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(`${reader.result}`)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

interface LogoProps {
  /** The address of the logo; null without one. */
  readonly path: string | null
  readonly onSaved: () => void
}

const LogoForm = ({ path, onSaved }: LogoProps) => {
  const [chosen, setChosen] = useState<string | null>(null)
  const [mistake, setMistake] = useState<string | null>(null)
  const { pin, setPin, isSaved, action, save } = useAccountChange()
  const choose = async (file: File | undefined): Promise<void> => {
    setMistake(file && file.size > MAX_LOGO_BYTES ? 'A imagem pode ter até 2 MB.' : null)
    setChosen(file && file.size <= MAX_LOGO_BYTES ? await readFile(file) : null)
  }
  const field = useRef<HTMLInputElement>(null)
  const stored = (): void => {
    setChosen(null)
    if (field.current) field.current.value = ''
    onSaved()
  }
  const error = mistake ?? action.fields.logo
  const shown = chosen ?? (path && logoPath(path))
  return (
    <section class="card part">
      <h2>Logotipo</h2>
      <p class="hint">Aparece nas cobranças, nos boletos e nos e-mails.</p>
      {shown && <img class="logo" src={shown} alt={chosen ? 'O logotipo escolhido' : 'O logotipo da organização'} />}
      <Form
        action={action}
        button={path && !chosen ? 'Remover logotipo' : 'Salvar logotipo'}
        onSend={() => save({ logo: chosen }, stored)}
      >
        <div class="field">
          <label for="logo">Imagem PNG, JPEG ou WebP, de até 2 MB</label>
          <input
            ref={field}
            id="logo"
            type="file"
            accept={LOGO_TYPES}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'logo-error' : undefined}
            onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
          />
          {error && (
            <p class="error" role="alert" id="logo-error">
              {error}
            </p>
          )}
        </div>
        <PinField name="logo-pin" value={pin} onValue={setPin} error={action.fields.pin} />
        {isSaved && <p role="status">Logotipo atualizado.</p>}
      </Form>
    </section>
  )
}

const DAYS_BEFORE = 3

const RulesForm = ({ rules: stored }: { readonly rules: Readonly<Record<string, Rule | null>> }) => {
  const [rules, setRules] = useState(stored)
  const [previewed, setPreviewed] = useState<string | null>(null)
  const { pin, setPin, isSaved, action, save } = useAccountChange()
  const set = (name: string, enabled: boolean): void => {
    const rule = rules[name] ?? NO_RULE
    const days = name === 'before_due' || name === 'after_due' ? (rule.days ?? DAYS_BEFORE) : rule.days
    setRules({
      ...rules,
      [name]: { ...rule, enabled, days, channels: rule.channels.length > 0 ? rule.channels : ['email'] },
    })
  }
  return (
    <section class="card part">
      <h2>Avisos aos clientes</h2>
      <Form action={action} button="Salvar avisos" onSend={() => save({ notification_rules: rules })}>
        <fieldset>
          <legend class="unseen">Avisos</legend>
          {RULES.map(([name, text]) => (
            <div class="line" key={name}>
              <label class="check">
                <input
                  type="checkbox"
                  checked={rules[name]?.enabled ?? false}
                  onChange={({ currentTarget }) => set(name, currentTarget.checked)}
                />
                {text}
              </label>
              <button
                type="button"
                class="link"
                aria-label={`Prévia da mensagem: ${text}`}
                onClick={() => setPreviewed(name)}
              >
                Prévia
              </button>
            </div>
          ))}
        </fieldset>
        <PinField name="rules-pin" value={pin} onValue={setPin} error={action.fields.pin} />
        {isSaved && <p role="status">Avisos salvos.</p>}
      </Form>
      {previewed && (
        <RuleDialog
          name={previewed}
          rule={rules[previewed] ?? NO_RULE}
          onChange={(rule) => setRules({ ...rules, [previewed]: rule })}
          onClose={() => setPreviewed(null)}
        />
      )}
    </section>
  )
}

interface SessionRow {
  readonly id: string
  readonly device: string | null
  readonly address: string | null
  readonly current: boolean
  readonly last_used_at: string
}

const Sessions = () => {
  const { data, error, refresh } = useLive<{ readonly data: readonly SessionRow[] }>('access/auth/sessions', SLOW_MS)
  const action = useAction()
  const end = (id: string) => async (): Promise<void> => {
    await request('DELETE', `access/auth/sessions/${id}`)
    refresh()
  }
  return (
    <section class="card part">
      <h2>Onde você está conectado</h2>
      <Alert text={data === null ? error : action.error} />
      {data === null && error === null && <Loading />}
      <ul class="lines">
        {data?.data.map((session) => (
          <li key={session.id}>
            <span>
              <span title={session.device ?? undefined}>{deviceText(session.device)}</span>
              <small>
                {session.address} · {instantText(session.last_used_at)}
              </small>
            </span>
            {session.current ? (
              <span class="chip paid">Aqui</span>
            ) : (
              <button type="button" class="quiet" onClick={() => action.run(end(session.id))}>
                Encerrar
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="choices">
        <button type="button" class="quiet wrong" onClick={() => action.run(signOutEverywhere)}>
          Sair de todos os aparelhos
        </button>
      </div>
    </section>
  )
}
