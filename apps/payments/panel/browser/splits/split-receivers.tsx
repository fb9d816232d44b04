import { useState } from 'preact/hooks'
import { CopyButton } from '../../../../panels/browser/elements.tsx'
import { ConfirmedButton, Field, Form, useForm } from '../../../../panels/browser/form.tsx'
import { count } from '../../../../panels/browser/format.ts'
import { Lines, Part, Turns } from '../parts.tsx'
import { may, request, requestOnce, SLOW_MS, useLive } from '../session.ts'

interface Receiver {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly issuers: readonly string[]
  readonly status: 'active' | 'revoked'
}

interface ReceiversReply {
  readonly split_receivers: readonly Receiver[]
  readonly meta: { readonly total: number; readonly last_page: number }
}

const PER_PAGE = 20

/** The keys by which the account receives shares of charges of other accounts. Its pages are no part of the address. */
export const SplitReceivers = () => {
  const [page, setPage] = useState(1)
  const path = `v1/split-receivers?per_page=${PER_PAGE}&page=${page}`
  const live = useLive<ReceiversReply>(path, SLOW_MS)
  const { data, refresh } = live
  return (
    <Part
      title="Receber partes de cobranças"
      hint="Quem tem uma destas chaves divide cobranças com a sua conta. A chave não serve a mais nada."
      live={live}
    >
      <Lines of={data?.split_receivers} none="Nenhuma chave ainda.">
        {(receiver) => <Key key={receiver.id} receiver={receiver} onRevoked={refresh} />}
      </Lines>
      {data && (
        <Turns page={page} last={data.meta.last_page} size={`${count(data.meta.total)} chaves`} onPage={setPage} />
      )}
      {may('account:write') && <NewReceiver onCreated={refresh} />}
    </Part>
  )
}

interface KeyProps {
  readonly receiver: Receiver
  readonly onRevoked: () => void
}

const Key = ({ receiver: { id, key, name, issuers, status }, onRevoked }: KeyProps) => {
  const isActive = status === 'active'
  const revoke = async (): Promise<void> => {
    await request('DELETE', `v1/split-receivers/${id}`)
    onRevoked()
  }
  return (
    <li>
      <span>
        {name}
        <small>{issuers.length === 0 ? 'Para qualquer conta' : `Só para ${issuers.join(', ')}`}</small>
        {isActive && <small>{key}</small>}
      </span>
      {!isActive && <span class="chip failed">Revogada</span>}
      {isActive && <CopyButton text={key} label="Copiar chave" />}
      {isActive && may('account:write') && (
        <ConfirmedButton
          label={`Revogar ${name}`}
          title={`Revogar a chave ${name}?`}
          text="Novas cobranças não a aceitam. As que já existem mantêm a parte da sua conta."
          button="Revogar chave"
          perform={revoke}
        >
          Revogar
        </ConfirmedButton>
      )}
    </li>
  )
}

const NewReceiver = ({ onCreated }: { readonly onCreated: () => void }) => {
  const { action, draft, set, field } = useForm({ name: '', issuers: '' }, { prefix: 'receiver-' })
  const create = async (): Promise<void> => {
    const issuers = draft.issuers.split(/[\s,;]+/).filter((code) => code !== '')
    await requestOnce('v1/split-receivers', { name: draft.name, issuers })
    set({ name: '', issuers: '' })
    onCreated()
  }
  const wrongIssuer = Object.entries(action.fields).find(([path]) => path.startsWith('issuers'))?.[1]
  return (
    <Form action={action} button="Criar chave para receber" send={create}>
      <Field {...field('name', 'Nome da nova chave')} hint="Só a sua conta o vê." maxLength={60} />
      <Field
        {...field('issuers', 'Contas que podem usá-la')}
        hint="Os códigos, separados por vírgula, que cada uma vê em Organização. Em branco, qualquer conta."
        autocomplete="off"
        error={wrongIssuer}
      />
    </Form>
  )
}
