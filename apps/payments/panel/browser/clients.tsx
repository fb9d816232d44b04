import { useState } from 'preact/hooks'
import { Alert, Loading, Title } from '../../../panels/browser/elements.tsx'
import { Choice, Field, Form } from '../../../panels/browser/form.tsx'
import { documentText } from '../../../panels/browser/format.ts'
import { type ListReply, Pages, Search } from '../../../panels/browser/list.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { addressOf, goTo, route } from '../../../panels/browser/route.ts'
import { drafts, may, request, requestOnce, useLive } from './session.ts'

interface Client {
  readonly id: number
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly document: string | null
  readonly type: string | null
}

export const Clients = () => {
  const { query } = route.value
  const search = query.get('search') ?? ''
  const sent = new URLSearchParams({ per_page: '20', page: query.get('pagina') ?? '1', ...(search && { search }) })
  const { data, error } = useLive<ListReply<Client>>(`billing/clients?${sent}`)
  return (
    <>
      <header class="head">
        <Title>Clientes</Title>
        {may('clients:write') && (
          <a class="button" href="#/clientes/novo">
            Novo cliente
          </a>
        )}
      </header>
      <Search
        key={query.get('search')}
        placeholder="Nome, e-mail ou documento"
        onSearch={(text) => goTo(addressOf('/clientes', { search: text }))}
      />
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading lines={6} />}
      {data && data.data.length === 0 && (
        <p class="none">{search === '' ? 'Nenhum cliente ainda.' : 'Nenhum cliente com esta busca.'}</p>
      )}
      {data && data.data.length > 0 && (
        <section class="card part">
          <ul class="lines">
            {data.data.map((client) => (
              <li key={client.id}>
                <span>
                  <a href={`#/clientes/${client.id}`}>{client.name}</a>
                  <small>{[client.email, client.phone].filter(Boolean).join(' · ')}</small>
                </span>
                <span class="hint">{client.document && documentText(client.document)}</span>
              </li>
            ))}
          </ul>
          <Pages meta={data.meta} one="cliente" many="clientes" />
        </section>
      )}
    </>
  )
}

const KINDS = [
  ['', 'Não informado'],
  ['individual', 'Pessoa física'],
  ['company', 'Pessoa jurídica'],
] as const

interface Draft {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly document: string
  readonly type: string
}

const EMPTY: Draft = { name: '', email: '', phone: '', document: '', type: '' }

const NEW_CLIENT = 'client'

export const NewClient = () => (
  <section class="card narrow wide">
    <p class="hint">
      <a href="#/clientes">Clientes</a>
    </p>
    <Title>Novo cliente</Title>
    <ClientForm
      initial={(drafts.get(NEW_CLIENT) as Draft | undefined) ?? EMPTY}
      button="Criar cliente"
      onDraft={(draft) => drafts.set(NEW_CLIENT, draft)}
      send={async (body) => {
        const { client } = await requestOnce<{ readonly client: Client }>('v1/clients', body)
        drafts.delete(NEW_CLIENT)
        goTo(`/clientes/${client.id}`)
      }}
    />
  </section>
)

export const ClientPage = ({ id }: { readonly id: string }) => {
  const { data, error, isMissing, refresh } = useLive<{ readonly client: Client }>(
    `v1/clients/${encodeURIComponent(id)}`,
    10_000,
  )
  const [isSaved, setSaved] = useState(false)
  if (isMissing && data === null) return <Title>Cliente não encontrado</Title>
  if (data === null)
    return (
      <>
        <Title>Cliente</Title>
        <Alert text={error} />
        {error === null && <Loading />}
      </>
    )
  const { client } = data
  return (
    <section class="card narrow wide">
      <p class="hint">
        <a href="#/clientes">Clientes</a> ·{' '}
        <a href={addressOf('/cobrancas', { client_id: `${client.id}` })}>Cobranças</a>
      </p>
      <Title>{client.name}</Title>
      {isSaved && (
        <p class="done" role="status">
          Cliente atualizado.
        </p>
      )}
      <ClientForm
        initial={{
          name: client.name,
          email: client.email ?? '',
          phone: client.phone ?? '',
          document: client.document === null ? '' : documentText(client.document),
          type: client.type ?? '',
        }}
        button="Salvar"
        onDraft={() => setSaved(false)}
        send={async (body) => {
          await request('PUT', `v1/clients/${client.id}`, { body })
          setSaved(true)
          refresh()
        }}
      />
    </section>
  )
}

interface ClientFormProps {
  readonly initial: Draft
  readonly button: string
  readonly onDraft: (draft: Draft) => void
  readonly send: (body: Readonly<Record<string, unknown>>) => Promise<void>
}

const ClientForm = ({ initial, button, onDraft, send }: ClientFormProps) => {
  const [draft, setDraft] = useState(initial)
  const action = useAction()
  const set = (name: keyof Draft) => (value: string) => {
    const next = { ...draft, [name]: value }
    setDraft(next)
    onDraft(next)
  }
  const field = (name: Exclude<keyof Draft, 'type'>, label: string) => ({
    name,
    label,
    value: draft[name],
    onValue: set(name),
    error: action.fields[name],
  })
  const save = (): Promise<void> => {
    const body = Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, value.trim() || null]))
    return send({ ...body, name: draft.name })
  }
  if (!may('clients:write'))
    return (
      <dl class="facts">
        <dt>E-mail</dt>
        <dd>{draft.email || '—'}</dd>
        <dt>Telefone</dt>
        <dd>{draft.phone || '—'}</dd>
        <dt>Documento</dt>
        <dd>{draft.document || '—'}</dd>
      </dl>
    )
  return (
    <Form action={action} button={button} onSend={() => action.run(save)}>
      <Field {...field('name', 'Nome')} autocomplete="off" maxLength={255} />
      <div class="pair">
        <Field {...field('document', 'CPF ou CNPJ')} inputMode="numeric" autocomplete="off" />
        <Choice
          label="Pessoa"
          name="type"
          value={draft.type}
          onValue={set('type')}
          options={KINDS}
          error={action.fields.type}
        />
      </div>
      <div class="pair">
        <Field {...field('email', 'E-mail')} type="email" autocomplete="off" />
        <Field {...field('phone', 'Telefone')} type="tel" autocomplete="off" />
      </div>
    </Form>
  )
}
