import { useRef, useState } from 'preact/hooks'
import { Alert, Button, LoadState, Title } from '../../../../panels/browser/elements.tsx'
import { Check, ErrorText, Field, Form, PinField, readAmount, useFields } from '../../../../panels/browser/form.tsx'
import { deviceText, instantText, typedMoney } from '../../../../panels/browser/format.ts'
import { useAction } from '../../../../panels/browser/live.ts'
import { Line, Lines, Part } from '../parts.tsx'
import { FactorPolicy } from '../security/policy.tsx'
import { Security } from '../security/second-factor.tsx'
import { may, request, SLOW_MS, signOutEverywhere, useLive } from '../session.ts'
import { SplitReceivers } from '../splits/split-receivers.tsx'
import { PinFirst } from '../withdrawals.tsx'
import { RULES } from '../words.ts'
import { AuditTrail } from './audit.tsx'
import { type DefaultTerms, DefaultTermsForm, useAccountChange } from './default-terms.tsx'
import { logoPath, NO_RULE, type Rule, RuleDialog } from './message-preview.tsx'
import { Programs, Team } from './team.tsx'

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
      <LoadState data={data} error={error} />
      <PartLinks />
      <div class="columns">
        {data && may('account:write') && <AccountForms account={data.account} onSaved={refresh} />}
        <Sessions />
        <Security />
        {may('account:write') && <FactorPolicy />}
        {may('account:write') && <SplitReceivers />}
      </div>
      {may('users:read') && (
        <>
          <Team />
          <Programs />
        </>
      )}
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
        <Button kind="link" key={name} onClick={() => focus(name)}>
          {name}
        </Button>
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
    <Part title="Organização" hint={codeText(account)}>
      <PinFirst onSaved={onSaved}>Os dados, os juros e a multa, os avisos e o logotipo mudam</PinFirst>
    </Part>
  )

/** Names the code by which another account permits this one to use its key to receive. */
const codeText = ({ code_account }: Account): string => `Código da conta: ${code_account}`

const AccountForm = ({ account }: { readonly account: Account }) => {
  const { pin, isSaved, action, save } = useAccountChange()
  const { draft, field } = useFields({ name: account.name, email: account.email ?? '' }, action.fields, 'account-')
  return (
    <Part title="Organização" hint={codeText(account)}>
      <Form action={action} button="Salvar" send={() => save({ ...draft, email: draft.email || null })}>
        <Field {...field('name', 'Nome')} />
        <Field {...field('email', 'E-mail')} type="email" />
        <PinField name="account-pin" {...pin} />
        {isSaved && <p role="status">Organização atualizada.</p>}
      </Form>
    </Part>
  )
}

/** The choice about payments of less or more than the amount due. */
const PartialForm = ({ account }: { readonly account: Account }) => {
  const [isAccepted, setAccepted] = useState(account.accept_partial ?? false)
  const [tolerance, setTolerance] = useState(typedMoney(account.partial_tolerance ?? 0))
  const { pin, isSaved, action, save } = useAccountChange()
  const send = async (): Promise<void> => {
    const reais = readAmount('partial_tolerance', tolerance, 'Escreva o valor em reais: 0,50.')
    await save({ accept_partial: isAccepted, partial_tolerance: reais })
  }
  return (
    <Part
      title="Pagamentos em partes"
      hint="Sem isto, qualquer pagamento por Pix ou boleto quita a cobrança, seja qual for o valor."
    >
      <Form action={action} button="Salvar pagamentos em partes" send={send}>
        <Check label="Manter aberta a cobrança paga em parte" isChecked={isAccepted} onChecked={setAccepted} />
        <Field
          label="Quanto pode faltar, em reais"
          name="partial-tolerance"
          inputMode="decimal"
          hint="Faltando até este valor, a cobrança conta como paga."
          value={tolerance}
          onValue={setTolerance}
          error={action.fields.partial_tolerance}
        />
        <PinField name="partial-pin" {...pin} />
        {isSaved && <p role="status">Pagamentos em partes salvos.</p>}
      </Form>
    </Part>
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
  const { pin, isSaved, action, save } = useAccountChange()
  const choose = async (file: File | undefined): Promise<void> => {
    setMistake(file && file.size > MAX_LOGO_BYTES ? 'A imagem pode ter até 2 MB.' : null)
    setChosen(file && file.size <= MAX_LOGO_BYTES ? await readFile(file) : null)
  }
  const input = useRef<HTMLInputElement>(null)
  const stored = (): void => {
    setChosen(null)
    if (input.current) input.current.value = ''
    onSaved()
  }
  const error = mistake ?? action.fields.logo
  const shown = chosen ?? (path && logoPath(path))
  return (
    <Part title="Logotipo" hint="Aparece nas cobranças, nos boletos e nos e-mails.">
      {shown && <img class="logo" src={shown} alt={chosen ? 'O logotipo escolhido' : 'O logotipo da organização'} />}
      <Form
        action={action}
        button={path && !chosen ? 'Remover logotipo' : 'Salvar logotipo'}
        send={() => save({ logo: chosen }, stored)}
      >
        <div class="field">
          <label for="logo">Imagem PNG, JPEG ou WebP, de até 2 MB</label>
          <input
            ref={input}
            id="logo"
            type="file"
            accept={LOGO_TYPES}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'logo-error' : undefined}
            onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
          />
          <ErrorText id="logo-error" text={error} />
        </div>
        <PinField name="logo-pin" {...pin} />
        {isSaved && <p role="status">Logotipo atualizado.</p>}
      </Form>
    </Part>
  )
}

const DAYS_BEFORE = 3

const RulesForm = ({ rules: stored }: { readonly rules: Readonly<Record<string, Rule | null>> }) => {
  const [rules, setRules] = useState(stored)
  const [previewed, setPreviewed] = useState<string | null>(null)
  const { pin, isSaved, action, save } = useAccountChange()
  const set = (name: string, enabled: boolean): void => {
    const rule = rules[name] ?? NO_RULE
    const days = name === 'before_due' || name === 'after_due' ? (rule.days ?? DAYS_BEFORE) : rule.days
    setRules({
      ...rules,
      [name]: { ...rule, enabled, days, channels: rule.channels.length > 0 ? rule.channels : ['email'] },
    })
  }
  return (
    <Part title="Avisos aos clientes">
      <Form action={action} button="Salvar avisos" send={() => save({ notification_rules: rules })}>
        <fieldset>
          <legend class="unseen">Avisos</legend>
          {RULES.map(([name, text]) => (
            <div class="line" key={name}>
              <Check
                label={text}
                isChecked={rules[name]?.enabled ?? false}
                onChecked={(enabled) => set(name, enabled)}
              />
              <Button kind="link" aria-label={`Prévia da mensagem: ${text}`} onClick={() => setPreviewed(name)}>
                Prévia
              </Button>
            </div>
          ))}
        </fieldset>
        <PinField name="rules-pin" {...pin} />
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
    </Part>
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
  const live = useLive<{ readonly data: readonly SessionRow[] }>('access/auth/sessions', SLOW_MS)
  const action = useAction()
  const end = (id: string) => async (): Promise<void> => {
    await request('DELETE', `access/auth/sessions/${id}`)
    live.refresh()
  }
  return (
    <Part title="Onde você está conectado" live={live}>
      <Alert text={action.error} />
      <Lines of={live.data?.data}>
        {(session) => (
          <Line
            key={session.id}
            name={<span title={session.device ?? undefined}>{deviceText(session.device)}</span>}
            note={[session.address ?? '', instantText(session.last_used_at)].join(' · ')}
          >
            {session.current ? (
              <span class="chip paid">Aqui</span>
            ) : (
              <Button onClick={() => action.run(end(session.id))}>Encerrar</Button>
            )}
          </Line>
        )}
      </Lines>
      <div class="choices">
        <Button kind="quiet wrong" onClick={() => action.run(signOutEverywhere)}>
          Sair de todos os aparelhos
        </Button>
      </div>
    </Part>
  )
}
