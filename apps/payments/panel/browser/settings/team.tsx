import { useState } from 'preact/hooks'
import { Alert, Dialog, Loading } from '../../../../panels/browser/elements.tsx'
import { Choice, Confirm, Field, Form } from '../../../../panels/browser/form.tsx'
import { count } from '../../../../panels/browser/format.ts'
import { useAction } from '../../../../panels/browser/live.ts'
import { withFactor } from '../security/confirmations.tsx'
import { may, person, request, requestOnce, useLive } from '../session.ts'
import { ROLES, roleName } from '../words.ts'

const SLOW_MS = 10_000
const PER_PAGE = 20

interface Membership {
  readonly id: number
  readonly user: { readonly id: number; readonly name: string; readonly email: string }
  readonly role: { readonly id: number; readonly name: string }
}

interface TeamReply {
  readonly data: readonly Membership[]
  readonly meta: { readonly total: number; readonly total_pages: number }
}

/** The other users of the account. Its pages are no part of the address, which the audit trail has. */
export const Team = () => {
  const [page, setPage] = useState(1)
  const path = `access/manager/users?per_page=${PER_PAGE}&page=${page}`
  const { data, error, refresh } = useLive<TeamReply>(path, SLOW_MS)
  const turn = (to: number, name: string) => (
    <button type="button" class="link" onClick={() => setPage(to)}>
      {name}
    </button>
  )
  return (
    <section class="card part below">
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
            {may('users:write') && membership.user.email !== person.value?.email ? (
              <>
                <RoleChoice key={membership.role.id} membership={membership} onChanged={refresh} />
                <ResetFactor {...membership.user} />
                <RemoveMember membership={membership} onRemoved={refresh} />
              </>
            ) : (
              <span class="chip">{roleName(membership.role.id) ?? membership.role.name}</span>
            )}
          </li>
        ))}
      </ul>
      {data?.data.length === 0 && <p class="none">Só você trabalha nesta organização.</p>}
      {data && data.meta.total_pages > 1 && (
        <footer class="pages">
          <span>{count(data.meta.total)} pessoas</span>
          {page > 1 && turn(page - 1, 'Anterior')}
          <span>
            Página {page} de {data.meta.total_pages}
          </span>
          {page < data.meta.total_pages && turn(page + 1, 'Próxima')}
        </footer>
      )}
      {may('users:write') && <NewMember onCreated={refresh} />}
    </section>
  )
}

interface RoleProps {
  readonly membership: Membership
  readonly onChanged: () => void
}

const RoleChoice = ({ membership, onChanged }: RoleProps) => {
  const action = useAction()
  const change = (role: string): void =>
    action.run(async () => {
      await request('PUT', `access/manager/users/${membership.id}`, { body: { role: Number(role) } })
      onChanged()
    })
  return (
    <>
      <select
        aria-label={`Perfil de ${membership.user.name}`}
        value={`${membership.role.id}`}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      >
        {ROLES.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <Alert text={action.fields.role ?? action.error} />
    </>
  )
}

/** Takes the second factor off a member who lost every proof of it. */
const ResetFactor = ({ id, name }: Membership['user']) => {
  const [isAsking, setAsking] = useState(false)
  const [isReset, setReset] = useState(false)
  const reset = async (): Promise<void> => {
    await withFactor((secondFactor) => request('DELETE', `v1/users/${id}/second-factor`, { secondFactor }))
    setAsking(false)
    setReset(true)
  }
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-label={`Retirar segundo fator de ${name}`}
        onClick={() => {
          setReset(false)
          setAsking(true)
        }}
      >
        Retirar segundo fator
      </button>
      {isReset && <p role="status">Segundo fator retirado.</p>}
      {isAsking && (
        <Confirm
          title={`Retirar o segundo fator de ${name}?`}
          text={RESET_EFFECT}
          button="Retirar segundo fator"
          onClose={() => setAsking(false)}
          perform={reset}
        />
      )}
    </>
  )
}

const RESET_EFFECT =
  'Faça isso se a pessoa perdeu o aplicativo, as chaves de acesso e os códigos. Todos deixam de valer, suas sessões ' +
  'terminam, e ela é avisada por e-mail. Até ativar outro, só a senha protege o login. Você confirma com o seu.'

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
