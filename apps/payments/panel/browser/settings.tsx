import { useState } from 'preact/hooks'
import { Alert, Dialog, Loading, Title } from '../../../panels/browser/elements.tsx'
import { Choice, Field, Form, PinField } from '../../../panels/browser/form.tsx'
import { instantText } from '../../../panels/browser/format.ts'
import type { ListReply } from '../../../panels/browser/list.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { may, person, request, requestOnce, useLive } from './session.ts'

const SLOW_MS = 10_000

interface Account {
  readonly name: string
  readonly email: string | null
  readonly notification_rules: Readonly<Record<string, Rule | null>> | null
}

interface Rule {
  readonly enabled: boolean
  readonly message: string | null
  readonly channels: readonly string[]
  readonly days: number | null
}

export const Settings = () => {
  const { data, error } = useLive<{ readonly account: Account }>('access/account', SLOW_MS)
  return (
    <>
      <header class="head">
        <Title>Configurações</Title>
      </header>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading />}
      <div class="columns">
        {data && may('account:write') && <AccountForm account={data.account} />}
        {data && may('account:write') && <RulesForm rules={data.account.notification_rules ?? {}} />}
        {may('users:read') && <Team />}
        <Sessions />
      </div>
    </>
  )
}

/** Sends a change of the account with its PIN, which is forgotten afterwards. */
const useAccountChange = () => {
  const [pin, setPin] = useState('')
  const [isSaved, setSaved] = useState(false)
  const action = useAction()
  const save = (change: object): void =>
    action.run(async () => {
      setSaved(false)
      try {
        await request('PUT', 'access/account', { body: { pin, ...change } })
      } finally {
        setPin('')
      }
      setSaved(true)
    })
  return { pin, setPin, isSaved, action, save }
}

const AccountForm = ({ account }: { readonly account: Account }) => {
  const [name, setName] = useState(account.name)
  const [email, setEmail] = useState(account.email ?? '')
  const { pin, setPin, isSaved, action, save } = useAccountChange()
  return (
    <section class="card part">
      <h2>Organização</h2>
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

const RULES = [
  ['on_creation', 'Quando a cobrança é criada'],
  ['before_due', 'Antes do vencimento'],
  ['on_due', 'No dia do vencimento'],
  ['after_due', 'Depois do vencimento'],
  ['on_payment', 'Quando a cobrança é paga'],
] as const

const DAYS_BEFORE = 3
const NO_RULE: Rule = { enabled: false, message: null, channels: ['email'], days: null }

const RulesForm = ({ rules: stored }: { readonly rules: Readonly<Record<string, Rule | null>> }) => {
  const [rules, setRules] = useState(stored)
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
            <label class="check" key={name}>
              <input
                type="checkbox"
                checked={rules[name]?.enabled ?? false}
                onChange={({ currentTarget }) => set(name, currentTarget.checked)}
              />
              {text}
            </label>
          ))}
        </fieldset>
        <PinField name="rules-pin" value={pin} onValue={setPin} error={action.fields.pin} />
        {isSaved && <p role="status">Avisos salvos.</p>}
      </Form>
    </section>
  )
}

interface Membership {
  readonly id: number
  readonly user: { readonly name: string; readonly email: string }
  readonly role: { readonly id: number; readonly name: string }
}

const ROLES = [
  ['1', 'Administração'],
  ['2', 'Gerência'],
  ['3', 'Operação'],
  ['4', 'Consulta'],
] as const

const roleName = ({ role }: Membership): string => ROLES.find(([id]) => id === `${role.id}`)?.[1] ?? role.name

const Team = () => {
  const { data, error, refresh } = useLive<ListReply<Membership>>('access/manager/users?per_page=100', SLOW_MS)
  return (
    <section class="card part">
      <h2>Equipe</h2>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading />}
      <ul class="lines">
        {data?.data.map((membership) => (
          <li key={membership.id}>
            <span>
              {membership.user.name}
              <small>{membership.user.email}</small>
            </span>
            <span class="chip">{roleName(membership)}</span>
            {may('users:write') && membership.user.email !== person.value?.email && (
              <RemoveMember membership={membership} onRemoved={refresh} />
            )}
          </li>
        ))}
      </ul>
      {may('users:write') && <NewMember onCreated={refresh} />}
    </section>
  )
}

interface RemoveProps {
  readonly membership: Membership
  readonly onRemoved: () => void
}

const RemoveMember = ({ membership, onRemoved }: RemoveProps) => {
  const [isAsking, setAsking] = useState(false)
  const action = useAction()
  const remove = async (): Promise<void> => {
    await request('DELETE', `access/manager/users/${membership.id}`)
    onRemoved()
  }
  return (
    <>
      <button type="button" class="quiet wrong" onClick={() => setAsking(true)}>
        Remover
      </button>
      {isAsking && (
        <Dialog title={`Remover ${membership.user.name}?`} isWarning onClose={() => setAsking(false)}>
          <Form action={action} button="Remover da equipe" onSend={() => action.run(remove)}>
            {null}
          </Form>
        </Dialog>
      )}
    </>
  )
}

const EMPTY = { name: '', email: '', document: '', password: '', role: '3' }

const NewMember = ({ onCreated }: { readonly onCreated: () => void }) => {
  const [fields, setFields] = useState(EMPTY)
  const action = useAction()
  const field = (name: 'name' | 'email' | 'document' | 'password', label: string) => ({
    name: `member-${name}`,
    label,
    value: fields[name],
    onValue: (value: string) => setFields({ ...fields, [name]: value }),
    error: action.fields[name],
  })
  const create = async (): Promise<void> => {
    await requestOnce('access/manager/users', { ...fields, role: Number(fields.role) })
    setFields(EMPTY)
    onCreated()
  }
  return (
    <Form action={action} button="Adicionar à equipe" onSend={() => action.run(create)}>
      <Field {...field('name', 'Nome')} maxLength={30} />
      <Field {...field('email', 'E-mail')} type="email" />
      <Field {...field('password', 'Primeira senha')} type="password" autocomplete="new-password" />
      <div class="pair">
        <Field {...field('document', 'CPF')} inputMode="numeric" />
        <Choice
          label="Perfil"
          name="member-role"
          value={fields.role}
          onValue={(role) => setFields({ ...fields, role })}
          options={ROLES}
          error={action.fields.role}
        />
      </div>
    </Form>
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
              {session.device ?? 'Aparelho desconhecido'}
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
    </section>
  )
}
