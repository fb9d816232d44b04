import { useEffect, useRef, useState } from 'preact/hooks'
import { Done, Title } from '../../../../panels/browser/elements.tsx'
import { Choice, drafts, Field, Form, fieldsOf, useDraft } from '../../../../panels/browser/form.tsx'
import { dayText, documentText, money } from '../../../../panels/browser/format.ts'
import { type ListReply, pageQuery, Search } from '../../../../panels/browser/list.tsx'
import { useAction } from '../../../../panels/browser/live.ts'
import { addressOf, goTo, route } from '../../../../panels/browser/route.ts'
import { type Charge, chargesText, NEW_CHARGE, StatusChip, useSums } from '../charges.tsx'
import { Back, Fact, Head, Line, Lines, Part, Records, Unread } from '../parts.tsx'
import { may, NEVER_MS, request, requestOnce, SLOW_MS, useLive } from '../session.ts'
import { Erased, type Erasure, PersonalData } from './personal-data.tsx'

export const Clients = () => {
  const search = route.value.query.get('search') ?? ''
  const live = useLive<ListReply<Client>>(`billing/clients?${pageQuery(20, { search })}`)
  return (
    <>
      <Head title="Clientes" create={may('clients:write') && ['Novo cliente', '#/clientes/novo']} />
      <Search
        placeholder="Nome, e-mail ou documento"
        onSearch={(text) => goTo(addressOf('/clientes', { search: text }))}
      />
      <Records
        live={live}
        lines={6}
        none={search === '' ? 'Nenhum cliente ainda.' : 'Nenhum cliente com esta busca.'}
        one="cliente"
        many="clientes"
      >
        {(client) => (
          <Line
            key={client.id}
            href={`#/clientes/${client.id}`}
            name={client.name}
            note={[client.email, client.phone].filter(Boolean).join(' · ')}
          >
            <span class="hint">{client.document && documentText(client.document)}</span>
          </Line>
        )}
      </Records>
    </>
  )
}

/** A client, as the API lists it. */
export interface Client {
  readonly id: number
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly document: string | null
  readonly type: string | null
}

/** A CPF or a CNPJ without punctuation. */
const WHOLE_DOCUMENT = /^(\d{11}|[0-9A-Z]{12}\d{2})$/

const plain = (document: string): string => document.replace(/[^0-9A-Za-z]/g, '').toUpperCase()

/** Reads the client of the account with a typed CPF or CNPJ; null without one, and while the document is typed. */
export const useKnownClient = (typed: string): Client | null => {
  const document = plain(typed)
  const path = may('clients:read') && WHOLE_DOCUMENT.test(document) ? `billing/clients?search=${document}` : null
  const { data } = useLive<ListReply<Client>>(path, NEVER_MS)
  return data?.data.find((client) => client.document === document) ?? null
}

interface KnownClientProps {
  readonly client: Client
  /** True after a try to send data that differ from the client's. */
  readonly isBlocking: boolean
  readonly onUse?: () => void
}

/** Names the client that has a typed document, whose stored data a new charge uses. */
export const KnownClient = ({ client, isBlocking, onUse }: KnownClientProps) => {
  const use = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The button that was pressed may be a screen away.
    if (isBlocking) use.current?.focus()
  }, [isBlocking])
  return (
    <div class={`known ${isBlocking ? 'blocking' : ''}`} role={isBlocking ? 'alert' : 'status'}>
      <p>
        {client.document && documentText(client.document)} já é de <strong>{client.name}</strong>
        {client.email && ` (${client.email})`}.{' '}
        {isBlocking && 'Use estes dados, ou altere o cadastro do cliente antes de continuar.'}
      </p>
      <div class="choices">
        {onUse && (
          <button ref={use} type="button" class="quiet" onClick={onUse}>
            Usar este cliente
          </button>
        )}
        {may('clients:write') && <a href={`#/clientes/${client.id}`}>Alterar o cadastro</a>}
      </div>
    </div>
  )
}

const KINDS = [
  ['', 'Não informado'],
  ['individual', 'Pessoa física'],
  ['company', 'Pessoa jurídica'],
] as const

const EMPTY = { name: '', email: '', phone: '', document: '', type: '' }

type Draft = typeof EMPTY

const NEW_CLIENT = 'client'

export const NewClient = () => {
  const { draft, set } = useDraft(NEW_CLIENT, EMPTY)
  const known = useKnownClient(draft.document)
  return (
    <section class="card narrow wide">
      <Back href="#/clientes">Clientes</Back>
      <Title>Novo cliente</Title>
      {known && <KnownClient client={known} isBlocking={false} />}
      <ClientForm
        draft={draft}
        button="Criar cliente"
        onDraft={set}
        send={async (body) => {
          const { client } = await requestOnce<{ readonly client: Client }>('v1/clients', body)
          drafts.delete(NEW_CLIENT)
          goTo(`/clientes/${client.id}`)
        }}
      />
    </section>
  )
}

const draftOf = ({ name, email, phone, document, type }: Client): Draft => ({
  name,
  email: email ?? '',
  phone: phone ?? '',
  document: document === null ? '' : documentText(document),
  type: type ?? '',
})

export const ClientPage = ({ id }: { readonly id: string }) => {
  const [erasure, setErasure] = useState<Erasure | null>(null)
  const live = useLive<{ readonly client: Client }>(
    erasure === null ? `v1/clients/${encodeURIComponent(id)}` : null,
    SLOW_MS,
  )
  if (erasure !== null) return <Erased erasure={erasure} />
  if (live.data === null)
    return (
      <Unread live={live} title="Cliente" missing="Cliente não encontrado">
        <p>Ele não existe nesta organização, ou seus dados foram eliminados.</p>
        <p>
          <a href="#/clientes">Ver todos os clientes</a>
        </p>
      </Unread>
    )
  const { client } = live.data
  return (
    <>
      <p class="hint">
        <a href="#/clientes">Clientes</a>
        {drafts.has(NEW_CHARGE) && may('charges:write') && (
          <>
            {' · '}
            <a href="#/cobrancas/nova">Voltar à nova cobrança</a>
          </>
        )}
      </p>
      <Title>{client.name}</Title>
      <div class="columns">
        <Part title="Cadastro">
          <ChangeClient client={client} refresh={live.refresh} />
        </Part>
        {may('charges:read') && <ClientCharges id={client.id} />}
        <PersonalData
          client={client}
          onErased={(erased) => {
            drafts.delete(draftName(client.id))
            setErasure(erased)
          }}
        />
      </div>
    </>
  )
}

const draftName = (id: number): string => `${NEW_CLIENT}/${id}`

/** The form of a client's data, whose draft outlives the view. */
const ChangeClient = ({ client, refresh }: { readonly client: Client; readonly refresh: () => void }) => {
  const name = draftName(client.id)
  const { draft, set } = useDraft(name, draftOf(client))
  const [isSaved, setSaved] = useState(false)
  return (
    <>
      <Done text={isSaved ? 'Cliente atualizado.' : null} />
      <ClientForm
        draft={draft}
        button="Salvar"
        onDraft={(changes) => {
          set(changes)
          setSaved(false)
        }}
        send={async (body) => {
          await request('PUT', `v1/clients/${client.id}`, { body })
          drafts.delete(name)
          setSaved(true)
          refresh()
        }}
      />
    </>
  )
}

/** The sums of a client's charges, and the newest ones. */
const ClientCharges = ({ id }: { readonly id: number }) => {
  const live = useLive<ListReply<Charge>>(`invoices?client_id=${id}&per_page=5`)
  const { sums } = useSums(`client_id=${id}`, live.data)
  const sumText =
    sums && `${chargesText(sums.count)}, cobrado ${money(sums.value)}, recebido ${money(sums.amount_paid)}`
  return (
    <Part title="Cobranças" hint={sumText ?? 'Somando…'} live={live}>
      <Lines of={live.data?.data}>
        {(charge) => (
          <Line
            key={charge.id}
            href={`#/cobrancas/${charge.id}`}
            name={charge.description ?? `Cobrança nº ${charge.id}`}
            note={`Vence em ${dayText(charge.due_date)}`}
          >
            <StatusChip charge={charge} />
            <strong>{money(charge.value)}</strong>
          </Line>
        )}
      </Lines>
      <p class="below">
        <a href={addressOf('/cobrancas', { client_id: `${id}` })}>Ver todas as cobranças do cliente</a>
      </p>
    </Part>
  )
}

interface ClientFormProps {
  readonly draft: Draft
  readonly button: string
  readonly onDraft: (changes: Partial<Draft>) => void
  readonly send: (body: Readonly<Record<string, unknown>>) => Promise<void>
}

const ClientForm = ({ draft, button, onDraft, send }: ClientFormProps) => {
  const action = useAction()
  const field = fieldsOf(draft, onDraft, action.fields)
  const save = (): Promise<void> => {
    const body = Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, value.trim() || null]))
    return send({ ...body, name: draft.name })
  }
  if (!may('clients:write'))
    return (
      <dl class="facts">
        <Fact name="E-mail">{draft.email || '—'}</Fact>
        <Fact name="Telefone">{draft.phone || '—'}</Fact>
        <Fact name="Documento">{draft.document || '—'}</Fact>
      </dl>
    )
  return (
    <Form action={action} button={button} send={save}>
      <Field {...field('name', 'Nome')} autocomplete="off" maxLength={255} />
      <div class="pair">
        <Field {...field('document', 'CPF ou CNPJ')} inputMode="numeric" autocomplete="off" />
        <Choice {...field('type', 'Pessoa')} options={KINDS} />
      </div>
      <div class="pair">
        <Field {...field('email', 'E-mail')} type="email" autocomplete="off" />
        <Field {...field('phone', 'Telefone')} type="tel" autocomplete="off" />
      </div>
    </Form>
  )
}
