import { useState } from 'preact/hooks'
import { Alert } from '../../../../panels/browser/elements.tsx'
import { Choice, ConfirmedButton, Field, Form, useForm } from '../../../../panels/browser/form.tsx'
import { count } from '../../../../panels/browser/format.ts'
import { useAction } from '../../../../panels/browser/live.ts'
import { Line, Lines, Part, Turns } from '../parts.tsx'
import { requestWithFactor, withFactor } from '../security/confirmations.tsx'
import { may, person, request, SLOW_MS, useLive } from '../session.ts'
import { ROLES, roleName } from '../words.ts'

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
  const live = useLive<TeamReply>(path, SLOW_MS)
  const { data, refresh } = live
  return (
    <Part title="Equipe" live={live} isBelow>
      <Lines of={data?.data} none="Só você trabalha nesta organização.">
        {(membership) => (
          <Line key={membership.id} name={membership.user.name} note={membership.user.email}>
            {may('users:write') && membership.user.email !== person.value?.email ? (
              <>
                <RoleChoice key={membership.role.id} membership={membership} onChanged={refresh} />
                <ResetFactor {...membership.user} />
                <Remove from="users" membership={membership} onRemoved={refresh} />
              </>
            ) : (
              <span class="chip">{roleName(membership.role.id) ?? membership.role.name}</span>
            )}
          </Line>
        )}
      </Lines>
      {data && (
        <Turns page={page} last={data.meta.total_pages} size={`${count(data.meta.total)} pessoas`} onPage={setPage} />
      )}
      {may('users:write') && <NewMember onCreated={refresh} />}
    </Part>
  )
}

/**
 * The users with the role API, whom the list of the team leaves out: programs, and persons who were given the role.
 * Shows nothing if there is none.
 */
export const Programs = () => {
  const [page, setPage] = useState(1)
  const path = `access/manager/api-tokens?per_page=${PER_PAGE}&page=${page}`
  const live = useLive<TeamReply>(path, SLOW_MS)
  const { data, refresh } = live
  if (!data || data.meta.total === 0) return null
  return (
    <Part title="Usuários de API" hint="Agem com a chave de API da organização." isBelow>
      <Lines of={data.data}>
        {(membership) => (
          <Line key={membership.id} name={membership.user.name} note={membership.user.email}>
            {may('users:write') && <Remove from="api-tokens" membership={membership} onRemoved={refresh} />}
          </Line>
        )}
      </Lines>
      <Turns page={page} last={data.meta.total_pages} size={`${count(data.meta.total)} usuários`} onPage={setPage} />
    </Part>
  )
}

interface RemoveProps {
  readonly from: 'users' | 'api-tokens'
  readonly membership: Membership
  readonly onRemoved: () => void
}

const Remove = ({ from, membership: { id, user }, onRemoved }: RemoveProps) => {
  const remove = async (): Promise<void> => {
    await request('DELETE', `access/manager/${from}/${id}`)
    onRemoved()
  }
  return (
    <ConfirmedButton title={`Remover ${user.name}?`} button="Remover da equipe" perform={remove}>
      Remover
    </ConfirmedButton>
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
      const body = { role: Number(role) }
      await withFactor((secondFactor) =>
        request('PUT', `access/manager/users/${membership.id}`, { body, secondFactor }),
      )
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
  const [isReset, setReset] = useState(false)
  const reset = async (): Promise<void> => {
    setReset(false)
    await withFactor((secondFactor) => request('DELETE', `v1/users/${id}/second-factor`, { secondFactor }))
    setReset(true)
  }
  return (
    <>
      <ConfirmedButton
        kind="quiet"
        label={`Retirar segundo fator de ${name}`}
        title={`Retirar o segundo fator de ${name}?`}
        text={RESET_EFFECT}
        button="Retirar segundo fator"
        perform={reset}
      >
        Retirar segundo fator
      </ConfirmedButton>
      {isReset && <p role="status">Segundo fator retirado.</p>}
    </>
  )
}

const RESET_EFFECT =
  'Faça isso se a pessoa perdeu o aplicativo, as chaves de acesso e os códigos. Todos deixam de valer, suas sessões ' +
  'terminam, e ela é avisada por e-mail. Até ativar outro, só a senha protege o login. Você confirma com o seu.'

const EMPTY = { name: '', email: '', document: '', password: '', role: '3' }

const NewMember = ({ onCreated }: { readonly onCreated: () => void }) => {
  const { action, draft, set, field } = useForm(EMPTY, { prefix: 'member-' })
  const create = async (): Promise<void> => {
    await requestWithFactor('access/manager/users', { ...draft, role: Number(draft.role) })
    set(EMPTY)
    onCreated()
  }
  return (
    <Form action={action} button="Adicionar à equipe" send={create}>
      <Field {...field('name', 'Nome')} maxLength={30} />
      <Field {...field('email', 'E-mail')} type="email" />
      <Field {...field('password', 'Primeira senha')} type="password" autocomplete="new-password" />
      <div class="pair">
        <Field {...field('document', 'CPF')} inputMode="numeric" />
        <Choice {...field('role', 'Perfil')} options={ROLES} />
      </div>
    </Form>
  )
}
